import { openSqlite, sqliteMethod } from '@jobs-delete/runtime/open-sqlite';
import type { Topic } from '@jobs-delete/proto/events';
import type { Clock, Random } from '../deletion/clock.ts';
import { startConsumer, type EmbeddedConsumer } from './embedded/consumer.ts';
import { prepareDeadLetters } from './embedded/dead-letters.ts';
import { prepareEvents } from './embedded/events.ts';
import { eventsSchema } from './embedded/schema.ts';
import type { BatchHandler, Consumer, EventLog, OutgoingEvent } from './event-log.ts';

export interface EmbeddedEventLogOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The most events in one batch. */
  readonly maxBatch?: number;
  /** How soon events from another process are seen; those from this one are seen at once. */
  readonly pollMs?: number;
  readonly checkIntegrity?: boolean;
}

/**
 * The event log of one machine, in a SQLite file of its own: appended to, read in order, an offset for each
 * group. One consumer a group. Dead letters can be listed, replayed and discarded from another process.
 * @throws StartupError
 */
export function openEmbeddedEventLog(path: string, options: EmbeddedEventLogOptions): EventLog {
  const { clock, random, maxBatch = 500, pollMs = 500, checkIntegrity = false } = options;
  const database = openSqlite(path, eventsSchema, { checkIntegrity });
  const events = prepareEvents(database);
  const deadLetters = prepareDeadLetters(database, events);
  const consumers = new Set<EmbeddedConsumer>();

  return {
    publish: sqliteMethod((topic: Topic, outgoing: readonly OutgoingEvent[]) => {
      events.append(topic, outgoing, clock.now());
      for (const consumer of consumers) consumer.wake();
    }),
    consume: sqliteMethod((topic: Topic, group: string, handle: BatchHandler): Consumer => {
      events.registerGroup(group, topic);
      const consumer = startConsumer(events, { topic, group, handle, maxBatch, pollMs, clock, random });
      consumers.add(consumer);
      return consumer;
    }),
    measureLag: sqliteMethod((topic: Topic, group: string) =>
      events.countAfter(topic, events.findOffset(group, topic)),
    ),
    expireEvents: sqliteMethod(events.expire),
    addDeadLetters: sqliteMethod(deadLetters.add),
    listDeadLetters: sqliteMethod(deadLetters.list),
    replayDeadLetter: sqliteMethod((id: string) => deadLetters.replay(id, clock.now())),
    discardDeadLetter: sqliteMethod(deadLetters.discard),
    check: sqliteMethod(() => {
      database.prepare('SELECT count(*) FROM offsets').get();
      return undefined;
    }),
    close: async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      database.close();
    },
  };
}
