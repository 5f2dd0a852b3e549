import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CredentialKind, CredentialRef } from './accounts.ts';
import {
  type Authenticator,
  createAuthenticator,
  createUseRecorder,
  credentialKey,
} from './authenticator.ts';
import { issueCredential, newCredentialText } from './credentials/credential.ts';
import { openSqliteAccounts, type SqliteAccounts } from './sqlite/sqlite-accounts.ts';

let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let writes: string[];
let errors: unknown[];
let refusals: CredentialRef[];
let authenticator: Authenticator;
let record: (credentials: readonly CredentialRef[]) => void;

const pepper = createSecretKey('p'.repeat(32), 'utf8');
const now = () => nowMs;
const token: CredentialRef = { kind: 'token', id: 'one' };
const secretKey: CredentialRef = { kind: 'secret-key', id: 'one' };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'uses-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  for (const id of ['acme', 'beta']) await accounts.addAccount({ id, createdAtMs: 1 });
  for (const each of [token, secretKey]) {
    await accounts.addCredential({ ...each, accountId: 'acme', createdAtMs: 1, hash: Buffer.alloc(32) });
  }
  nowMs = 1_000_000;
  writes = [];
  errors = [];
  refusals = [];
  record = createUseRecorder({
    keyOf: credentialKey,
    now,
    onError: (error) => errors.push(error),
    write: (credentials, atMs) => {
      writes.push(...credentials.map(({ kind }) => `${kind} at ${atMs}`));
      return accounts.recordUse(credentials, atMs);
    },
  });
  authenticator = createAuthenticator({
    pepper,
    now,
    onError: (error) => errors.push(error),
    accounts: {
      ...accounts,
      recordRefusal: (credentials, atMs) => {
        refusals.push(...credentials);
        return accounts.recordRefusal(credentials, atMs);
      },
    },
  });
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves after the write that has begun. */
const written = () => new Promise(setImmediate);

const lastUse = async (credential: CredentialRef) =>
  (await accounts.findCredential(credential))?.lastUsedAtMs;

async function issue(kind: CredentialKind, accountId = 'acme') {
  const issued = await issueCredential(accounts, pepper, { kind, accountId }, now);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { ...issued.credential, text: issued.text };
}

test('the first use is written for both credentials', async () => {
  record([token, secretKey]);
  expect(await lastUse(token)).toBe(1_000_000);
  expect(await lastUse(secretKey)).toBe(1_000_000);
});

test('each credential is written at most once a minute', async () => {
  const recordAfter = async (ms: number, credentials: readonly CredentialRef[]) => {
    nowMs += ms;
    record(credentials);
    await written();
  };
  await recordAfter(0, [token, secretKey]);
  await recordAfter(30_000, [token, { kind: 'secret-key', id: 'another' }]);
  await recordAfter(29_999, [token, secretKey]);
  await recordAfter(1, [token, secretKey]);
  expect(writes).toEqual([
    'token at 1000000',
    'secret-key at 1000000',
    'secret-key at 1030000',
    'token at 1060000',
    'secret-key at 1060000',
  ]);
  expect(await lastUse(token)).toBe(1_060_000);
});

test('uses that come during a write share the next one, with the time of the earliest', async () => {
  const [writing, done] = [[] as string[], [] as (() => void)[]];
  const recordSlowly = createUseRecorder<CredentialRef>({
    keyOf: credentialKey,
    now,
    onError: (error) => errors.push(error),
    write: (credentials, atMs) => {
      writing.push(`${credentials.map(({ id }) => id).join(' ')} at ${String(atMs)}`);
      return new Promise((resolve) => done.push(resolve));
    },
  });
  // The latest use of b comes more than a minute after its first, which is still to be written.
  for (const id of ['a', 'b', 'c', 'b']) {
    recordSlowly([{ kind: 'token', id }]);
    nowMs += 30_000;
  }
  expect(writing).toEqual(['a at 1000000']);
  nowMs += 3_600_000;
  done[0]?.();
  await written();
  expect(writing).toEqual(['a at 1000000', 'b c at 1060000']);
});

test('a write has at most 200 uses', async () => {
  const sizes: number[] = [];
  const recordMany = createUseRecorder<CredentialRef>({
    keyOf: credentialKey,
    now,
    onError: (error) => errors.push(error),
    write: (credentials) => {
      sizes.push(credentials.length);
      return Promise.resolve();
    },
  });
  recordMany(Array.from({ length: 401 }, (_, index) => ({ kind: 'token', id: String(index) })));
  await written();
  expect(sizes).toEqual([200, 200, 1]);
});

