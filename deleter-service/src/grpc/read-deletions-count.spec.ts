import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { dayLengthMs } from '../deletion/count-by-day.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, origin, partsOf, removeAndRecord } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { serveReads } from './serve-reads.fixture.ts';
import type { TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();
const firstDayMs = Date.UTC(2026, 1, 27);
const dayMs = (day: number) => firstDayMs + day * dayLengthMs;

describe('CountDeletions', () => {
  let store: Store;
  let stop: () => Promise<void>;
  let client: TestClient;

  beforeAll(async () => {
    store = openStore(newPath());
    ({ client, stop } = await serveReads(store));
    await importJobs(store, acme, jobIds(10));
    const completed = await accept(store, jobIds(3), { acceptedAtMs: dayMs(0) + 1 });
    await removeAndRecord(store, partsOf(completed), dayMs(1));
    await accept(store, jobIds(2, 3), { acceptedAtMs: dayMs(2) });
  });
  afterAll(() => stop());

  test('returns every UTC day of the range, also without deletions', async () => {
    const { days } = await client.countDeletions({ accountId: acme, fromMs: dayMs(0), toMs: dayMs(2) + 1 });
    expect(days).toEqual([
      {
        dayMs: dayMs(0),
        deletions: 1,
        jobsAccepted: 3,
        jobsRemoved: 3,
        states: [{ state: 'DELETION_STATE_COMPLETED', deletions: 1, jobs: 3 }],
      },
      { dayMs: dayMs(1), deletions: 0, jobsAccepted: 0, jobsRemoved: 0, states: [] },
      {
        dayMs: dayMs(2),
        deletions: 1,
        jobsAccepted: 2,
        jobsRemoved: 0,
        states: [{ state: 'DELETION_STATE_ACCEPTED', deletions: 1, jobs: 2 }],
      },
    ]);
  });

  test('a range within a day returns this day, with the deletions of the range', async () => {
    const { days } = await client.countDeletions({
      accountId: acme,
      fromMs: dayMs(0) + 2,
      toMs: dayMs(0) + 3,
    });
    expect(days).toEqual([{ dayMs: dayMs(0), deletions: 0, jobsAccepted: 0, jobsRemoved: 0, states: [] }]);
  });

  test('counts the deletions of one token', async () => {
    const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(1) };
    const deletionsOf = async (tokenId: string) =>
      (await client.countDeletions({ ...range, tokenId })).days.map(({ deletions }) => deletions);
    expect(await deletionsOf(origin.tokenId)).toEqual([1]);
    expect(await deletionsOf('unknown')).toEqual([0]);
  });

  test('says how long deletions are kept', async () => {
    const range = { accountId: acme, fromMs: dayMs(0), toMs: dayMs(1) };
    expect(await client.countDeletions(range)).toMatchObject({ retentionMs: 90 * dayLengthMs });
  });

  test('accepts 92 days', async () => {
    const { days } = await client.countDeletions({ accountId: acme, fromMs: dayMs(0), toMs: dayMs(92) });
    expect(days).toHaveLength(92);
  });

  test.each([
    ['account_id', { fromMs: dayMs(0), toMs: dayMs(1) }],
    ['from_ms', { accountId: acme, fromMs: -1, toMs: dayMs(1) }],
    ['to_ms', { accountId: acme, fromMs: dayMs(0), toMs: dayMs(0) }],
    ['to_ms', { accountId: acme, fromMs: dayMs(0), toMs: dayMs(92) + 1 }],
  ])('INVALID_ARGUMENT for a bad %s', async (field, request) => {
    await expect(client.countDeletions(request)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      violations: [{ field }],
    });
  });
});
