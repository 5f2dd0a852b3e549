import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { Deletion__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import type { Store } from '../store/store.ts';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  leaseOf,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../testing/deletions.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { deleterHandlers } from './deleter-handlers.ts';
import type { GrpcError } from './grpc-error.ts';
import { startGrpcServer, type GrpcServer } from './start-grpc-server.ts';
import { CallError, connectTestClient, type TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();
const maxWatches = 3;

/** Records the methods that are called. */
function noting(store: Store, calls: string[]): Store {
  return new Proxy(store, {
    get: (target, name: keyof Store) => {
      const method: unknown = target[name];
      if (typeof method !== 'function') return method;
      return (...values: unknown[]): unknown => {
        calls.push(name);
        return Reflect.apply(method, target, values);
      };
    },
  });
}

describe('reading deletions', () => {
  let store: Failing<Store>;
  let server: GrpcServer;
  let client: TestClient;
  let accountId: string;
  let accounts = 0;
  const [faults, calls]: [GrpcError[], string[]] = [[], []];
  const stopping = new AbortController();

  beforeAll(async () => {
    store = failing(noting(openStore(newPath()), calls));
    const handlers = deleterHandlers({
      acceptDeletion: () => Promise.reject(new Error('nothing is accepted here')),
      store: store.port,
      clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) },
      signal: stopping.signal,
      onFault: (error) => faults.push(error),
      maxWatches,
    });
    server = await startGrpcServer(handlers, { host: '127.0.0.1', port: 0, callers: undefined });
    client = connectTestClient(server.port);
  });
  afterAll(async () => {
    client.close();
    await server.stop(1_000);
    await store.port.close();
  });
  beforeEach(async () => {
    accountId = `${acme}-${++accounts}`;
    faults.length = 0;
    calls.length = 0;
    await importJobs(store.port, accountId, jobIds(10));
  });

  const failure = async (call: Promise<unknown>): Promise<CallError> => {
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof CallError)) throw new Error('the call did not fail');
    return error;
  };
  const collect = async (deletions: AsyncIterable<Deletion__Output>) => {
    const states: string[] = [];
    for await (const { state } of deletions) states.push(state);
    return states;
  };

  describe('GetDeletion', () => {
    test('returns the whole deletion, and reads the job ids only on request', async () => {
      const caller = 'token:search';
      const called = { accountId, origin: { ...origin, caller } };
      const deletion = await accept(store.port, ['job0002', 'job0001'], called);
      const deletionId = deletion.id;
      const message = {
        id: deletionId,
        accountId,
        state: 'DELETION_STATE_ACCEPTED',
        jobCount: 2,
        keptJobCount: 0,
        acceptedAtMs: 1_000,
        publishedAtMs: 0,
        completedAtMs: 0,
        removalAtMs: 0,
        cancelledAtMs: 0,
        origin: { ...origin, traceparent: '', person: '' },
        cancelOrigin: null,
        caller,
        jobIds: [],
      };
      calls.length = 0;
      expect(await client.getDeletion({ accountId, deletionId })).toEqual(message);
      expect(calls).toEqual(['findReceipt']);
      await store.port.markPublished([leaseOf(deletion)], 1_700_000_000_000, 9);
      await removeAndRecord(store.port, partsOf(deletion), 1_700_000_000_001);
      expect(await client.getDeletion({ accountId, deletionId, includeJobIds: true })).toEqual({
        ...message,
        state: 'DELETION_STATE_COMPLETED',
        publishedAtMs: 1_700_000_000_000,
        completedAtMs: 1_700_000_000_001,
        jobIds: ['job0002', 'job0001'],
      });
    });

    test("another account's deletion answers exactly like one that does not exist", async () => {
      await importJobs(store.port, other, ['theirs']);
      const { id } = await accept(store.port, ['theirs'], { accountId: other });
      const foreign = await failure(client.getDeletion({ accountId, deletionId: id }));
      const unknown = await failure(client.getDeletion({ accountId, deletionId: 'unknown' }));
      expect([foreign.code, foreign.message]).toEqual([status.NOT_FOUND, 'The deletion was not found.']);
      expect([unknown.code, unknown.message]).toEqual([foreign.code, foreign.message]);
      expect(foreign.resources).toEqual([{ resourceType: 'deletion', resourceName: id }]);
      expect(unknown.resources).toEqual([{ resourceType: 'deletion', resourceName: 'unknown' }]);
    });

    test.each([
      ['account_id', { deletionId: 'x' }],
      ['deletion_id', { accountId: acme }],
    ])('INVALID_ARGUMENT without %s', async (field, request) => {
      const error = await failure(client.getDeletion(request));
      expect([error.code, error.violations[0]?.field]).toEqual([status.INVALID_ARGUMENT, field]);
    });
  });

  describe('ListDeletions', () => {
    test('returns pages, newest first, without the job ids', async () => {
      for (const [index, id] of jobIds(5).entries())
        await accept(store.port, [id], { accountId, acceptedAtMs: index });
      const times: number[] = [];
      let pageToken = '';
      do {
        const page = await client.listDeletions({ accountId, pageSize: 2, pageToken });
        times.push(...page.deletions.map(({ acceptedAtMs }) => acceptedAtMs));
        expect(page.deletions.every((deletion) => deletion.jobIds.length === 0)).toBe(true);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(times).toEqual([4, 3, 2, 1, 0]);
    });

    test('a page with large origins has fewer deletions, and the next page goes on', async () => {
      const ids = jobIds(90);
      await importJobs(store.port, accountId, ids);
      for (const [index, id] of ids.entries())
        await accept(store.port, [id], {
          accountId,
          acceptedAtMs: index,
          origin: { ...origin, userAgent: 'x'.repeat(16_000) },
        });
      const first = await client.listDeletions({ accountId, pageSize: 1_000 });
      expect(first.deletions.length).toBeLessThan(90);
      const second = await client.listDeletions({ accountId, pageToken: first.nextPageToken });
      const times = [...first.deletions, ...second.deletions].map(({ acceptedAtMs }) => acceptedAtMs);
      expect(times).toEqual(Array.from({ length: 90 }, (_, index) => 89 - index));
      expect(second.nextPageToken).toBe('');
    });

    test('can be filtered by state', async () => {
      const deletion = await accept(store.port, ['job0001'], { accountId });
      await accept(store.port, ['job0002'], { accountId });
      await removeAndRecord(store.port, partsOf(deletion), 5);
      const list = async (state: 'DELETION_STATE_COMPLETED' | 'DELETION_STATE_PUBLISHED') =>
        (await client.listDeletions({ accountId, state })).deletions.map(({ id }) => id);
      expect(await list('DELETION_STATE_COMPLETED')).toEqual([deletion.id]);
      expect(await list('DELETION_STATE_PUBLISHED')).toEqual([]);
    });

    test('can be filtered by token and time', async () => {
      const byToken = { accountId, origin: { ...origin, tokenId: 'token-2' } };
      await accept(store.port, ['job0001'], { accountId, acceptedAtMs: 100 });
      await accept(store.port, ['job0002'], { ...byToken, acceptedAtMs: 200 });
      await accept(store.port, ['job0003'], { ...byToken, acceptedAtMs: 300 });
      const list = async (filter: object) =>
        (await client.listDeletions({ accountId, ...filter })).deletions.map((found) => found.acceptedAtMs);
      expect(await list({ tokenId: 'token-2' })).toEqual([300, 200]);
      expect(await list({ acceptedFromMs: 200 })).toEqual([300, 200]);
      expect(await list({ acceptedFromMs: 100, acceptedToMs: 300 })).toEqual([200, 100]);
      expect(await list({ tokenId: 'token-2', acceptedToMs: 300 })).toEqual([200]);
    });

    test.each([
      ['account_id', { accountId: '' }],
      ['page_size', { accountId: acme, pageSize: 1_001 }],
      ['page_token', { accountId: acme, pageToken: 'nonsense' }],
      ['page_token', { accountId: acme, pageToken: Buffer.from('["1","a"]').toString('base64url') }],
      ['page_token', { accountId: acme, pageToken: Buffer.from('[1]').toString('base64url') }],
      ['page_token', { accountId: acme, pageToken: Buffer.from('null').toString('base64url') }],
    ])('INVALID_ARGUMENT for a bad %s', async (field, request) => {
      const error = await failure(client.listDeletions(request));
      expect([error.code, error.violations[0]?.field]).toEqual([status.INVALID_ARGUMENT, field]);
    });
  });

  describe('WatchDeletion', () => {
    const listeners = () => getEventListeners(stopping.signal, 'abort').length;
    // The server notices a moment later that its callers are gone.
    const allWatchesEnded = async () => {
      while (listeners() > 0) await new Promise(setImmediate);
    };

    test('sends each state once and ends after completed', async () => {
      const deletion = await accept(store.port, ['job0001'], { accountId });
      const states: string[] = [];
      for await (const { state } of client.watchDeletion({ accountId, deletionId: deletion.id })) {
        states.push(state);
        if (states.length === 1) await store.port.markPublished([leaseOf(deletion)], 5, 6);
        if (states.length === 2) await removeAndRecord(store.port, partsOf(deletion), 7);
      }
      expect(states).toEqual([
        'DELETION_STATE_ACCEPTED',
        'DELETION_STATE_PUBLISHED',
        'DELETION_STATE_COMPLETED',
      ]);
    });

    test('sends a completed deletion once and ends', async () => {
      const deletion = await accept(store.port, ['job0001'], { accountId });
      await removeAndRecord(store.port, partsOf(deletion), 7);
      const watch = client.watchDeletion({ accountId, deletionId: deletion.id });
      expect(await collect(watch)).toEqual(['DELETION_STATE_COMPLETED']);
    });

    test('leaves nothing on the signal of the stop once it has ended', async () => {
      const { id: deletionId } = await accept(store.port, ['job0001'], { accountId });
      for await (const { state } of client.watchDeletion({ accountId, deletionId })) {
        expect([state, listeners()]).toEqual(['DELETION_STATE_ACCEPTED', 1]);
        break;
      }
      await allWatchesEnded();
    });

    test('RESOURCE_EXHAUSTED beyond the limit, until a watch ends', async () => {
      const deletion = await accept(store.port, ['job0001'], { accountId });
      const watch = () => client.watchDeletion({ accountId, deletionId: deletion.id });
      const iterators = Array.from({ length: maxWatches }, () => watch()[Symbol.asyncIterator]());
      for (const iterator of iterators) await iterator.next();
      const { code } = await failure(collect(watch()));
      for (const iterator of iterators) await iterator.return?.();
      expect(code).toBe(status.RESOURCE_EXHAUSTED);
      await allWatchesEnded();
      await removeAndRecord(store.port, partsOf(deletion), 7);
      expect(await collect(watch())).toEqual(['DELETION_STATE_COMPLETED']);
      expect(faults).toEqual([]);
    });

    test('NOT_FOUND for an unknown one', async () => {
      const watch = client.watchDeletion({ accountId, deletionId: 'unknown' });
      expect((await failure(collect(watch))).code).toBe(status.NOT_FOUND);
    });

    test('ends with a Fault of the store, which is reported', async () => {
      const { id: deletionId } = await accept(store.port, ['job0001'], { accountId });
      store.fail('findReceipt', 1);
      const error = await failure(collect(client.watchDeletion({ accountId, deletionId })));
      expect(error.code).toBe(status.UNAVAILABLE);
      expect(faults).toHaveLength(1);
    });

    test('ends without a fault when its caller leaves', async () => {
      const { id: deletionId } = await accept(store.port, ['job0001'], { accountId });
      for await (const { state } of client.watchDeletion({ accountId, deletionId })) {
        expect(state).toBe('DELETION_STATE_ACCEPTED');
        break;
      }
      const watch = client.watchDeletion({ accountId, deletionId }, { deadlineMs: 50 });
      expect((await failure(collect(watch))).code).toBe(status.DEADLINE_EXCEEDED);
      expect(faults).toEqual([]);
    });

    test('is UNAVAILABLE when the server stops before the deletion is completed', async () => {
      const { id: deletionId } = await accept(store.port, ['job0001'], { accountId });
      const watch = async () => {
        for await (const { state } of client.watchDeletion({ accountId, deletionId })) {
          expect(state).toBe('DELETION_STATE_ACCEPTED');
          stopping.abort();
        }
      };
      expect((await failure(watch())).code).toBe(status.UNAVAILABLE);
      expect(faults).toEqual([]);
    });
  });
});