test('a write that throws at once is an error like any other, and the next use is written', () => {
  let writes = 0;
  const recordBadly = createUseRecorder<CredentialRef>({
    keyOf: credentialKey,
    now,
    onError: (error) => errors.push(error),
    write: () => {
      writes += 1;
      throw new Error('not connected');
    },
  });
  for (const id of ['a', 'b']) recordBadly([{ kind: 'token', id }]);
  expect({ writes, errors }).toEqual({
    writes: 2,
    errors: [new Error('not connected'), new Error('not connected')],
  });
});

test('steady use is written once a minute', async () => {
  for (let second = 0; second < 300; second++) {
    record([token]);
    await written();
    nowMs += 1_000;
  }
  expect(writes).toHaveLength(5);
});

test('a clock that is set back does not stop the writes', async () => {
  for (const ms of [0, -3_600_000, 0, 60_000]) {
    nowMs += ms;
    record([token]);
    await written();
  }
  expect(writes).toHaveLength(3);
});

test('a failing store calls onError once a minute, and never affects the caller', async () => {
  await accounts.close();
  record([token]);
  record([token]);
  await written();
  expect(errors).toEqual([expect.objectContaining({ name: 'Fault' })]);
  expect(writes).toHaveLength(1);
});

test('only recordUse records a use, of both credentials and the domain, and it never throws', async () => {
  const [issued, key] = [await issue('token'), await issue('secret-key')];
  const use = { accountId: 'acme', tokenId: issued.id, secretKeyId: key.id, domain: 'example.com' };
  await accounts.allowDomain('acme', use.domain);
  await authenticator.authenticateToken(issued.text);
  await authenticator.verifySecretKey('acme', key.text);
  expect(await lastUse(issued)).toBeUndefined();
  authenticator.recordUse(use);
  expect(await lastUse(issued)).toBe(nowMs);
  expect(await lastUse(key)).toBe(nowMs);
  expect(await accounts.listDomainUses('acme')).toEqual([{ domain: use.domain, lastUsedAtMs: nowMs }]);
  await accounts.close();
  nowMs += 60_000;
  authenticator.recordUse(use);
  await new Promise(setImmediate);
  expect(errors).toMatchObject([{ name: 'Fault' }, { name: 'Fault' }]);
});

test('within a minute, the use of each domain of each account is recorded', async () => {
  for (const [accountId, domain] of [
    ['acme', 'a.example'],
    ['acme', 'b.example'],
    ['beta', 'a.example'],
  ] as const) {
    await accounts.allowDomain(accountId, domain);
    authenticator.recordUse({ accountId, tokenId: 'one', secretKeyId: 'one', domain });
    await written();
  }
  const [a, b] = ['a.example', 'b.example'].map((domain) => ({ domain, lastUsedAtMs: nowMs }));
  expect(await accounts.listDomainUses('acme')).toEqual([a, b]);
  expect(await accounts.listDomainUses('beta')).toEqual([a]);
});

test('a refusal before the secret key is known is recorded for the token alone', async () => {
  authenticator.recordRefusal('one');
  expect(refusals).toEqual([token]);
  expect(await accounts.findCredential(token)).toMatchObject({ lastRefusedAtMs: nowMs });
});

test('a refusal is recorded for the credentials that exist, and is no use', async () => {
  const [issued, key] = [await issue('token'), await issue('secret-key', 'beta')];
  const timesOf = async (credential: CredentialRef) => {
    const { lastUsedAtMs, lastRefusedAtMs } = (await accounts.findCredential(credential)) ?? {};
    return [lastUsedAtMs, lastRefusedAtMs];
  };
  expect(await authenticator.authenticateToken(newCredentialText('token').text)).toBe('token_invalid');
  expect(await timesOf(issued)).toEqual([undefined, undefined]);
  const wrong = `${issued.text.slice(0, -8)}00000000`;
  const options = { environment: 'sandbox' } as const;
  expect(await authenticator.authenticateToken(wrong, options)).toBe('token_invalid');
  expect(await authenticator.verifySecretKey('acme', key.text, options)).toBe('secret_key_invalid');
  expect([await timesOf(issued), await timesOf(key)]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(await authenticator.authenticateToken(wrong)).toBe('token_invalid');
  expect(await timesOf(issued)).toEqual([undefined, nowMs]);
  expect(await authenticator.verifySecretKey('acme', key.text)).toBe('secret_key_invalid');
  expect(await timesOf(key)).toEqual([undefined, nowMs]);
  nowMs += 60_000;
  authenticator.recordRefusal(issued.id, key.id);
  expect([await timesOf(issued), await timesOf(key)]).toEqual([
    [undefined, nowMs],
    [undefined, nowMs],
  ]);
});
