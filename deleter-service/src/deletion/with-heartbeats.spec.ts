import { beforeEach, describe, expect, test } from '@jest/globals';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { BatchControl, BatchHandler, EventLog } from '../event-log/event-log.ts';
import type { RemovalStore } from '../store/store.ts';
import { aDeletion } from '../testing/deletions.ts';
import { createGate, received } from '../testing/events.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { startRemovalWorker } from './remove-jobs.ts';

describe('a removal worker whose store hangs', () => {
  const events = toDeletionAcceptedEvents(aDeletion(['job0001'])).map((event) => received(event));
  let clock: VirtualClock;
  let errors: unknown[];
  beforeEach(() => {
    clock = createVirtualClock();
    errors = [];
  });

  /** Hands the events to a worker on that store. @returns what becomes of the batch */
  const handle = async (removeJobs: RemovalStore['removeJobs'], batch: BatchControl): Promise<unknown> => {
    let handler: BatchHandler = () => Promise.reject(new Error('the worker does not consume'));
    const consume: EventLog['consume'] = (_topic, _group, given) => {
      handler = given;
      return Promise.resolve({ stop: () => Promise.resolve(), ended: new Promise(() => undefined) });
    };
    await startRemovalWorker({
      store: {
        removeJobs,
        recordRemovals: () => Promise.resolve(),
        postpone: () => Promise.reject(new Error('not used')),
      },
      eventLog: { consume, addDeadLetters: () => new Promise<never>(() => undefined) } as unknown as EventLog,
      clock,
      random: createSeededRandom(1),
      jobDeletedEvents: false,
      onError: (error) => errors.push(error),
      onDeadLetter: () => undefined,
    });
    return handler(events, batch).then(
      () => 'processed',
      (error: unknown) => error,
    );
  };

  test('sends a heartbeat every second until the store answers', async () => {
    const hung = createGate();
    const answer = () => hung.opened.then(() => ({ refused: [], parts: [], removed: 1 }));
    let heartbeats = 0;
    const heartbeat = () => Promise.resolve(void (heartbeats += 1));
    const handled = handle(answer, { heartbeat, signal: new AbortController().signal });
    await clock.advance(6_000);
    // One at each second, and one after a failed attempt instead.
    expect(heartbeats).toBeGreaterThan(4);
    hung.open();
    await clock.advance(5_000);
    expect(await handled).toBe('processed');
    const atTheEnd = heartbeats;
    await clock.advance(40_000);
    expect(heartbeats).toBe(atTheEnd);
    expect(new Set(errors.map(String))).toEqual(new Set(['Fault: no answer within 5000 ms']));
  });

  test('tries again after the limit of an attempt, though a heartbeat hangs', async () => {
    const hung = [new Promise<never>(() => undefined)];
    const hungHeartbeat = [new Promise<never>(() => undefined)];
    const heartbeat = () => hungHeartbeat.shift() ?? Promise.resolve();
    const removeJobs = () => hung.shift() ?? Promise.resolve({ refused: [], parts: [], removed: 1 });
    const handled = handle(removeJobs, { heartbeat, signal: new AbortController().signal });
    await clock.advance(10_000);
    expect(await handled).toBe('processed');
  });

  test.each([
    ['store', () => new Promise<never>(() => undefined)],
    ['event log', () => Promise.resolve({ refused: [{ index: 0, reason: '' }], parts: [], removed: 0 })],
  ])('leaves a lost batch at once, without waiting for the %s', async (_, removeJobs) => {
    const lost = new AbortController();
    const reason = new Error('the group is rebalancing');
    const heartbeat = () => {
      if (clock.now() < startedAt + 3_000) return Promise.resolve();
      lost.abort(reason);
      return Promise.reject(reason);
    };
    const startedAt = clock.now();
    const handled = handle(removeJobs, { heartbeat, signal: lost.signal });
    await clock.advance(3_000);
    expect(await handled).toBe(reason);
    expect(errors).toEqual([]);
  });
});
