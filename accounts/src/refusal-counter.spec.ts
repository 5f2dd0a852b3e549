import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { type RefusalCounter, type RefusalCounts, startRefusalCounter } from './refusal-counter.ts';
import { type SqliteAccounts, openSqliteAccounts } from './sqlite/sqlite-accounts.ts';

const dayMs = 86_400_000;

let folder: string;
let accounts: SqliteAccounts;
let nowMs: number;
let sleeps: { readonly ms: number; readonly wake: () => void }[];
let errors: unknown[];
let dropped: number;
/** Replaces addRefusals. */
let write: RefusalCounts['addRefusals'];
let counter: RefusalCounter;

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
  write = accounts.addRefusals;
  counter = startRefusalCounter({
    counts: { addRefusals: (counts) => write(counts), expireRefusals: accounts.expireRefusals },
    clock,
    onError: (error) => errors.push(error),
    onDropped: (refusals) => (dropped += refusals),
  });
});
afterEach(async () => {
  await counter.stop();
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Ends the wait of 10 s, and resolves when the flush has ended. */
async function flush(): Promise<void> {
  const [sleep] = sleeps.splice(0);
  if (sleep === undefined) throw new Error('the counter is not waiting');
  expect(sleep.ms).toBe(10_000);
  nowMs += sleep.ms;
  sleep.wake();
  while (sleeps.length === 0) await new Promise(setImmediate);
}

const stored = (accountId = 'acme') => accounts.listRefusals(accountId, '2025-01-01');
const acme = { accountId: 'acme', day: '2026-01-31' };

test('refusals are stored by account and code at the next flush', async () => {
  counter.count('acme', 'job_not_found');
  counter.count('acme', 'too_many_requests');
  counter.count('acme', 'job_not_found');
  counter.count('other', 'job_not_found');
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

test('each flush adds what was counted since the last one', async () => {
  counter.count('acme', 'job_not_found');
  await flush();
  await flush();
  counter.count('acme', 'job_not_found');
  await flush();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 2 }]);
});

test('a refusal counts on the UTC day of the request', async () => {
  nowMs = Date.UTC(2026, 1, 1) - 1;
  counter.count('acme', 'job_not_found');
  nowMs += 1;
  counter.count('acme', 'job_not_found');
  await flush();
  expect((await stored()).map(({ day, count }) => [day, count])).toEqual([
    ['2026-01-31', 1],
    ['2026-02-01', 1],
  ]);
});

test('a failed flush keeps its counts for the next one', async () => {
  write = () => Promise.reject(new Fault('unavailable', 'away'));
  counter.count('acme', 'job_not_found');
  await flush();
  counter.count('acme', 'job_not_found');
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
  for (let account = 0; account < 2_500; account++) counter.count(`account${account}`, 'job_not_found');
  await flush();
  expect(written).toHaveLength(1_000);
  await flush();
  expect(written).toEqual(Array.from({ length: 2_500 }, () => 1));
});

test('the stop stores what was counted since the last flush', async () => {
  counter.count('acme', 'job_not_found');
  await counter.stop();
  expect(await stored()).toEqual([{ ...acme, code: 'job_not_found', count: 1 }]);
});

test('the stop waits 2 s for a database that does not answer', async () => {
  let answer: () => void = () => undefined;
  write = () => new Promise((resolve) => (answer = resolve));
  counter.count('acme', 'job_not_found');
  sleeps.length = 0;
  const stopped = counter.stop();
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
  for (let account = 0; account < 10_002; account++) counter.count(`account${account}`, 'job_not_found');
  counter.count('account0', 'job_not_found');
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
