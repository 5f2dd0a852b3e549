import { describe, expect, test } from '@jest/globals';
import { deletionAcceptedTopic, jobsDeletedTopic } from '@jobs-delete/proto/events';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { systemClock, systemRandom } from '@jobs-delete/runtime/time/clock';
import { createVirtualClock, type VirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { countTurns } from '../testing/count-turns.ts';
import { anEvent, createCollector, createGate, keysOf, received } from '../testing/events.ts';
import { createSeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { eventsSchema } from './embedded/log-file.ts';
import {
  openEmbeddedEventLog,
  openEmbeddedEventLogInThread,
  type EmbeddedEventLogOptions,
} from './embedded-event-log.ts';
import { eventLogContract } from './contract/event-log.contract.ts';
import type { EventLog } from './event-log.ts';

const newPath = temporaryFolder();

eventLogContract('SQLite', () => {
  const path = newPath();
  const options = { clock: systemClock, random: systemRandom, maxBatch: 50 };
  let eventLog = openEmbeddedEventLog(path, options);
  return Promise.resolve({
    eventLog,
    reopen: async () => {
      await eventLog.close();
      return (eventLog = openEmbeddedEventLog(path, options));
    },
    close: () => eventLog.close(),
  });
});

eventLogContract('SQLite, in a thread of its own', async () => {
  const path = newPath();
  const options = { clock: systemClock, random: systemRandom, maxBatch: 50 };
  let eventLog = await openEmbeddedEventLogInThread(path, options);
  return {
    eventLog,
    reopen: async () => {
      await eventLog.close();
      return (eventLog = await openEmbeddedEventLogInThread(path, options));
    },
    close: () => eventLog.close(),
  };
});

describe('the embedded event log', () => {
  const withLog = async (
    test: (log: EventLog, clock: VirtualClock, path: string) => Promise<void>,
    options: Partial<EmbeddedEventLogOptions> = {},
  ) => {
    const clock = createVirtualClock();
    const path = newPath();
    const log = openEmbeddedEventLog(path, { clock, random: createSeededRandom(1), ...options });
    try {
      await test(log, clock, path);
    } finally {
      await log.close();
    }
  };

  test('tells a handler to stop when it closes, and waits for it', () =>
    withLog(async (log, clock) => {
      const ended = createGate();
      let stopping: AbortSignal | undefined;
      await log.publish(deletionAcceptedTopic, [anEvent('key')]);
      await log.consume(deletionAcceptedTopic, 'group', async (_, { signal }) => {
        stopping = signal;
        await ended.opened;
      });
      await clock.settle();
      let isClosed = false;
      const closing = log.close().then(() => (isClosed = true));
      await clock.settle();
      expect([stopping?.aborted, isClosed]).toEqual([true, false]);
      ended.open();
      await closing;
    }));

  test('delivers at most one batch at a time, in the order of publication', () =>
    withLog(
      async (log, clock) => {
        const collector = createCollector();
        await log.publish(
          deletionAcceptedTopic,
          ['1', '2', '3', '4', '5'].map((key) => anEvent(key)),
        );
        await log.consume(deletionAcceptedTopic, 'group', collector.handle);
        await clock.settle();
        expect(collector.batches.map(keysOf)).toEqual([['1', '2'], ['3', '4'], ['5']]);
      },
      { maxBatch: 2 },
    ));

  test('delivers at most a megabyte at a time, but at least one event', () =>
    withLog(async (log, clock) => {
      const collector = createCollector();
      const sized = (key: string, bytes: number) => ({ ...anEvent(key), value: Buffer.alloc(bytes) });
      const events = [sized('1', 2_000_000), sized('2', 600_000), sized('3', 600_000), sized('4', 10)];
      await log.publish(deletionAcceptedTopic, events);
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await clock.settle();
      expect(collector.batches.map(keysOf)).toEqual([['1'], ['2', '3'], ['4']]);
    }));

  test('keeps the bytes of every event of a large publication', () =>
    withLog(async (log, clock) => {
      const collector = createCollector();
      const value = (index: number) => Buffer.from([index % 256, 0, 255, 128, 10]);
      const events = Array.from({ length: 333 }, (_, index) => ({
        ...anEvent(`é${String(index)}`),
        value: value(index),
      }));
      await log.publish(deletionAcceptedTopic, events);
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await clock.settle();
      const expected = events.map((event, index) =>
        received(event, `${deletionAcceptedTopic}/0/${String(index + 1)}`),
      );
      expect(collector.events).toEqual(expected);
    }));

  test('yields to other work between the batches of a long backlog', () =>
    withLog(
      async (log, clock) => {
        const turns = countTurns();
        const seen: number[] = [];
        await log.publish(
          deletionAcceptedTopic,
          ['1', '2', '3'].map((key) => anEvent(key)),
        );
        await log.consume(deletionAcceptedTopic, 'group', () => Promise.resolve(void seen.push(turns.now())));
        await clock.settle();
        turns.stop();
        expect(new Set(seen).size).toBe(3);
      },
      { maxBatch: 1 },
    ));

  test('delivers events of this process before the next poll', () =>
    withLog(async (log, clock) => {
      const collector = createCollector();
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await clock.settle();
      await log.publish(deletionAcceptedTopic, [anEvent('now')]);
      await clock.settle();
      expect(keysOf(collector.events)).toEqual(['now']);
    }));

  test('delivers events of another process at the next poll', () =>
    withLog(
      async (log, clock, path) => {
        const collector = createCollector();
        await log.consume(deletionAcceptedTopic, 'group', collector.handle);
        await clock.settle();
        const other = openEmbeddedEventLog(path, { clock, random: createSeededRandom(2) });
        await other.publish(deletionAcceptedTopic, [anEvent('elsewhere')]);
        await clock.advance(499);
        expect(collector.events).toHaveLength(0);
        await clock.advance(1);
        expect(keysOf(collector.events)).toEqual(['elsewhere']);
        await other.close();
      },
      { pollMs: 500 },
    ));

  test('backs off while a handler keeps failing', () =>
    withLog(
      async (log, clock) => {
        const attemptsAtMs: number[] = [];
        const startMs = clock.now();
        await log.publish(deletionAcceptedTopic, [anEvent('one')]);
        await log.consume(deletionAcceptedTopic, 'group', () => {
          attemptsAtMs.push(clock.now() - startMs);
          return Promise.reject(new Error('no'));
        });
        await clock.advance(1_600);
        expect(attemptsAtMs).toEqual([0, 100, 300, 700, 1_500]);
      },
      { random: { uuid: () => '', fraction: () => 1 } },
    ));

  test('expires old events that are processed or have no group, up to the limit', () =>
    withLog(async (log, clock) => {
      const collector = createCollector();
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await log.publish(deletionAcceptedTopic, [anEvent('a'), anEvent('b')]);
      await log.publish(jobsDeletedTopic, [anEvent('c'), anEvent('d')]);
      await clock.advance(1_000);
      await log.publish(jobsDeletedTopic, [anEvent('young')]);
      expect(await log.expireEvents(clock.now(), 3)).toBe(3);
      expect(await log.expireEvents(clock.now(), 3)).toBe(1);
      expect(await log.expireEvents(clock.now(), 3)).toBe(0);
      const rest = createCollector();
      await log.consume(jobsDeletedTopic, 'late', rest.handle);
      await clock.settle();
      expect(keysOf(rest.events)).toEqual(['young']);
    }));

  test('keeps old events for a group whose first batch has never succeeded', () =>
    withLog(async (log, clock) => {
      let fail = true;
      const collector = createCollector(() => (fail ? Promise.reject(new Error('no')) : Promise.resolve()));
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await log.publish(deletionAcceptedTopic, [anEvent('one')]);
      await clock.advance(10_000);
      expect(await log.expireEvents(clock.now(), 100)).toBe(0);
      fail = false;
      await clock.advance(30_000);
      expect(keysOf(collector.events)).toEqual(['one']);
    }));

  test('lists, replays and discards dead letters from another process', () =>
    withLog(async (log, clock, path) => {
      const letter = {
        reason: 'poison',
        attempts: 1,
        failedAtMs: 1,
        event: received(anEvent('k')),
      };
      await log.addDeadLetters([
        { id: 'one', ...letter },
        { id: 'two', ...letter },
      ]);
      const other = openEmbeddedEventLog(path, { clock, random: createSeededRandom(2) });
      expect(await other.replayDeadLetter('one')).toBe(true);
      expect(await other.discardDeadLetter('two')).toBe(true);
      await other.close();
      expect(await log.listDeadLetters(10)).toEqual([]);
      const collector = createCollector();
      await log.consume(deletionAcceptedTopic, 'group', collector.handle);
      await clock.settle();
      expect(keysOf(collector.events)).toEqual(['k']);
    }));

  test('refuses a file of a newer program', async () => {
    const path = newPath();
    await openEmbeddedEventLog(path, { clock: systemClock, random: systemRandom }).close();
    openSqlite(path, { name: 'events', migrations: [...eventsSchema.migrations, 'SELECT 1'] }).close();
    expect(() => openEmbeddedEventLog(path, { clock: systemClock, random: systemRandom })).toThrow(
      /'events' tables are of schema version 2/,
    );
  });

  test('answers with a Fault only once it is closed', async () => {
    const log = openEmbeddedEventLog(newPath(), { clock: systemClock, random: systemRandom });
    await log.close();
    await expect(log.publish(deletionAcceptedTopic, [anEvent('one')])).rejects.toMatchObject({
      name: 'Fault',
    });
  });
});
