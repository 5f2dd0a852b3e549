import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, other } from '../testing/deletions.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { serveReads } from './serve-reads.fixture.ts';
import { CallError, type TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();
const removalAtMs = Date.UTC(2030, 0, 1);
const delayed = { removalAtMs, dueAtMs: removalAtMs };
let store: Failing<Store>;
let stop: () => Promise<void>;
let client: TestClient;

beforeEach(async () => {
  store = failing(openStore(newPath()));
  ({ client, stop } = await serveReads(store.port));
  await importJobs(store.port, acme, jobIds(20));
});
afterEach(() => stop());

const failure = (accountId: string, deletionId: string) =>
  client.cancelDeletion({ accountId, deletionId }).then(
    () => 'OK',
    (error: unknown) => (error instanceof CallError ? status[error.code] : error),
  );

test('a waiting deletion is read with the end of its delay, and cancelled with who asked for that', async () => {
  const { id } = await accept(store.port, jobIds(2), delayed);
  const name = { accountId: acme, deletionId: id };
  expect(await client.getDeletion(name)).toMatchObject({ state: 'DELETION_STATE_WAITING', removalAtMs });
  const origin = { requestId: 'cancels', tokenId: 'token-2', person: 'ada@example.com' };
  const cancelled = await client.cancelDeletion({ ...name, origin });
  expect(cancelled).toMatchObject({ id, state: 'DELETION_STATE_CANCELLED', jobCount: 2, completedAtMs: 0 });
  expect(cancelled.cancelOrigin).toMatchObject(origin);
  expect(cancelled.cancelledAtMs).toBeGreaterThan(0);
  expect(await client.cancelDeletion(name)).toEqual(cancelled);
  expect((await store.port.findReceipt(id, acme))?.cancelOrigin).toMatchObject(origin);
  const state = 'DELETION_STATE_CANCELLED';
  const { deletions } = await client.listDeletions({ accountId: acme, state });
  expect(deletions).toEqual([cancelled]);
});

test('a page has fewer deletions if large requests have cancelled them', async () => {
  const ids = jobIds(90);
  await importJobs(store.port, acme, ids);
  const userAgent = 'x'.repeat(16_000);
  for (const jobId of ids) {
    const { id: deletionId } = await accept(store.port, [jobId], delayed);
    await client.cancelDeletion({ accountId: acme, deletionId, origin: { userAgent } });
  }
  const { deletions, nextPageToken } = await client.listDeletions({ accountId: acme, pageSize: 1_000 });
  expect(deletions.length).toBeLessThan(90);
  const rest = await client.listDeletions({ accountId: acme, pageToken: nextPageToken });
  expect(deletions.length + rest.deletions.length).toBe(90);
});

test('a watch ends with the cancellation', async () => {
  const { id: deletionId } = await accept(store.port, ['job0005'], delayed);
  const states: string[] = [];
  for await (const { state } of client.watchDeletion({ accountId: acme, deletionId })) {
    states.push(state);
    if (states.length === 1) await client.cancelDeletion({ accountId: acme, deletionId });
  }
  expect(states).toEqual(['DELETION_STATE_WAITING', 'DELETION_STATE_CANCELLED']);
});

test('what can’t be cancelled is refused with its own code', async () => {
  const undelayed = await accept(store.port, ['job0006']);
  const waiting = await accept(store.port, ['job0007'], delayed);
  expect(await failure(acme, undelayed.id)).toBe('FAILED_PRECONDITION');
  expect(await failure(other, waiting.id)).toBe('NOT_FOUND');
  expect(await failure(acme, 'unknown')).toBe('NOT_FOUND');
  expect(await failure('', waiting.id)).toBe('INVALID_ARGUMENT');
  expect(await failure(acme, '')).toBe('INVALID_ARGUMENT');
  store.fail('cancelDeletion', 1);
  expect(await failure(acme, waiting.id)).toBe('UNAVAILABLE');
  expect(await failure(acme, waiting.id)).toBe('OK');
});
