import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { hashSecret, newSecret } from './one-time-secret.ts';

test('a new secret has 256 random bits, and needs no escaping in a URL or a cookie', () => {
  expect(newSecret((size) => Buffer.alloc(size, 0xff))).toBe(Buffer.alloc(32, 0xff).toString('base64url'));
  const secrets = Array.from({ length: 1_000 }, () => newSecret());
  expect(new Set(secrets).size).toBe(1_000);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

test('the hash is SHA-256 of the text', () => {
  expect(hashSecret('abc')).toEqual(createHash('sha256').update('abc').digest());
});
