import type { Topic } from '@jobs-delete/proto/events';
import { openSqlite, type OpenSqliteOptions } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { callHere, callInThread, type Called } from '@jobs-delete/runtime/sqlite/sqlite-calls';
import { type Clock, type Random, nextTurn, backoffMs } from '@jobs-delete/runtime/time/clock';
import {
  fromPlainLetter,
  prepareDeadLetters,
  toPlainLetter,
  prepareEvents,
  toPlainEvent,
  eventsSchema,
  fromPlainEvent,
} from './embedded/log-file.ts';
import type { BatchHandler, EventLog, Consumer } from './event-log.ts';

export interface EmbeddedEventLogOptions extends OpenSqliteOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The most events in one batch. */
  readonly maxBatch?: number;
  /** The interval at which events of other processes are found. Events of this process are found at once. */
  readonly pollMs?: number;
}

/**
 * Opens the event log of one machine, a SQLite file. Events are appended and read in order, with an offset for each group.
 * A group has one consumer. Another process can list, replay and discard dead letters.
 * @throws StartupError
 */
export function openEmbeddedEventLog(path: string, options: EmbeddedEventLogOptions): EventLog {
  return eventLogOf(callHere(openLogCalls(path, options)), options);
}

/** Opens the same log in a thread, so that this thread never waits for the disk. @throws StartupError */
export async function openEmbeddedEventLogInThread(
  path: string,
  options: EmbeddedEventLogOptions,
): Promise<EventLog> {
  const { checkIntegrity = false } = options;
  const compiled = new URL('../../dist/event-log/embedded-event-log.js', import.meta.url);
  const calls = await callInThread<typeof openLogCalls>(compiled, 'openLogCalls', path, { checkIntegrity });
  return eventLogOf(calls, options);
}

function eventLogOf(calls: LogCalls, options: EmbeddedEventLogOptions): EventLog {
  const { clock, random, maxBatch = 500, pollMs = 500 } = options;
  const consumers = new Set<EmbeddedConsumer>();

  return {
    publish: async (topic, events) => {
      const records = events.map(toPlainEvent);
      await calls.append(topic, records, clock.now());
      for (const consumer of consumers) consumer.wake();
    },
    consume: async (topic: Topic, group: string, handle: BatchHandler) => {
      await calls.registerGroup(topic, group);
      const consumer = startConsumer(calls, { topic, group, handle, maxBatch, pollMs, clock, random });
      consumers.add(consumer);
      return consumer;
    },
    measureLag: calls.measureLag,
    expireEvents: calls.expireEvents,
    addDeadLetters: (letters) => calls.addDeadLetters(letters.map(toPlainLetter)),
    listDeadLetters: async (max) => (await calls.listDeadLetters(max)).map(fromPlainLetter),
    replayDeadLetter: (id) => calls.replayDeadLetter(id, clock.now()),
    discardDeadLetter: calls.discardDeadLetter,
    check: calls.check,
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await calls.close();
    },
  };
}

type LogCalls = Called<ReturnType<typeof openLogCalls>>;

export function openLogCalls(path: string, options: OpenSqliteOptions) {
  const database = openSqlite(path, eventsSchema, options);
  const { insertAll, ...events } = prepareEvents(database);
  const check = database.prepare('SELECT count(*) FROM offsets');
  return {
    ...events,
    ...prepareDeadLetters(database, insertAll),
    check: () => {
      check.get();
      return undefined;
    },
    close: () => {
      database.close();
    },
  };
}

interface ConsumerOptions {
  readonly topic: Topic;
  readonly group: string;
  readonly handle: BatchHandler;
  readonly maxBatch: number;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

interface EmbeddedConsumer extends Consumer {
  /** Looks for new events at once. */
  wake(): void;
}

/** Reads batches from the group's offset on. Moves the offset after each processed batch. */
function startConsumer(log: LogCalls, options: ConsumerOptions): EmbeddedConsumer {
  const { topic, group, clock } = options;
  const stopping = new AbortController();
  const control = { heartbeat: () => Promise.resolve(), signal: stopping.signal };
  let waiting: AbortController | undefined;
  let wakes = 0;

  const pause = async (ms: number) => {
    waiting = new AbortController();
    if (stopping.signal.aborted) return;
    await clock.sleep(ms, waiting.signal);
    waiting = undefined;
  };

  /** Returns false if there are no new events. */
  const processBatch = async (): Promise<boolean> => {
    const batch = await log.readNext(topic, group, options.maxBatch);
    const last = batch.at(-1);
    if (last === undefined) return false;
    const received = batch.map(({ seq, event }) => ({
      ...fromPlainEvent(event),
      position: `${topic}/0/${String(seq)}`,
    }));
    await options.handle(received, control);
    await log.saveOffset(topic, group, last.seq);
    return true;
  };

  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const wakesBefore = wakes;
      try {
        const busy = await processBatch();
        failures = 0;
        if (busy) await nextTurn(clock);
        else if (wakes === wakesBefore) await pause(options.pollMs);
      } catch {
        // The handler or the file failed. The offset has not moved, so the next attempt reads the same batch.
        failures += 1;
        await pause(backoffMs(failures, options.random));
      }
    }
  };
  const running = run();

  return {
    ended: new Promise(() => undefined),
    wake: () => {
      wakes += 1;
      waiting?.abort();
    },
    stop: () => {
      stopping.abort();
      waiting?.abort();
      return running;
    },
  };
}
