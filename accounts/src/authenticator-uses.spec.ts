import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CredentialRef } from './accounts.ts';
import { createUseRecorder, credentialKey } from './authenticator.ts';
import { openSqliteAccounts, type SqliteAccounts } from './sqlite/sqlite-accounts.ts';

let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let writes: string[];
let errors: unknown[];
let record: (credentials: readonly CredentialRef[]) => void;

const token: CredentialRef = { kind: 'token', id: 'one' };
const secretKey: CredentialRef = { kind: 'secret-key', id: 'one' };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'uses-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
  for (const each of [token, secretKey]) {
    await accounts.addCredential({ ...each, accountId: 'acme', createdAtMs: 1, hash: Buffer.alloc(32) });
  }
  nowMs = 1_000_000;
  writes = [];
  errors = [];
  record = createUseRecorder({
    keyOf: credentialKey,
    now: () => nowMs,
    onError: (error) => errors.push(error),
    write: (credentials, atMs) => {
      writes.push(...credentials.map(({ kind }) => `${kind} at ${atMs}`));
      return accounts.recordUse(credentials, atMs);
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
    now: () => nowMs,
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

test('a write that throws at once is an error like any other, and the next use is written', () => {
  let writes = 0;
  const recordBadly = createUseRecorder<CredentialRef>({
    keyOf: credentialKey,
    now: () => nowMs,
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
