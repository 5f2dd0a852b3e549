import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createAuthority } from '../testing/certificates.ts';
import { readPublicTls } from './public-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'public-certificate-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const authority = createAuthority('the authority');
const own = authority.issue(['jobs.example']);
const files = { TLS_CERT: file('tls.crt', own.certificate), TLS_KEY: file('tls.key', own.key) };

test('both variables are optional, and belong together', () => {
  expect(readPublicTls({})).toEqual({ publicTls: undefined, problems: [] });
  expect(readPublicTls(files)).toEqual({ publicTls: files, problems: [] });
  expect(readPublicTls({ TLS_CERT: files.TLS_CERT }).problems).toEqual([
    'TLS_KEY: must be set (TLS_CERT, TLS_KEY: both or none)',
  ]);
  expect(readPublicTls({ TLS_KEY: files.TLS_KEY }).problems).toEqual([
    'TLS_CERT: must be set (TLS_CERT, TLS_KEY: both or none)',
  ]);
});

test('an unusable file is named with its variable', () => {
  const other = file('other.key', authority.issue(['jobs.example']).key);
  expect(readPublicTls({ ...files, TLS_KEY: other }).problems).toEqual([
    `TLS_KEY: ${other} is not the key of the certificate in ${files.TLS_CERT}`,
  ]);
  const none = join(folder, 'none');
  expect(readPublicTls({ TLS_CERT: none, TLS_KEY: none }).problems).toEqual([
    `TLS_CERT: cannot read ${none} (ENOENT)`,
    `TLS_KEY: cannot read ${none} (ENOENT)`,
  ]);
});
