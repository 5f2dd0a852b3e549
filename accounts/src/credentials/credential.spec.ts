import { createHmac, createSecretKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialKind } from '../accounts.ts';
import { openSqliteAccounts, type SqliteAccounts } from '../sqlite/sqlite-accounts.ts';
import {
  claimedKind,
  credentialLength,
  credentialMatches,
  credentialState,
  fingerprintOf,
  hashCredential,
  issueCredential,
  newCredentialText,
  parseCredential,
  parseDuration,
  pepperIdOf,
} from './credential.ts';

const pepper = createSecretKey('p'.repeat(32), 'utf8');
const kinds: CredentialKind[] = ['token', 'secret-key'];

test.each(kinds)('a new %s parses to its id, and has the length that problems tell', (kind) => {
  const { id, text } = newCredentialText(kind);
  expect(parseCredential(kind, text)).toBe(id);
  expect(text).toHaveLength(credentialLength);
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

test.each([
  ['jdt_a', 'token'],
  ['jds_', 'secret-key'],
  ['jdt', undefined],
  ['a_jdt_', undefined],
])('%s claims to be a %s', (text, kind) => {
  expect(claimedKind(text)).toBe(kind);
});

const [ago, ahead] = [999, 1_001];
test.each([
  ['active', {}],
  ['active', { expiresAtMs: ahead }],
  ['expired', { expiresAtMs: 1_000 }],
  ['paused', { pausedAtMs: ago, expiresAtMs: ahead }],
  ['expired', { pausedAtMs: ago, expiresAtMs: ago }],
  ['revoked', { revokedAtMs: ago, pausedAtMs: ago, expiresAtMs: ago }],
] as const)('a credential is %s at 1,000 ms with %j', (state, times) => {
  expect(credentialState(times, 1_000)).toBe(state);
});

// Every database stores it.
test('the fingerprint of a pepper never changes', () => {
  expect(pepperIdOf(fingerprintOf(pepper))).toBe('3945fc033835036a');
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

describe('issuing a credential', () => {
  const now = () => 1_000;
  let folder: string;
  let accounts: SqliteAccounts;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'issue-'));
    accounts = openSqliteAccounts(join(folder, 'accounts.db'));
    await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
  });
  afterEach(async () => {
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const token = { kind: 'token', accountId: 'acme' } as const;

  test.each(['token', 'secret-key'] as const)(
    'an issued %s is shown once and stored as its hash',
    async (kind) => {
      const issued = await issueCredential(
        accounts,
        pepper,
        { kind, accountId: 'acme', expiresAtMs: 5_000, name: 'CI' },
        now,
      );
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      const { text, credential } = issued;
      expect(credential).toEqual({
        kind,
        id: parseCredential(kind, text),
        accountId: 'acme',
        name: 'CI',
        createdAtMs: 1_000,
        expiresAtMs: 5_000,
      });
      expect(await accounts.listCredentials(kind, 'acme')).toEqual([credential]);
      const stored = await accounts.findCredential(credential);
      expect(credentialMatches(pepper, text, stored?.hash)).toBe(true);
    },
  );

  test('a credential names the one that it replaces', async () => {
    const issued = await issueCredential(accounts, pepper, { ...token, replacesId: '0a'.repeat(12) }, now);
    expect(issued).toMatchObject({ credential: { replacesId: '0a'.repeat(12) } });
  });

  test('no file contains the secret', async () => {
    const issued = await issueCredential(accounts, pepper, token, now);
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    const secret = issued.text.split('_')[2] ?? '';
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(files.some((content) => content.includes(issued.credential.id))).toBe(true);
    for (const content of files) {
      expect(content.includes(secret)).toBe(false);
      expect(content.includes(Buffer.from(secret, 'hex'))).toBe(false);
    }
  });

  test('no credential is issued to an unknown account or with an unprintable name', async () => {
    expect(await issueCredential(accounts, pepper, { ...token, accountId: 'nobody' }, now)).toEqual({
      kind: 'no_account',
    });
    expect(await issueCredential(accounts, pepper, { ...token, name: 'a\u001b[2J' }, now)).toEqual({
      kind: 'name_malformed',
    });
    expect(await accounts.listCredentials('token', 'acme')).toEqual([]);
  });
});

test.each([
  ['1s', 1_000],
  ['15m', 900_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['2w', 1_209_600_000],
  ['36500d', 3_153_600_000_000],
])('%s is %d ms', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each([
  ...[
    '',
    '0d',
    '00d',
    '01d',
    '-1d',
    '+1d',
    '1.5d',
    '1',
    'd',
    '1 d',
    ' 1d',
    '1d ',
    '1d\n',
    '1D',
    '1y',
    '1ms',
    '1d2h',
  ],
  ...['36501d', '9999999999w', '99999999999s', '1e3s', '0x1s', '١d', 'NaNd', 'Infinityd'],
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
