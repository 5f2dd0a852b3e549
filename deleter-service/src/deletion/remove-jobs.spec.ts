import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic, type JobsDeletedData } from '@jobs-delete/proto/events';
import type {
  BatchControl,
  Consumer,
  DeadLetter,
  EventLog,
  EventRecord,
  ReceivedEvent,
} from '../event-log/event-log.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, aDeletion, importJobs, jobIds, other } from '../testing/deletions.ts';
import { anEvent, createCollector, received, type Collector } from '../testing/events.ts';
import { countTurns } from '../testing/count-turns.ts';
import { failing, type Failing } from '../testing/failing.ts';
import { openEventLog, openStore } from '../testing/open-adapters.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { systemClock } from '@jobs-delete/runtime/time/clock';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import type { Deletion } from '../store/deletion.ts';
import { startRemovalWorker, type RemovalWorkerOptions } from './remove-jobs.ts';

const newPath = temporaryFolder();

describe('the removal worker', () => {
  let clock: VirtualClock;
  let store: Failing<Store>;
  let log: Failing<EventLog>;
  let announced: Collector;
  let deadLetters: DeadLetter[];
  let attempts: number[];
  let worker: Consumer | undefined;

  beforeEach(async () => {
    clock = createVirtualClock();
    store = failing(openStore(newPath()));
    log = failing(openEventLog(newPath(), { clock, random: createSeededRandom(1) }));
    announced = createCollector();
    [deadLetters, attempts, worker] = [[], [], undefined];
    await log.port.consume(jobsDeletedTopic, 'test.listener', announced.handle);
    await importJobs(store.port, acme, jobIds(3_000));
  });
  afterEach(async () => {
    await worker?.stop();
    await log.port.close();
    await store.port.close();
  });

  const start = async (more: Partial<RemovalWorkerOptions> = {}) => {
    worker = await startRemovalWorker({
      store: store.port,
      eventLog: log.port,
      clock,
      random: createSeededRandom(2),
      jobDeletedEvents: true,
      onError: (_, attempt) => attempts.push(attempt),
      onDeadLetter: (letter) => deadLetters.push(letter),
      ...more,
    });
    return worker;
  };
  const failStore = (times: number) => {
    store.fail('removeJobs', times);
    store.fail('postpone', 1_000);
    store.fail('check', 1_000);
  };
  const publish = (events: readonly EventRecord[]) => log.port.publish(deletionAcceptedTopic, events);
  const publishAsItIs = async (event: ReceivedEvent) => {
    await log.port.addDeadLetters([{ id: 'x', reason: 'r', attempts: 1, failedAtMs: 1, event }]);
    await log.port.replayDeadLetter('x');
  };
  const acceptAndPublish = async (ids: readonly string[]) => {
    const deletion = await accept(store.port, ids);
    await publish(toDeletionAcceptedEvents(deletion));
    return deletion;
  };
  const stateOf = async ({ id }: Deletion) => (await store.port.findDeletion(id, acme))?.state;
  const announcedJobs = () =>
    announced.events.flatMap(({ value }) =>
      (JSON.parse(value.toString()) as JobsDeletedData).jobs.map(({ id }) => id),
    );

  test('removes the jobs, completes the deletion, and announces the part by one event', async () => {
    await start();
    const deletion = await acceptAndPublish(['job0001', 'job0002']);
    await clock.settle();
    expect(await store.port.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'completed',
      completedAtMs: clock.now(),
    });
    expect(await store.port.countJobs(acme)).toBe(2_998);
    expect(announcedJobs()).toEqual(['job0001', 'job0002']);
    expect(announced.events).toMatchObject([{ key: acme, headers: { ce_id: `${deletion.id}.0` } }]);
    expect(await log.port.listDeadLetters(10)).toEqual([]);
  });

  test('completes a deletion once all its parts are removed, and announces each part', async () => {
    await start();
    const deletion = await accept(store.port, jobIds(2_500));
    const [first, second, third] = toDeletionAcceptedEvents(deletion);
    if (!first || !second || !third) throw new Error('three parts were expected');
    await publish([third, first]);
    await clock.settle();
    expect(await stateOf(deletion)).toBe('accepted');
    expect(await store.port.countJobs(acme)).toBe(1_500);
    await publish([second]);
    await clock.settle();
    expect(await stateOf(deletion)).toBe('completed');
    expect(await store.port.countJobs(acme)).toBe(500);
    expect([...announcedJobs()].sort()).toEqual(jobIds(2_500));
    const ids = announced.events.map(({ headers }) => headers.ce_id);
    expect(ids.sort()).toEqual([0, 1, 2].map((part) => `${deletion.id}.${part}`));
  });

  test('a redelivered event removes no job twice, not even a job posted again', async () => {
    await start();
    const deletion = await acceptAndPublish(['job0001']);
    await clock.settle();
    await importJobs(store.port, acme, ['job0001']);
    const completed = await store.port.findDeletion(deletion.id, acme);
    await publish([...toDeletionAcceptedEvents(deletion), ...toDeletionAcceptedEvents(deletion)]);
    await clock.advance(60_000);
    expect(await store.port.findDeletion(deletion.id, acme)).toEqual(completed);
    expect(await store.port.countJobs(acme)).toBe(3_000);
    const ids = announced.events.map(({ headers }) => headers.ce_id);
    expect(new Set(ids).size).toBe(1);
  });

  test('poison becomes a dead letter at once, with its bytes and the reason, and the rest is processed', async () => {
    await start();
    const good = await accept(store.port, ['job0001']);
    const noJson = { ...anEvent('key', '{'), headers: { ce_id: 'poison-1', ce_type: deletionAcceptedTopic } };
    const unnamedEvent = { ...received(anEvent('other')), headers: { ce_type: 'something.else' } };
    await publish([noJson, ...toDeletionAcceptedEvents(good)]);
    await clock.settle();
    expect(await stateOf(good)).toBe('completed');
    const [letter, ...others] = await log.port.listDeadLetters(10);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ reason: 'its value is not JSON', attempts: 1, failedAtMs: clock.now() });
    expect(letter?.event).toEqual(received(noJson, letter?.event.position));

    await publishAsItIs(unnamedEvent);
    await clock.advance(500);
    const listed = await log.port.listDeadLetters(10);
    expect(listed).toHaveLength(2);
    const unnamed = listed.find(({ id }) => id !== 'poison-1');
    expect(unnamed?.reason).toMatch(/its type is something.else/);
    expect(unnamed?.id).toBe(unnamed?.event.position);
    expect(deadLetters).toHaveLength(2);
    expect(attempts).toEqual([]);
  });

  test.each([
    ['a deletion that does not exist', { id: 'ghost' }],
    ['a deletion of another account', { accountId: other }],
  ])('an event of %s becomes a dead letter, and removes and announces nothing', async (_, forged) => {
    await start();
    const deletion = await accept(store.port, ['job0001']);
    await publish(toDeletionAcceptedEvents({ ...deletion, ...forged }));
    await clock.settle();
    const [letter, ...others] = await log.port.listDeadLetters(10);
    expect(others).toEqual([]);
    expect(letter?.reason).toBe('the account has no such deletion, or it is of other jobs');
    expect(announced.events).toEqual([]);
    expect(await stateOf(deletion)).toBe('accepted');
    expect(await store.port.countJobs(acme)).toBe(3_000);
  });

  test('a replayed dead letter is processed once its cause is gone', async () => {
    await start();
    const deletion = await accept(store.port, ['job0001']);
    const [event] = toDeletionAcceptedEvents(deletion);
    if (event === undefined) throw new Error('an event was expected');
    await publishAsItIs(received(event));
    await clock.advance(500);
    expect(await stateOf(deletion)).toBe('completed');
  });

  test.each(['removeJobs', 'publish', 'addDeadLetters'] as const)(
    'while %s fails, the worker retries the batch and loses no event',
    async (method) => {
      const deletion = await accept(store.port, ['job0001']);
      await publish([...toDeletionAcceptedEvents(deletion), anEvent('poison')]);
      if (method === 'removeJobs') failStore(6);
      else log.fail(method, 6);
      await start();
      await clock.advance(60_000);
      expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await stateOf(deletion)).toBe('completed');
      expect(announcedJobs()).toEqual(['job0001']);
      expect(await log.port.listDeadLetters(10)).toHaveLength(1);
    },
  );

  test.each([
    ['store', () => failStore(40)],
    ['event log', () => log.fail('addDeadLetters', 40)],
  ])('while the %s fails, the worker sends a heartbeat at least every three seconds', async (_, fail) => {
    fail();
    let heartbeats = 0;
    const heartbeat = () => {
      heartbeats += 1;
      return Promise.resolve();
    };
    const consume: EventLog['consume'] = (topic, group, handle) =>
      log.port.consume(topic, group, (events, batch) => handle(events, { ...batch, heartbeat }));
    await start({ eventLog: { ...log.port, consume }, random: { uuid: () => '', fraction: () => 0.999 } });
    const deletion = await accept(store.port, ['job0001']);
    await publish([...toDeletionAcceptedEvents(deletion), anEvent('poison')]);
    await clock.advance(30_000);
    expect(heartbeats).toBeGreaterThanOrEqual(10);
    await clock.runUntil(async () => deadLetters.length === 1 && (await stateOf(deletion)) === 'completed');
  });

  describe('in a long batch', () => {
    const events = [1, 2, 3].flatMap(() => toDeletionAcceptedEvents(aDeletion(jobIds(10_000))));
    const handleWith = async (batch: BatchControl) => {
      const consume: EventLog['consume'] = async (_topic, _group, handle) => {
        await handle(
          events.map((event) => received(event)),
          batch,
        );
        return { stop: () => Promise.resolve(), ended: new Promise(() => undefined) };
      };
      await start({ eventLog: { ...log.port, consume }, clock: systemClock });
    };

    test('sends a heartbeat and yields to other work after each 4,000 jobs', async () => {
      const turns = countTurns();
      const seen: number[] = [];
      const heartbeat = () => Promise.resolve(void seen.push(turns.now()));
      await handleWith({ heartbeat, signal: new AbortController().signal });
      turns.stop();
      expect(new Set(seen).size).toBe(8);
      expect(deadLetters).toHaveLength(30);
    });

    test('leaves the rest unprocessed when it loses the batch', async () => {
      const lost = new AbortController();
      let steps = 0;
      const heartbeat = () => {
        if (++steps === 3) lost.abort();
        return Promise.resolve();
      };
      await expect(handleWith({ heartbeat, signal: lost.signal })).rejects.toThrow();
      expect(steps).toBe(3);
      expect(deadLetters).toEqual([]);
    });
  });

  test.each(['removeJobs', 'publish'] as const)(
    'a worker that stops while %s fails leaves the batch for the next worker',
    async (method) => {
      const first = await start();
      const deletion = await accept(store.port, ['job0001']);
      const events = toDeletionAcceptedEvents(deletion);
      await publish(events);
      if (method === 'removeJobs') failStore(1_000);
      else log.fail(method, 1_000);
      // Less than the time after which the deletion is postponed.
      await clock.advance(2_000);
      await first.stop();
      expect(announcedJobs()).toEqual([]);
      store.fail('removeJobs', 0);
      log.fail('publish', 0);
      await start();
      await clock.settle();
      expect(await stateOf(deletion)).toBe('completed');
      expect(announcedJobs()).toEqual(['job0001']);
    },
  );

  test.each([
    ['no part whose jobs the store has all kept', 2, []],
    ['no job that the store has kept', 1, ['job0002']],
  ])('announces %s', async (_, kept, removed) => {
    const removeJobs: Store['removeJobs'] = async (parts) => ({
      ...(await store.port.removeJobs(parts)),
      kept: (parts[0]?.claims ?? []).slice(0, kept),
    });
    await start({ store: { ...store.port, removeJobs } });
    await acceptAndPublish(['job0001', 'job0002']);
    await clock.settle();
    expect(announced.events).toHaveLength(removed.length);
    expect(announcedJobs()).toEqual(removed);
  });

  test('announces nothing when announcements are off', async () => {
    await start({ jobDeletedEvents: false });
    const deletion = await acceptAndPublish(['job0001']);
    await clock.advance(60_000);
    expect(await stateOf(deletion)).toBe('completed');
    expect(announced.events).toEqual([]);
  });
});
