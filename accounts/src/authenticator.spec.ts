import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CredentialKind } from './accounts.ts';
import { type Authenticator, type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';
import {
  type CredentialRequest,
  hashCredential,
  issueCredential,
  newCredentialText,
} from './credentials/credential.ts';
import { type SqliteAccounts, openSqliteAccounts } from './sqlite/sqlite-accounts.ts';

const pepper = createSecretKey('p'.repeat(32), 'utf8');
const accountIds = ['acme', 'beta'];
let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let reads: string[];
let errors: unknown[];
let authenticator: Authenticator;

const now = () => nowMs;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'authenticate-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  nowMs = 1_000_000;
  reads = [];
  errors = [];
  for (const id of accountIds) await accounts.addAccount({ id, createdAtMs: 1 });
  authenticator = newAuthenticator();
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Over the real store, counting what it is asked. */
function newAuthenticator(
  options: Pick<AuthenticatorOptions, 'cacheMs' | 'onCredentialRead'> = {},
): Authenticator {
  return createAuthenticator({
    ...options,
    pepper,
    now,
    onError: (error) => errors.push(error),
    accounts: {
      ...accounts,
      loadAccess: (id) => (reads.push(id), accounts.loadAccess(id)),
      findCredential: (credential) => (reads.push(credential.id), accounts.findCredential(credential)),
    },
  });
}

async function issue(kind: CredentialKind, accountId = 'acme', fields: Partial<CredentialRequest> = {}) {
  const issued = await issueCredential(accounts, pepper, { kind, accountId, ...fields }, now);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { ...issued.credential, text: issued.text };
}

const withLastChanged = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

describe('a token', () => {
  test('gives its account and the allowed domains', async () => {
    const token = await issue('token');
    await accounts.allowDomain('acme', 'example.com');
    await accounts.allowDomain('beta', 'beta.example');
    expect(await authenticator.authenticateToken(token.text)).toEqual({
      accountId: 'acme',
      tokenId: token.id,
      allowedDomains: ['example.com'],
    });
  });

  test.each([
    ['unknown', () => newCredentialText('token').text],
    ['of a wrong secret', withLastChanged],
    ['without its secret', (text: string) => text.slice(0, 29)],
    ['in upper case', (text: string) => text.toUpperCase()],
    [
      'with its secret of another token',
      (text: string) => text.slice(0, 29) + newCredentialText('token').text.slice(29),
    ],
    ['turned into a secret key', (text: string) => text.replace('jdt', 'jds')],
    ['with more behind it', (text: string) => `${text} `],
    ['empty', () => ''],
  ])('that is %s is invalid, before and after the valid one was read', async (_, spoil) => {
    const { text } = await issue('token');
    expect(await authenticator.authenticateToken(spoil(text))).toBe('token_invalid');
    expect(await authenticator.authenticateToken(text)).toMatchObject({ accountId: 'acme' });
    expect(await authenticator.authenticateToken(spoil(text))).toBe('token_invalid');
  });

  test('that is a valid secret key is invalid', async () => {
    expect(await authenticator.authenticateToken((await issue('secret-key')).text)).toBe('token_invalid');
  });

  test.each([undefined, 'a pepper elsewhere'])(
    'hashed under another pepper is never valid (%s)',
    async (pepperId) => {
      const { id, text } = newCredentialText('token');
      const hash = hashCredential(pepper, text);
      const stored = { kind: 'token', id, accountId: 'acme', createdAtMs: 1, hash } as const;
      await accounts.addCredential({ ...stored, ...(pepperId !== undefined && { pepperId }) });
      const elsewhere = createAuthenticator({
        accounts,
        pepper: createSecretKey('q'.repeat(32), 'utf8'),
        now,
        onError: (error) => errors.push(error),
      });
      const outcome = elsewhere.authenticateToken(text);
      // Without a pepper id the hash can only be wrong. With one, this process cannot know.
      if (pepperId === undefined) expect(await outcome).toBe('token_invalid');
      else await expect(outcome).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
    },
  );
});

test('credentials for the sandbox are valid there only, and a live request with one is recorded as refused', async () => {
  const only = { environment: 'sandbox' } as const;
  const [token, secretKey] = [await issue('token', 'acme', only), await issue('secret-key', 'acme', only)];
  for (const round of ['cold', 'warm']) {
    expect([round, await authenticator.authenticateToken(token.text)]).toEqual([round, 'sandbox_only']);
    expect(await authenticator.verifySecretKey('acme', secretKey.text)).toBe('sandbox_only');
    expect(await authenticator.authenticateToken(token.text, only)).toMatchObject({ tokenId: token.id });
    expect(await authenticator.verifySecretKey('acme', secretKey.text, only)).toEqual({
      secretKeyId: secretKey.id,
    });
  }
  // Only their holder may know what they are for.
  expect(await authenticator.authenticateToken(withLastChanged(token.text))).toBe('token_invalid');
  expect(await authenticator.verifySecretKey('acme', withLastChanged(secretKey.text))).toBe(
    'secret_key_invalid',
  );
  expect(await authenticator.verifySecretKey('beta', secretKey.text)).toBe('secret_key_invalid');
  for (const { kind, id } of [token, secretKey])
    expect(await accounts.findCredential({ kind, id })).toMatchObject({ lastRefusedAtMs: nowMs });
});

describe('a secret key', () => {
  test('is valid for its own account only, in any order of checks', async () => {
    const keys = new Map<string, string>();
    for (const id of accountIds) keys.set(id, (await issue('secret-key', id)).text);
    for (const round of ['cold', 'warm']) {
      for (const asked of accountIds) {
        for (const [owner, text] of keys) {
          const verdict = await authenticator.verifySecretKey(asked, text);
          if (asked === owner) expect(verdict).toEqual({ secretKeyId: text.split('_')[1] });
          else expect([round, verdict]).toEqual([round, 'secret_key_invalid']);
        }
      }
    }
  });

  test('that is wrong, unknown, malformed or a token is invalid', async () => {
    const { text } = await issue('secret-key');
    const token = await issue('token');
    for (const bad of [
      withLastChanged(text),
      newCredentialText('secret-key').text,
      'no key',
      '',
      token.text,
    ]) {
      expect(await authenticator.verifySecretKey('acme', bad)).toBe('secret_key_invalid');
    }
  });

  test('each of several is valid', async () => {
    const [old, current] = [await issue('secret-key'), await issue('secret-key')];
    await accounts.revokeCredential('acme', old, nowMs);
    expect(await authenticator.verifySecretKey('acme', old.text)).toBe('secret_key_invalid');
    expect(await authenticator.verifySecretKey('acme', current.text)).toEqual({ secretKeyId: current.id });
  });
});

describe.each([
  ['token', (text: string) => authenticator.authenticateToken(text)],
  ['secret-key', (text: string) => authenticator.verifySecretKey('acme', text)],
] as const)('a %s', (kind, check) => {
  const good = expect.any(Object);
  const bad = kind === 'token' ? 'token_invalid' : 'secret_key_invalid';

  test('is valid until the exact millisecond it expires, also from the cache', async () => {
    const { text } = await issue(kind, 'acme', { expiresAtMs: nowMs + 1_000 });
    expect(await check(text)).toEqual(good);
    nowMs += 999;
    expect(await check(text)).toEqual(good);
    nowMs += 1;
    expect(await check(text)).toBe(bad);
    expect(reads).toHaveLength(1);
  });

  test('that is revoked becomes invalid within 5 s, even if it is checked often', async () => {
    const credential = await issue(kind);
    expect(await check(credential.text)).toEqual(good);
    await accounts.revokeCredential('acme', credential, nowMs);
    for (let ms = 0; ms < 5_000; ms += 500) {
      nowMs += 500;
      await check(credential.text);
    }
    expect(await check(credential.text)).toBe(bad);
  });

  test('that is revoked becomes invalid within 5 s, even with a longer cache time', async () => {
    authenticator = newAuthenticator({ cacheMs: 60_000 });
    const credential = await issue(kind);
    await check(credential.text);
    await accounts.revokeCredential('acme', credential, nowMs);
    nowMs += 5_000;
    expect(await check(credential.text)).toBe(bad);
  });

  test('that is paused is invalid within 5 s, and valid within 5 s of its end', async () => {
    const credential = await issue(kind);
    for (const pausedAtMs of [nowMs, null]) {
      expect(await check(credential.text)).toEqual(pausedAtMs === null ? bad : good);
      await accounts.changeCredential('acme', credential, { pausedAtMs });
      nowMs += 5_000;
    }
    expect(await check(credential.text)).toEqual(good);
  });

  test('is valid as soon as it is issued, even if its id was guessed before', async () => {
    const credential = await issue(kind);
    await check(withLastChanged(credential.text));
    expect(await check(credential.text)).toEqual(good);
  });

  test('is read once for concurrent requests and for those soon after', async () => {
    const { text } = await issue(kind);
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => check(text)));
    expect(verdicts).toEqual(verdicts.map(() => good));
    nowMs += 4_999;
    await check(text);
    expect(reads).toHaveLength(1);
  });

  test('stays cached through a flood of unknown ones', async () => {
    const { text, id } = await issue(kind);
    await check(text);
    await Promise.all(Array.from({ length: 10_001 }, () => check(newCredentialText(kind).text)));
    await check(text);
    expect(reads.filter((read) => read === id)).toHaveLength(1);
  });

  test('is told with each read, and whether memory answered it', async () => {
    const told: [CredentialKind, boolean][] = [];
    authenticator = newAuthenticator({ onCredentialRead: (...read) => told.push(read) });
    const { text } = await issue(kind);
    await check(text);
    await check(text);
    expect(told).toEqual([
      [kind, false],
      [kind, true],
    ]);
  });

  test('that is malformed is not looked up', async () => {
    for (const text of ['', 'Bearer', `${newCredentialText(kind).text}0`, 'x'.repeat(10_000)])
      await check(text);
    // `toEqual([])` accepts a read of `undefined`.
    expect(reads).toHaveLength(0);
  });

  test('that cannot be read is neither valid nor invalid, and is read again', async () => {
    const { text } = await issue(kind);
    const whole = accounts;
    accounts = openSqliteAccounts(join(folder, 'closed.db'));
    await accounts.close();
    await expect(check(text)).rejects.toMatchObject({ name: 'Fault', code: 'unavailable' });
    accounts = whole;
    expect(await check(text)).toEqual(good);
  });
});

test('a removed domain is refused within 5 s', async () => {
  const { text } = await issue('token');
  await accounts.allowDomain('acme', 'example.com');
  expect(await authenticator.authenticateToken(text)).toMatchObject({ allowedDomains: ['example.com'] });
  await accounts.removeDomain('acme', 'example.com');
  nowMs += 5_000;
  expect(await authenticator.authenticateToken(text)).toMatchObject({ allowedDomains: [] });
});

test('the token of a disabled account is refused until the account is enabled', async () => {
  const { text } = await issue('token');
  const fresh = newAuthenticator({ cacheMs: 0 });
  await accounts.changeAccount('acme', { disabledAtMs: nowMs });
  expect(await fresh.authenticateToken(text)).toBe('token_invalid');
  await accounts.changeAccount('acme', { disabledAtMs: null });
  expect(await fresh.authenticateToken(text)).toMatchObject({ accountId: 'acme' });
});
