import { createHmac, createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { CredentialKind } from '../accounts.ts';
import { credentialMatches, hashCredential, newCredentialText, parseCredential } from './credential.ts';

const pepper = createSecretKey('p'.repeat(32), 'utf8');
const kinds: CredentialKind[] = ['token', 'secret-key'];

test.each(kinds)('a new %s parses to its id', (kind) => {
  const { id, text } = newCredentialText(kind);
  expect(parseCredential(kind, text)).toBe(id);
});

test.each(kinds)('a new %s has an id of 96 bits and an independent secret of 256', (kind) => {
  let calls = 0;
  const { id, text } = newCredentialText(kind, (size) => Buffer.alloc(size, ++calls));
  expect(id).toBe('01'.repeat(12));
  expect(text).toBe(`${kind === 'token' ? 'jdt' : 'jds'}_${'01'.repeat(12)}_${'02'.repeat(32)}`);
});

test.each(kinds)('a %s has only characters of a bearer token, and is unique', (kind) => {
  const texts = Array.from({ length: 1_000 }, () => newCredentialText(kind).text);
  expect(new Set(texts).size).toBe(1_000);
  for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
});

test('a token is no secret key, and a secret key no token', () => {
  expect(parseCredential('secret-key', newCredentialText('token').text)).toBeUndefined();
  expect(parseCredential('token', newCredentialText('secret-key').text)).toBeUndefined();
});

const good = `jdt_${'a1'.repeat(12)}_${'b2'.repeat(32)}`;
test.each([
  ...[
    '',
    'jdt_',
    'jdt__',
    good.slice(0, -1),
    `${good}0`,
    `${good}\n`,
    ` ${good}`,
    `${good} `,
    good.toUpperCase(),
  ],
  ...[good.replace('jdt', 'jdx'), good.replace('_b2', '-b2'), good.replace('a1', 'g1'), `${good},${good}`],
])('%j is no token', (text) => {
  expect(parseCredential('token', text)).toBeUndefined();
});

test('the hash is HMAC-SHA-256 of the whole text', () => {
  expect(hashCredential(pepper, good)).toEqual(createHmac('sha256', 'p'.repeat(32)).update(good).digest());
});

test('only the same text under the same pepper matches, and nothing matches an unknown credential', () => {
  const stored = hashCredential(pepper, good);
  const otherPepper = createSecretKey('q'.repeat(32), 'utf8');
  expect(credentialMatches(pepper, good, stored)).toBe(true);
  expect(credentialMatches(pepper, good.replace(/2$/, '3'), stored)).toBe(false);
  expect(credentialMatches(pepper, good.replace('jdt', 'jds'), stored)).toBe(false);
  expect(credentialMatches(otherPepper, good, stored)).toBe(false);
  expect(credentialMatches(pepper, good, undefined)).toBe(false);
  expect(credentialMatches(pepper, good, Buffer.alloc(32))).toBe(false);
});
