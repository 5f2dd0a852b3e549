import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import {
  type RefusalRecorder,
  type RefusalCounts,
  startRefusalRecorder,
  type RefusedRequests,
} from './refusal-recorder.ts';
import { type SqliteAccounts, openSqliteAccounts } from './sqlite/sqlite-accounts.ts';

const dayMs = 86_400_000;

let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let sleeps: { readonly ms: number; readonly wake: () => void }[];
let errors: unknown[];
let dropped: number;
let unlisted: number;
/** Replaces addRefusals. */
let write: RefusalCounts['addRefusals'];
/** Replaces addRefusedRequests. */
let writeRequests: RefusedRequests['addRefusedRequests'];
let recorder: RefusalRecorder;
let nextId: number;

/** Sleeps until the test wakes it, or until it is aborted. */
const clock = {
  now: () => nowMs,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake) => {
      if (signal?.aborted === true) wake();
      signal?.addEventListener('abort', () => wake());
      sleeps.push({ ms, wake });
    }),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
  await accounts.addAccount({ id: 'other', createdAtMs: 1 });
  nowMs = Date.UTC(2026, 0, 31, 12);
  sleeps = [];
  errors = [];
  dropped = 0;
  unlisted = 0;
  nextId = 0;
  write = accounts.addRefusals;
  writeRequests = accounts.addRefusedRequests;
  recorder = startRefusalRecorder({
    accounts: {
      ...accounts,
      addRefusals: (counts) => write(counts),
      addRefusedRequests: (requests) => writeRequests(requests),
    },
    clock,
    onError: (error) => errors.push(error),
    onDropped: (refusals) => (dropped += refusals),
    onUnlisted: (requests) => (unlisted += requests),
  });
});
afterEach(async () => {
  await recorder.stop();
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

function refuse(accountId: string, code: string, status = 404): void {
  const id = String(nextId++).padStart(6, '0');
  recorder.record({ id, accountId, code, status, environment: 'live', tokenId: 'token' });
}

/** Ends the wait of 10 s, and resolves when the flush has ended. */
async function flush(): Promise<void> {
  const [sleep] = sleeps.splice(0);
  if (sleep === undefined) throw new Error('the recorder is not waiting');
  expect(sleep.ms).toBe(10_000);
  nowMs += sleep.ms;
  sleep.wake();
  while (sleeps.length === 0) await new Promise(setImmediate);
}

const stored = (accountId = 'acme') => accounts.listRefusals(accountId, '2025-01-01');
const acme = { accountId: 'acme', day: '2026-01-31' };

test('refusals are stored by account and code at the next flush', async () => {
  refuse('acme', 'job_not_found');
  refuse('acme', 'too_many_requests');
  refuse('acme', 'job_not_found');
  refuse('other', 'job_not_found');
  expect(await stored()).toEqual([]);
  await flush();
  expect(await stored()).toEqual([
    { ...acme, code: 'job_not_found', count: 2 },
    { ...acme, code: 'too_many_requests', count: 1 },
  ]);
  expect(await stored('other')).toEqual([
    { accountId: 'other', day: '2026-01-31', code: 'job_not_found', count: 1 },
  ]);
});

test('refused requests to the sandbox are counted apart', async () => {
  const request = { accountId: 'acme', code: 'job_not_found', status: 404, tokenId: 'token' } as const;
  for (const [id, environment] of ['sandbox', 'live', 'sandbox'].entries())
    recorder.record({ ...request, id: String(id), environment: environment as 'live' | 'sandbox' });
  await flush();
  recorder.record({ ...request, id: 'last', environment: 'sandbox' });
  await flush();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 1, sandboxCount: 3 }]);
});

test('each flush adds what was counted since the last one', async () => {
  refuse('acme', 'job_not_found');
  await flush();
  await flush();
  refuse('acme', 'job_not_found');
  await flush();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 2 }]);
});

test('a refusal counts on the UTC day of the request', async () => {
  nowMs = Date.UTC(2026, 1, 1) - 1;
  refuse('acme', 'job_not_found');
  nowMs += 1;
  refuse('acme', 'job_not_found');
  await flush();
  expect((await stored()).map(({ day, count }) => [day, count])).toEqual([
    ['2026-01-31', 1],
    ['2026-02-01', 1],
  ]);
});

test('a failed flush keeps its counts for the next one', async () => {
  write = () => Promise.reject(new Fault('unavailable', 'away'));
  refuse('acme', 'job_not_found');
  await flush();
  refuse('acme', 'job_not_found');
  await flush();
  expect(errors).toHaveLength(2);
  write = accounts.addRefusals;
  await flush();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 2 }]);
});

test('a flush that fails in the middle stores no count twice', async () => {
  const written: number[] = [];
  const fails = [false, true];
  write = (counts) => {
    if (fails.shift() === true) return Promise.reject(new Fault('unavailable', 'away'));
    written.push(...counts.map(({ count }) => count));
    return Promise.resolve();
  };
  for (let account = 0; account < 2_500; account++) refuse(`account${account}`, 'job_not_found');
  await flush();
  expect(written).toHaveLength(1_000);
  await flush();
  expect(written).toEqual(Array.from({ length: 2_500 }, () => 1));
});

