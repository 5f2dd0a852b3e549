import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { dayLengthMs } from '../deletion/count-by-day.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, partsOf } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { deleterHandlers } from './deleter-handlers.ts';
import { startGrpcServer, type GrpcServer } from './start-grpc-server.ts';
import { connectTestClient, type TestClient } from './test-client.ts';

const newPath = temporaryFolder();
const firstDayMs = Date.UTC(2026, 1, 27);
const dayMs = (day: number) => firstDayMs + day * dayLengthMs;

describe('CountDeletions', () => {
  let store: Store;
  let server: GrpcServer;
  let client: TestClient;

  beforeAll(async () => {
    store = openStore(newPath());
    const handlers = deleterHandlers({
      acceptDeletion: () => Promise.reject(new Error('nothing is accepted here')),
      store,
      clock: systemClock,
      signal: new AbortController().signal,
      onFault: () => undefined,
    });
    server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers: undefined });
    client = connectTestClient(server.port);
    await importJobs(store, acme, jobIds(10));
    const completed = await accept(store, jobIds(3), { acceptedAtMs: dayMs(0) + 1 });
    await store.removeJobs(partsOf(completed), dayMs(1));
    await accept(store, jobIds(2, 3), { acceptedAtMs: dayMs(2) });
  });
  afterAll(async () => {
    client.close();
    await server.stop(1_000);
    await store.close();
  });

  test('returns every UTC day of the range, also without deletions', async () => {
    const { days } = await client.countDeletions({ accountId: acme, fromMs: dayMs(0), toMs: dayMs(2) + 1 });
    expect(days).toEqual([
      { dayMs: dayMs(0), deletions: 1, jobsAccepted: 3, jobsRemoved: 3 },
      { dayMs: dayMs(1), deletions: 0, jobsAccepted: 0, jobsRemoved: 0 },
      { dayMs: dayMs(2), deletions: 1, jobsAccepted: 2, jobsRemoved: 0 },
    ]);
  });

  test('a range within a day returns this day, with the deletions of the range', async () => {
    const { days } = await client.countDeletions({
      accountId: acme,
      fromMs: dayMs(0) + 2,
      toMs: dayMs(0) + 3,
    });
    expect(days).toEqual([{ dayMs: dayMs(0), deletions: 0, jobsAccepted: 0, jobsRemoved: 0 }]);
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
