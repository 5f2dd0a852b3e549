import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultJobsMapping } from '@jobs-delete/deleter-service/store/jobs-mapping';
import { mongoIndexes } from '@jobs-delete/deleter-service/store/mongo/collections';
import { connectMongoStore } from '@jobs-delete/deleter-service/store/mongo-store';
import type { AcceptOutcome, Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acceptAll,
  acceptRequest,
  acme,
  attempt,
  importJobs,
  jobIds,
  origin,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { Fault } from '@jobs-delete/runtime/fault';
import { createIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { describeWith } from '../servers/describe-with.ts';
import { startMongo, type MongoServers } from '../servers/start-mongo.ts';
import { databaseUrl, uniqueName } from '../servers/unique-storage.ts';

describeWith('own mongodb', 'the store in a MongoDB replica set that fails', () => {
  let servers: MongoServers;
  let url: string;
  let store: Store;

  beforeAll(async () => {
    servers = await startMongo({ members: 3 });
  });
  afterAll(() => servers.stop());

  beforeEach(async () => {
    await servers.primary();
    url = databaseUrl(servers.url, uniqueName('failover'));
    const admin = await openMongo(url);
    await createIndexes(mongoIndexes(admin, defaultJobsMapping));
    await admin.close();
    store = await connectMongoStore(url);
    await importJobs(store, acme, jobIds(500));
  });
  afterEach(async () => {
    for (const member of servers.members) member.resume();
    await store.close();
  });

  /** Returns the outcome, or the code of the Fault. Any other error fails the test. */
  const outcomeOf = (attempted: Promise<AcceptOutcome>): Promise<AcceptOutcome | Fault['code']> =>
    attempted.catch((error: unknown) => {
      if (error instanceof Fault) return error.code;
      throw error;
    });
  const keyed = (ids: readonly string[], idempotencyKey: string, deadlineMs?: number) =>
    attempt(store, ids, { idempotencyKey, deadlineMs });
  /** Repeats the request with the same key until there is an outcome, like a client after a 503. */
  const insist = async (ids: readonly string[], idempotencyKey: string): Promise<AcceptOutcome> => {
    for (let tries = 0; ; tries++) {
      const outcome = await outcomeOf(keyed(ids, idempotencyKey));
      if (typeof outcome !== 'string') return outcome;
      if (tries === 20) throw new Error(`still ${outcome}`);
    }
  };
  const failPoint = async (configureFailPoint: string, mode: unknown, data: unknown) =>
    servers.command(await servers.primary(), { configureFailPoint, mode, data });

  test('requests in flight when the primary is killed are accepted at most once, and a retry gets the true outcome', async () => {
    const first: (AcceptOutcome | Fault['code'])[] = [];
    const killed = await servers.primary();
    const sendAll = async (lane: number) => {
      for (let index = lane; index < 400; index += 8) {
        const id = jobIds(1, index);
        // Shorter than an election, so some requests end without an outcome.
        first[index] = await outcomeOf(keyed(id, `key${String(index)}`, Date.now() + 500));
        if (index === 100) await killed.kill();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, lane) => sendAll(lane)));
    const kinds = new Set(first.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.kind)));
    expect(
      [...kinds].filter((kind) => !['accepted', 'busy', 'unavailable', 'unknown-outcome'].includes(kind)),
    ).toEqual([]);
    expect(kinds.size).toBeGreaterThan(1);
    await servers.primary();

    const deletionIds = new Set<string>();
    const askAgain = async (before: AcceptOutcome | Fault['code'], index: number) => {
      const outcome = await insist(jobIds(1, index), `key${String(index)}`);
      if (outcome.kind !== 'accepted' && outcome.kind !== 'replayed')
        throw new Error(`outcome ${outcome.kind}, although the first one was ${JSON.stringify(before)}`);
      // An outcome from before the failover is replayed after it.
      if (typeof before !== 'string') expect(outcome).toEqual({ ...before, kind: 'replayed' });
      deletionIds.add(outcome.deletion.id);
    };
    await Promise.all(first.map(askAgain));
    expect(deletionIds.size).toBe(400);
    expect((await store.measureOutbox()).accepted.depth).toBe(400);
    await killed.restart();
  });

  test('a call to a silent primary ends at the caller’s deadline', async () => {
    const silent = await servers.primary();
    silent.freeze();
    const startedAt = Date.now();
    const outcome = await outcomeOf(keyed(['job0001'], 'key', startedAt + 1_000));
    expect(['unavailable', 'unknown-outcome']).toContain(outcome);
    expect(Date.now() - startedAt).toBeLessThan(1_500);
    expect(await insist(['job0001'], 'key')).toMatchObject({ deletion: { jobIds: ['job0001'] } });
    silent.resume();
    await accept(store, ['job0002']);
  });

  test('a write without a majority has an unknown outcome, and the key reveals it later', async () => {
    const primary = await servers.primary();
    const others = servers.members.filter((member) => member !== primary);
    await accept(store, ['job0000']);
    for (const member of others) member.freeze();
    const [alone, short] = await Promise.all([
      outcomeOf(keyed(['job0001'], 'alone')),
      outcomeOf(keyed(jobIds(200, 100), 'short', Date.now() + 500)),
    ]);
    for (const member of others) member.resume();
    expect([alone, short]).toEqual(['unknown-outcome', 'unknown-outcome']);
    const truth = await insist(['job0001'], 'alone');
    expect(['accepted', 'replayed']).toContain(truth.kind);
    expect(await keyed(['job0001'], 'alone')).toMatchObject({ kind: 'replayed' });
    expect((await attempt(store, ['job0001'])).kind).toBe('jobs-not-found');
  });

  test('a cancellation that no majority has is not read, and refuses no event: an election may undo it', async () => {
    const primary = await servers.primary();
    const others = servers.members.filter((member) => member !== primary);
    const { id, claims } = await accept(store, ['job0001'], { removalAtMs: Date.now() + 3_600_000 });
    for (const member of others) member.freeze();
    const cancelling = store.cancelDeletion({ deletionId: id, accountId: acme }, Date.now(), origin);
    const cancelled = cancelling.catch(() => undefined);
    const admin = await openMongo(url);
    const onPrimary = admin.collection<{ _id: string }>('deletions');
    while ((await onPrimary.findOne({ _id: id, state: 'cancelled' })) === null);
    await admin.close();
    const part = { deletionId: id, accountId: acme, part: 0, parts: 1, claims };
    const calls = [store.findReceipt(id, acme), store.findDeletion(id, acme), store.removeJobs([part])];
    const settled = await Promise.allSettled(calls);
    expect(settled.map((one) => one.status === 'rejected' && (one.reason as Fault).code)).toEqual([
      ...['unavailable', 'unavailable', 'unknown-outcome'],
    ]);
    for (const member of others) member.resume();
    await cancelled;
  });

  describe('an interrupted write', () => {
    test('is applied once: the driver’s retry is not mistaken for another request', async () => {
      await failPoint('onPrimaryTransactionalWrite', { times: 1 }, { closeConnection: true });
      expect(await keyed(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
      expect(await keyed(['job0001'], 'key')).toMatchObject({ kind: 'replayed' });
    });

    test('has an unknown outcome when the retry is interrupted too', async () => {
      await failPoint('failCommand', { times: 2 }, { failCommands: ['insert'], closeConnection: true });
      expect(await outcomeOf(keyed(['job0001'], 'key'))).toBe('unknown-outcome');
      expect(await insist(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
    });

    test('without a majority has an unknown outcome for the whole batch, refusals included', async () => {
      await accept(store, ['job0009']);
      const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
      await failPoint('failCommand', { times: 1 }, { failCommands: ['insert'], writeConcernError });
      const group = acceptAll(store, [acceptRequest(['job0001']), acceptRequest(['job0009'])]);
      await expect(group).rejects.toMatchObject({ name: 'Fault', code: 'unknown-outcome' });
    });

    test('succeeds at the new primary after a stepdown', async () => {
      await failPoint(
        'failCommand',
        { times: 1 },
        { failCommands: ['insert'], errorCode: 10107, errorLabels: ['RetryableWriteError'] },
      );
      expect(await keyed(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
    });
  });

  describe('an interrupted read', () => {
    test.each([
      ['a lost cursor', 43],
      ['a read that could not be confirmed', 187],
      ['an interruption', 11601],
    ])('is unavailable after %s', async (_name, errorCode) => {
      await failPoint('failCommand', { times: 1 }, { failCommands: ['find'], errorCode });
      expect(await outcomeOf(keyed(['job0001'], 'key'))).toBe('unavailable');
      expect(await keyed(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
    });

    test('is unavailable when the retry is interrupted too', async () => {
      await failPoint('failCommand', { times: 2 }, { failCommands: ['find'], closeConnection: true });
      expect(await outcomeOf(keyed(['job0001'], 'key'))).toBe('unavailable');
      expect(await keyed(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
    });
  });

  test('a removal that is interrupted at any step is completed by a retry', async () => {
    const deletion = await accept(store, jobIds(10));
    for (const command of ['find', 'delete', 'update']) {
      await failPoint('failCommand', { times: 2 }, { failCommands: [command], closeConnection: true });
      await expect(removeAndRecord(store, partsOf(deletion, 4), 1)).rejects.toMatchObject({
        code: 'unknown-outcome',
      });
      expect(await store.findDeletion(deletion.id, acme)).toMatchObject({ state: 'accepted' });
    }
    await removeAndRecord(store, partsOf(deletion, 4), 2);
    expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'completed',
      completedAtMs: expect.any(Number),
    });
    expect(await store.countJobs(acme)).toBe(490);
  });

  test('an interrupted import adds all jobs or none', async () => {
    await failPoint(
      'failCommand',
      { times: 1 },
      { failCommands: ['commitTransaction'], closeConnection: true },
    );
    const postings = jobIds(50, 1_000).map((id) => ({ id, posting: {} }));
    expect(await store.importJobs(acme, postings, 1)).toEqual({ imported: 50, existing: 0 });
    await failPoint('failCommand', { times: 1 }, { failCommands: ['insert'], errorCode: 1 });
    const more = jobIds(50, 2_000).map((id) => ({ id, posting: {} }));
    await expect(store.importJobs(acme, more, 1)).rejects.toMatchObject({ name: 'Fault' });
    expect(await store.countJobs(acme)).toBe(550);
  });

  test('the health check fails while there is no primary, and recovers', async () => {
    const primary = await servers.primary();
    const [other] = servers.members.filter((member) => member !== primary);
    await Promise.all([primary.kill(), other?.kill()]);
    const startedAt = Date.now();
    expect(await store.check()).toMatch(/^MongoDB: /);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(await outcomeOf(keyed(['job0001'], 'key'))).toBe('unavailable');
    const leased = { deletionId: 'any', accountId: acme, leasedUntilMs: 1 };
    await expect(store.markPublished([leased], 1, 1)).rejects.toMatchObject({
      code: 'unknown-outcome',
    });
    await Promise.all([primary.restart(), other?.restart()]);
    await servers.primary();
    expect(await insist(['job0001'], 'key')).toMatchObject({ kind: 'accepted' });
    expect(await store.check()).toBeUndefined();
  });
});
