import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { BatchControl, BatchHandler, EventLog, EventRecord } from '../event-log/event-log.ts';
import type { RemovalPart } from '../store/store.ts';
import { aDeletion, jobIds } from '../testing/deletions.ts';
import { received } from '../testing/events.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { startRemovalWorker } from './remove-jobs.ts';

/** Kafka ends a batch that takes longer. */
const batchLimitMs = 20_000;

/** A store with shards, a log in memory with one partition, and topics with partitions that may be away. */
describe('when a shard or a partition is away', () => {
  let clock: VirtualClock;
  let log: EventRecord[];
  let announced: Set<string>;
  let completed: Set<string>;
  let postponed: Set<string>;
  let hungAccounts: Set<string>;
  let deadAccounts: Set<string>;
  let failPublication: () => Promise<never>;
  let onPutBack: () => Promise<void>;
  let batchesMs: number[];
  let handle: BatchHandler;

  const shardOf = (accountIds: readonly string[]) =>
    accountIds.some((accountId) => hungAccounts.has(accountId))
      ? new Promise<never>(() => undefined)
      : Promise.resolve();

  beforeEach(async () => {
    clock = createVirtualClock();
    [log, announced, completed, postponed, batchesMs] = [[], new Set(), new Set(), new Set(), []];
    [hungAccounts, deadAccounts] = [new Set(), new Set()];
    onPutBack = () => Promise.resolve();
    failPublication = () => Promise.reject(new Error('no leader'));
    const eventLog = {
      publish: async (topic: string, events: readonly EventRecord[]) => {
        if (topic === deletionAcceptedTopic) {
          await onPutBack();
          log.push(...events);
        } else if (events.some(({ key }) => deadAccounts.has(key))) await failPublication();
        else for (const { headers } of events) announced.add(String(headers.ce_id));
        return Promise.resolve();
      },
      consume: (_topic: string, _group: string, given: BatchHandler) => {
        handle = given;
        return Promise.resolve({ stop: () => Promise.resolve(), ended: new Promise(() => undefined) });
      },
    };
    await startRemovalWorker({
      store: {
        removeJobs: async (parts: readonly RemovalPart[]) => {
          await shardOf(parts.map(({ accountId }) => accountId));
          if (parts.some(({ deletionId }) => deletionId === 'broken')) throw new Error('a broken document');
          const removed = parts.map(({ deletionId, accountId, claims }) => ({
            deletionId,
            accountId,
            from: 0,
            to: claims.length,
            claimCount: claims.length,
          }));
          return { refused: [], parts: removed, removed: parts.length };
        },
        recordRemovals: (parts) => {
          for (const { deletionId } of parts) completed.add(deletionId);
          return Promise.resolve();
        },
        postpone: async (keys) => {
          await shardOf(keys.map(({ accountId }) => accountId));
          for (const { deletionId } of keys) postponed.add(deletionId);
        },
      },
      // Nothing here becomes a dead letter.
      eventLog: eventLog as unknown as EventLog,
      clock,
      random: createSeededRandom(1),
      jobDeletedEvents: true,
      onError: () => undefined,
      onDeadLetter: () => undefined,
    });
  });

  afterEach(() => {
    for (const id of completed) expect(announced).toContain(`${id}.0`);
  });

  const put = (accountId: string, id: string, jobs = 1) =>
    log.push(...toDeletionAcceptedEvents(aDeletion(jobIds(jobs), { id, accountId })));
  /** Delivers all events on the log as one batch. */
  const deliver = async (
    control: BatchControl = { heartbeat: () => Promise.resolve(), signal: new AbortController().signal },
  ) => {
    const startedAtMs = clock.now();
    const batch = log.splice(0).map((event, index) => received(event, String(index)));
    let isDone = false;
    const handled = handle(batch, control).finally(() => (isDone = true));
    handled.catch(() => undefined);
    await clock.runUntil(() => isDone);
    await handled;
    batchesMs.push(clock.now() - startedAtMs);
  };
  /** Publishes what was postponed, like a relay. */
  const publishAgain = async () => {
    await clock.advance(60_000);
    for (const id of postponed) if (!completed.has(id)) put(id.replace(/^.*of /, ''), id);
  };
  /** Delivers until the log is empty, and then what was postponed. */
  const recover = async () => {
    for (let batches = 0; batches < 4; batches++) await deliver();
    expect(log).toEqual([]);
    await publishAgain();
    await deliver();
    expect(log).toEqual([]);
  };
  const accounts = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}-${String(index)}`);

  test('events of a hung shard are put back within the limit of a batch, and the others are processed', async () => {
    const [sick, well] = [accounts('sick', 60), accounts('well', 60)];
    hungAccounts = new Set(sick);
    for (const [index, accountId] of sick.entries()) {
      put(accountId, `of ${accountId}`);
      put(well[index] ?? '', `of well-${String(index)}`);
    }
    await deliver();
    for (let batches = 0; batches < 12; batches++) {
      put('late', `late ${String(batches)}`);
      await deliver();
      expect(announced).toContain(`late ${String(batches)}.0`);
    }
    expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs);
    for (const accountId of well) expect(announced).toContain(`of ${accountId}.0`);
    // Known sick accounts cost a batch one short attempt and one postponement at most.
    expect(Math.max(...batchesMs.slice(-4))).toBeLessThanOrEqual(5_000);

    hungAccounts.clear();
    await recover();
    for (const accountId of sick) expect(announced).toContain(`of ${accountId}.0`);
  });

  test('a batch of many steps on a hung shard ends in time', async () => {
    const sick = accounts('sick', 200);
    hungAccounts = new Set(sick);
    for (const accountId of sick) put(accountId, `of ${accountId}`, 400);
    for (let batches = 0; batches < 4; batches++) await deliver();
    expect(log).toHaveLength(200);
    expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs * 0.7);
  });

  test('only the accounts of the partition wait while announcements of a partition fail', async () => {
    const [dead, well] = [accounts('dead', 20), accounts('well', 20)];
    deadAccounts = new Set(dead);
    for (const accountId of [...dead, ...well]) put(accountId, `of ${accountId}`);
    await deliver();
    for (const accountId of well) expect(announced).toContain(`of ${accountId}.0`);
    for (const accountId of dead) put(accountId, `next of ${accountId}`);
    await deliver();
    await deliver();
    expect(log).toEqual([]);
    expect(postponed.size).toBe(40);
    expect(completed.size).toBe(20);
    expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs / 2);

    deadAccounts.clear();
    await recover();
    for (const accountId of dead) expect(announced).toContain(`of ${accountId}.0`);
  });

  test.each(['together', 'alone'])(
    'batches end in time while a partition hangs (removed %s)',
    async (how) => {
      const [dead, well] = [accounts('dead', 100), accounts('well', 100)];
      deadAccounts = new Set(dead);
      failPublication = () => new Promise(() => undefined);
      if (how === 'alone') put('broken-account', 'broken');
      for (const accountId of [...dead, ...well]) put(accountId, `of ${accountId}`);
      for (let batches = 0; batches < 12; batches++) await deliver();
      expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs);
      // One account of the partition is tried.
      expect(Math.max(...batchesMs.slice(-4))).toBeLessThanOrEqual(4_000);
      for (const accountId of well) expect(announced).toContain(`of ${accountId}.0`);

      deadAccounts.clear();
      await recover();
      for (const accountId of dead) expect(announced).toContain(`of ${accountId}.0`);
    },
  );

  test('events are put back again when a broker does not answer', async () => {
    hungAccounts = new Set(['sick']);
    put('sick', 'of sick');
    let tries = 0;
    onPutBack = () => (++tries === 1 ? new Promise(() => undefined) : Promise.resolve());
    await deliver();
    expect(log).toHaveLength(1);
    expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs);
  });

  test('a worker that loses the batch puts nothing back again', async () => {
    hungAccounts = new Set(['sick']);
    put('sick', 'of sick');
    const lost = new AbortController();
    let tries = 0;
    onPutBack = () => Promise.reject(new Error(`try ${String(++tries)} fails`));
    const heartbeat = () => {
      if (tries > 0) lost.abort();
      return Promise.resolve();
    };
    await expect(deliver({ heartbeat, signal: lost.signal })).rejects.toThrow();
    expect(tries).toBe(1);
  });

  test('the account that was tried longest ago is tried first', async () => {
    deadAccounts = new Set(['dead', 'back']);
    for (const accountId of deadAccounts) put(accountId, `of ${accountId}`);
    await deliver();
    deadAccounts.delete('back');
    for (let batches = 0; batches < 8; batches++) {
      await publishAgain();
      // The same account is always first in the batch.
      log.sort((one, other) => other.key.localeCompare(one.key));
      await deliver();
    }
    expect(announced).toContain('of back.0');
  });

  test('a deletion that always fails costs only its account', async () => {
    const well = accounts('well', 1_000);
    put('broken-account', 'broken');
    for (const accountId of well) put(accountId, `of ${accountId}`);
    await deliver();
    for (let batches = 0; batches < 20; batches++) {
      for (const id of postponed) if (!completed.has(id)) put('broken-account', id);
      put('late', `late ${String(batches)}`);
      await deliver();
      expect(announced).toContain(`late ${String(batches)}.0`);
      await clock.advance(60_000);
    }
    for (const accountId of well) expect(announced).toContain(`of ${accountId}.0`);
    expect(Math.max(...batchesMs)).toBeLessThan(batchLimitMs / 2);
    expect(Math.max(...batchesMs.slice(1))).toBeLessThan(1_000);
    expect(postponed).toEqual(new Set(['broken']));
    expect(log).toEqual([]);
  });

  test('a store that is away for all is asked rarely, and every event is processed when it is back', async () => {
    const all = accounts('all', 30);
    hungAccounts = new Set(all);
    for (const accountId of all) put(accountId, `of ${accountId}`);
    for (let batches = 0; batches < 20; batches++) await deliver();
    expect(log).toHaveLength(30);
    hungAccounts.clear();
    await recover();
    expect(announced.size).toBe(30);
  });
});
