import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readPublicTls, readTlsFiles, type TlsFiles } from './certificates.ts';
import { createAuthority } from '../testing/certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const authority = createAuthority('the authority');
const own = authority.issue(['localhost']);
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const files: TlsFiles = {
  GRPC_TLS_CERT: file('tls.crt', own.certificate),
  GRPC_TLS_KEY: file('tls.key', own.key),
  GRPC_TLS_CA: file('ca.crt', authority.certificate),
};
const at = (name: string) => join(folder, name);

describe('readTlsFiles', () => {
  test('returns undefined without variables', () => {
    expect(readTlsFiles({})).toEqual({ files: undefined, problems: [] });
  });

  test('accepts matching files with a chain and several authorities', () => {
    expect(readTlsFiles(files)).toEqual({ files, problems: [] });
    const bundle = file(
      'bundle.crt',
      `# two\n${authority.certificate}\n${createAuthority('other').certificate}`,
    );
    const chain = file('chain.crt', own.certificate + authority.certificate);
    expect(readTlsFiles({ ...files, GRPC_TLS_CERT: chain, GRPC_TLS_CA: bundle }).problems).toEqual([]);
  });

  test('requires all variables or none', () => {
    expect(readTlsFiles({ GRPC_TLS_CA: files.GRPC_TLS_CA }).problems).toEqual([
      'GRPC_TLS_CERT: must be set (GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA: all or none)',
      'GRPC_TLS_KEY: must be set (GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA: all or none)',
    ]);
  });

  const expired = authority.issue(['localhost'], { to: new Date(Date.now() - 1_000) });
  const early = authority.issue(['localhost'], { from: new Date(Date.now() + 1_000_000) });
  const { privateKey: locked } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  });

  test.each<[string, Partial<TlsFiles>, RegExp[]]>([
    ['is not there', { GRPC_TLS_CA: at('none') }, [/^GRPC_TLS_CA: cannot read .*none \(ENOENT\)$/]],
    ['is a folder', { GRPC_TLS_KEY: folder }, [/^GRPC_TLS_KEY: cannot read .* \(not a regular file\)$/]],
    ['is a device', { GRPC_TLS_CA: devNull }, [/^GRPC_TLS_CA: cannot read .* \(not a regular file\)$/]],
    [
      'is empty',
      { GRPC_TLS_CERT: file('empty', ''), GRPC_TLS_KEY: at('empty'), GRPC_TLS_CA: at('empty') },
      [
        /^GRPC_TLS_CERT: .*empty must hold a certificate in PEM$/,
        /^GRPC_TLS_KEY: .*empty must hold a private key without a passphrase in PEM$/,
        /^GRPC_TLS_CA: .*empty must hold certificates in PEM$/,
      ],
    ],
    [
      'ends before its end',
      { GRPC_TLS_CA: file('cut', authority.certificate + authority.certificate.slice(0, 500)) },
      [/^GRPC_TLS_CA: .*cut must hold certificates in PEM$/],
    ],
    [
      'is not PEM',
      { GRPC_TLS_CERT: file('noise', authority.certificate.replace(/\w{40}/, '!'.repeat(40))) },
      [/^GRPC_TLS_CERT: .*noise must hold a certificate in PEM$/],
    ],
    [
      'is locked',
      { GRPC_TLS_KEY: file('locked', locked) },
      [/^GRPC_TLS_KEY: .*locked must hold a private key without a passphrase in PEM$/],
    ],
    [
      'is the key of another',
      { GRPC_TLS_KEY: file('other.key', expired.key) },
      [/^GRPC_TLS_KEY: .*other\.key is not the key of the certificate in .*tls\.crt$/],
    ],
    [
      'has expired',
      { GRPC_TLS_CERT: file('old.crt', expired.certificate), GRPC_TLS_KEY: file('old.key', expired.key) },
      [/^GRPC_TLS_CERT: .*old\.crt has expired: .+ GMT$/],
    ],
    [
      'is not valid yet',
      { GRPC_TLS_CERT: file('early.crt', early.certificate), GRPC_TLS_KEY: file('early.key', early.key) },
      [/^GRPC_TLS_CERT: .*early\.crt is not valid yet: .+ GMT$/],
    ],
  ])('names a file that %s', (_, wrong, problems) => {
    const found = readTlsFiles({ ...files, ...wrong }).problems;
    expect(found).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('readPublicTls', () => {
  const publicFiles = { TLS_CERT: files.GRPC_TLS_CERT, TLS_KEY: files.GRPC_TLS_KEY };

  test('both variables are optional, and belong together', () => {
    expect(readPublicTls({})).toEqual({ files: undefined, problems: [] });
    expect(readPublicTls(publicFiles)).toEqual({ files: publicFiles, problems: [] });
    expect(readPublicTls({ TLS_CERT: publicFiles.TLS_CERT }).problems).toEqual([
      'TLS_KEY: must be set (TLS_CERT, TLS_KEY: both or none)',
    ]);
    expect(readPublicTls({ TLS_KEY: publicFiles.TLS_KEY }).problems).toEqual([
      'TLS_CERT: must be set (TLS_CERT, TLS_KEY: both or none)',
    ]);
  });

  test('an unusable file is named with its variable', () => {
    const other = file('other.key', authority.issue(['jobs.example']).key);
    expect(readPublicTls({ ...publicFiles, TLS_KEY: other }).problems).toEqual([
      `TLS_KEY: ${other} is not the key of the certificate in ${publicFiles.TLS_CERT}`,
    ]);
    const none = join(folder, 'none');
    expect(readPublicTls({ TLS_CERT: none, TLS_KEY: none }).problems).toEqual([
      `TLS_CERT: cannot read ${none} (ENOENT)`,
      `TLS_KEY: cannot read ${none} (ENOENT)`,
    ]);
  });
});