test('the stop stores what was counted since the last flush', async () => {
  refuse('acme', 'job_not_found');
  await recorder.stop();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 1 }]);
});

test('the stop waits 2 s for a database that does not answer', async () => {
  let answer: () => void = () => undefined;
  write = () => new Promise((resolve) => (answer = resolve));
  refuse('acme', 'job_not_found');
  sleeps.length = 0;
  const stopped = recorder.stop();
  expect(sleeps.map(({ ms }) => ms)).toEqual([2_000]);
  sleeps[0]?.wake();
  await stopped;
  answer();
});

test('at most 10,000 pairs are in memory, and the others are reported', async () => {
  const written: number[] = [];
  write = (counts) => {
    written.push(...counts.map(({ count }) => count));
    return Promise.resolve();
  };
  for (let account = 0; account < 10_002; account++) refuse(`account${account}`, 'job_not_found');
  refuse('account0', 'job_not_found');
  expect(dropped).toBe(2);
  await flush();
  expect(written).toHaveLength(10_000);
  expect(written[0]).toBe(2);
});

test('counts older than 40 days are removed once a day', async () => {
  const days = ['2025-12-21', '2025-12-22', '2026-01-01'];
  await accounts.addRefusals(days.map((day) => ({ ...acme, day, code: 'job_not_found', count: 1 })));
  const daysLeft = async () => (await stored()).map(({ day }) => day);
  await flush();
  expect(await daysLeft()).toEqual(['2025-12-22', '2026-01-01']);
  await accounts.addRefusals([{ ...acme, day: '2025-12-01', code: 'job_not_found', count: 1 }]);
  await flush();
  expect(await daysLeft()).toHaveLength(3);
  nowMs += dayMs;
  await flush();
  expect(await daysLeft()).toEqual(['2026-01-01']);
});

const listed = async (accountId = 'acme') =>
  (await accounts.listRefusedRequests({ accountId, fromMs: 0, pageSize: 2_000 })).map(({ id }) => Number(id));
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => last - index);

test('the flush stores the refused requests, and faults of the service are only counted', async () => {
  refuse('acme', 'unavailable', 503);
  refuse('acme', 'job_not_found');
  await flush();
  expect(await listed()).toEqual([1]);
  expect((await stored()).map(({ code }) => code)).toEqual(['job_not_found', 'unavailable']);
});

test('the flood of an account costs 20 requests of each flush, and no request of another account', async () => {
  const writes: number[] = [];
  writeRequests = async (requests) => {
    writes.push(requests.length);
    await accounts.addRefusedRequests(requests);
  };
  refuse('other', 'job_not_found');
  for (let request = 0; request < 100_000; request++) refuse('acme', 'job_not_found');
  refuse('other', 'job_not_found');
  await flush();
  expect(writes).toEqual([22]);
  expect(await listed()).toEqual(range(99_981, 100_000));
  expect(await listed('other')).toEqual([100_001, 0]);
  expect(unlisted).toBe(99_980);
});

test('a database that is away keeps the memory bounded, and gets the newest requests when it is back', async () => {
  writeRequests = () => Promise.reject(new Fault('unknown-outcome', 'away'));
  for (let flushes = 0; flushes < 5; flushes++) {
    for (let request = 0; request < 15; request++) refuse('acme', 'job_not_found');
    refuse('other', 'job_not_found');
    await flush();
  }
  expect(errors).toHaveLength(5);
  expect(unlisted).toBe(75 - 20);
  writeRequests = accounts.addRefusedRequests;
  await flush();
  // 15 of the last flush, and the last 5 of the one before it.
  expect(await listed()).toEqual([...range(64, 78), ...range(58, 62)]);
  expect(await listed('other')).toEqual([79, 63, 47, 31, 15]);
});

test('at most 500 accounts have requests in memory, written for 50 accounts at a time', async () => {
  const writes: number[] = [];
  writeRequests = (requests) => {
    writes.push(requests.length);
    return Promise.resolve();
  };
  for (let account = 0; account < 502; account++) refuse(`account${account}`, 'job_not_found');
  expect(unlisted).toBe(2);
  await flush();
  expect(writes).toEqual(Array.from({ length: 10 }, () => 50));
});

test('refused requests older than 7 days are removed, however many they are', async () => {
  const accountIds = ['acme', 'other', 'third'];
  await accounts.addAccount({ id: 'third', createdAtMs: 1 });
  const request = { environment: 'live', status: 404, code: 'job_not_found', tokenId: 'token' } as const;
  const at = (accountId: string, atMs: number, count: number) =>
    Array.from({ length: count }, () => ({ ...request, accountId, atMs, id: String(nextId++) }));
  for (const accountId of accountIds)
    await accounts.addRefusedRequests(at(accountId, nowMs - 7 * dayMs, 800));
  await accounts.addRefusedRequests(at('acme', nowMs - 6 * dayMs, 1));
  await flush();
  expect(await Promise.all(accountIds.map(listed))).toEqual([[2_400], [], []]);
});

test('the stop stores the requests refused since the last flush', async () => {
  refuse('acme', 'job_not_found');
  await recorder.stop();
  expect(await listed()).toEqual([0]);
});
