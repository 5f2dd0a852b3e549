import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { acme, attempt, importJobs, jobIds } from '../../testing/deletions.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { DeletionLimit } from '../safety-rules.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import type { Store } from '../store.ts';
import { jobsSchema } from './schema.ts';

const newPath = temporaryFolder();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.UTC(2026, 0, 1);

const guardOf = (limit: DeletionLimit) => ({ limit, allowances: [] });
const share = (percent: number) => guardOf({ kind: 'share', percent });
const most = (jobs: number) => guardOf({ kind: 'jobs', jobs });

describe('the count of deleted jobs in SQLite', () => {
  let path: string;
  let store: Store;
  let nowMs: number;
  let asked: number;

  beforeEach(() => {
    path = newPath();
    nowMs = startMs;
    asked = 0;
    store = openSqliteStore(path, { now: () => nowMs });
  });
  afterEach(() => store.close());

  /** Asks for the next jobs. */
  const ask = async (count: number, guard = share(100)) => {
    const ids = jobIds(count, asked);
    const outcome = await attempt(store, ids, { acceptedAtMs: nowMs, dueAtMs: nowMs, guard });
    if (outcome.kind === 'accepted') asked += count;
    return outcome.kind === 'limit-exceeded' ? [outcome.limit, outcome.used] : outcome.kind;
  };
  const limit = async (guard = share(100)) => (await store.readUsage(acme, guard)).limit;
  const quarters = () => {
    const database = openSqlite(path, jobsSchema);
    const rows = database.prepare('SELECT quarter_ms, jobs FROM deletion_usage ORDER BY 1').raw().all();
    database.close();
    return rows;
  };

  test('refuses by a share of a count that is less than a minute old, and counts again after that', async () => {
    await importJobs(store, acme, jobIds(2));
    expect(await ask(1)).toBe('accepted');
    await importJobs(store, acme, jobIds(8));
    nowMs += minuteMs - 1;
    expect(await ask(2)).toEqual([2, 1]);
    nowMs += 1;
    expect(await ask(2)).toBe('accepted');
    expect(await limit()).toBe(8);
  });

  test('counts again after an hour, and if the clock was set back', async () => {
    await importJobs(store, acme, jobIds(4));
    expect(await ask(1)).toBe('accepted');
    await importJobs(store, acme, jobIds(8));
    nowMs += hourMs - 1;
    expect(await ask(1)).toBe('accepted');
    expect(await limit()).toBe(4);
    nowMs += 1;
    expect(await ask(1)).toBe('accepted');
    expect(await limit()).toBe(8);
    await importJobs(store, acme, jobIds(10));
    nowMs -= 1;
    expect(await ask(1)).toBe('accepted');
    expect(await limit()).toBe(10);
  });

  test('tells no share before the jobs are counted', async () => {
    await importJobs(store, acme, jobIds(4));
    for (let each = 0; each < 2; each++) expect(await ask(1, most(4))).toBe('accepted');
    expect([await limit(), await limit(most(4))]).toEqual([undefined, 4]);
    expect(await ask(1)).toBe('accepted');
    expect(await limit()).toBe(4);
  });

  test('has a row for each quarter of an hour, and forgets those of a day ago', async () => {
    await importJobs(store, acme, jobIds(9));
    const [first, second] = [startMs, startMs + hourMs / 4];
    for (const [atMs, jobs] of [
      [first, 1],
      [second, 2],
      [second + 1, 1],
    ] as const) {
      nowMs = atMs;
      expect(await ask(jobs, most(9))).toBe('accepted');
    }
    expect(quarters()).toEqual([
      [first, 1],
      [second, 3],
    ]);
    nowMs = second + 24 * hourMs;
    expect(await ask(1, most(4))).toBe('accepted');
    expect(quarters()).toEqual([
      [second, 3],
      [nowMs, 1],
    ]);
  });

  test('stores nothing for a request that is refused', async () => {
    await importJobs(store, acme, jobIds(1));
    expect(await ask(1, most(0))).toEqual([0, 0]);
    expect(quarters()).toEqual([]);
  });
});
