import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Certificates, TlsFiles } from './certificates.ts';
import { createAuthority, mountSecret, type Secret } from '../testing/certificates.ts';
import { watchCertificates, type WatchedCertificates } from './watch-certificates.ts';

const authorities = [createAuthority('first'), createAuthority('second')] as const;
const [first, second] = authorities.map((authority): Secret => {
  return { ...authority.issue(['localhost']), trusted: authority.certificate };
}) as [Secret, Secret];
const asTexts = ({ certificate, privateKey, caCertificate }: Certificates): Secret => ({
  certificate: certificate.toString(),
  key: privateKey.toString(),
  trusted: caCertificate.toString(),
});

describe('watchCertificates', () => {
  let folder: string;
  let watched: WatchedCertificates;
  /** The log messages, in order. */
  let told: string[];
  let onTold: () => void;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-'));
    told = [];
    onTold = () => undefined;
  });
  afterEach(() => {
    watched.stop();
    rmSync(folder, { recursive: true });
  });

  const watch = (files: TlsFiles) => {
    const tell = (what: string) => () => {
      told.push(what);
      onTold();
    };
    watched = watchCertificates(files, { log: { info: tell('in use'), warn: tell('refused') }, everyMs: 5 });
  };
  const untilTold = async (...expected: string[]) => {
    while (told.length < expected.length) await new Promise<void>((resolve) => (onTold = resolve));
    expect(told).toEqual(expected);
  };
  const plainFiles = ({ certificate, key, trusted }: Secret): TlsFiles => {
    const files = {
      GRPC_TLS_CERT: join(folder, 'c'),
      GRPC_TLS_KEY: join(folder, 'k'),
      GRPC_TLS_CA: join(folder, 'a'),
    };
    writeFileSync(files.GRPC_TLS_CERT, certificate);
    writeFileSync(files.GRPC_TLS_KEY, key);
    writeFileSync(files.GRPC_TLS_CA, trusted);
    return files;
  };

  test('loads a swapped Kubernetes secret and notifies the listeners', async () => {
    const secret = mountSecret(folder, first);
    watch(secret.files);
    const updates: unknown[] = [];
    watched.addCaCertificateListener((update) => updates.push(update?.caCertificate.toString()));
    watched.addIdentityCertificateListener((update) => updates.push(update?.certificate.toString()));
    expect(updates).toEqual([]);
    secret.swap(second);
    await untilTold('in use');
    expect(asTexts(watched.current())).toEqual(second);
    expect(updates).toEqual([first.trusted, first.certificate, second.trusted, second.certificate]);
    secret.swap(first);
    await untilTold('in use', 'in use');
    expect(asTexts(watched.current())).toEqual(first);
  });

  test('keeps the certificates until all files match', async () => {
    const files = plainFiles(first);
    watch(files);
    writeFileSync(files.GRPC_TLS_CERT, second.certificate);
    await untilTold('refused');
    expect(asTexts(watched.current())).toEqual(first);
    writeFileSync(files.GRPC_TLS_KEY, second.key);
    await untilTold('refused', 'in use');
    expect(asTexts(watched.current())).toEqual({ ...second, trusted: first.trusted });
  });

  test.each<[string, (files: TlsFiles) => void]>([
    ['is gone', ({ GRPC_TLS_CA }) => unlinkSync(GRPC_TLS_CA)],
    ['is empty', ({ GRPC_TLS_KEY }) => writeFileSync(GRPC_TLS_KEY, '')],
    [
      'is half-written',
      ({ GRPC_TLS_CA }) => writeFileSync(GRPC_TLS_CA, first.trusted + second.trusted.slice(0, 300)),
    ],
    [
      'has expired',
      ({ GRPC_TLS_CERT, GRPC_TLS_KEY }) => {
        const { certificate, key } = authorities[0].issue(['localhost'], {
          to: new Date(Date.now() - 1_000),
        });
        writeFileSync(GRPC_TLS_CERT, certificate);
        writeFileSync(GRPC_TLS_KEY, key);
      },
    ],
  ])('keeps the certificates while a file %s, and logs it once', async (_, damage) => {
    const files = plainFiles(first);
    watch(files);
    damage(files);
    await untilTold('refused');
    expect(asTexts(watched.current())).toEqual(first);
    plainFiles(second);
    await untilTold('refused', 'in use');
    expect(asTexts(watched.current())).toEqual(second);
  });

  test('throws for unusable files at the start', () => {
    watch(plainFiles(first));
    const files = plainFiles({ ...first, key: second.key });
    expect(() => watchCertificates(files, { log: { info: () => undefined, warn: () => undefined } })).toThrow(
      /GRPC_TLS_KEY: .* is not the key of the certificate/,
    );
  });
});
