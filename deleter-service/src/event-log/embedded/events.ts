import type { Topic } from '@jobs-delete/proto/events';
import type { Sqlite } from '@jobs-delete/runtime/open-sqlite';
import type { OutgoingEvent, ReceivedEvent } from '../event-log.ts';

type EventRow = [seq: number, key: string, headers: string, value: Buffer];

export interface NumberedEvent extends ReceivedEvent {
  readonly seq: number;
}

export function prepareEvents(database: Sqlite) {
  const insert = database.prepare(
    'INSERT INTO events (topic, key, headers, value, published_at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const read = database
    .prepare('SELECT seq, key, headers, value FROM events WHERE topic = ? AND seq > ? ORDER BY seq LIMIT ?')
    .raw();
  // A count holds the event loop: of a long backlog it is enough to know that it is long.
  const countAfter = database
    .prepare('SELECT count(*) FROM (SELECT 1 FROM events WHERE topic = ? AND seq > ? LIMIT 100000)')
    .raw();
  const findOffset = database
    .prepare('SELECT processed_seq FROM offsets WHERE consumer_group = ? AND topic = ?')
    .raw();
  const saveOffset = database.prepare(
    `INSERT INTO offsets (consumer_group, topic, processed_seq) VALUES (?, ?, ?)
     ON CONFLICT (consumer_group, topic) DO UPDATE SET processed_seq = excluded.processed_seq`,
  );
  const registerGroup = database.prepare(
    'INSERT INTO offsets (consumer_group, topic, processed_seq) VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  );
  const expire = database.prepare(
    `DELETE FROM events WHERE seq IN (
       SELECT seq FROM events
       WHERE published_at_ms < ?
         AND seq <= coalesce((SELECT min(processed_seq) FROM offsets WHERE offsets.topic = events.topic), seq)
       ORDER BY seq LIMIT ?)`,
  );

  /** For use inside a transaction: SQLite has none within another. */
  const insertAll = (topic: Topic, events: readonly OutgoingEvent[], atMs: number) => {
    for (const { key, headers, value } of events)
      insert.run(topic, key, JSON.stringify(headers), value, atMs);
  };

  return {
    insertAll,
    append: database.transaction(insertAll).immediate,
    readAfter: (topic: Topic, seq: number, max: number): NumberedEvent[] =>
      (read.all(topic, seq, max) as EventRow[]).map((row) => ({
        seq: row[0],
        key: row[1],
        headers: JSON.parse(row[2]) as Record<string, string>,
        value: Buffer.from(row[3]),
        position: `${topic}/0/${String(row[0])}`,
      })),
    countAfter: (topic: Topic, seq: number): number => (countAfter.get(topic, seq) as [number])[0],
    /** From now on no event expires that the group has not processed. */
    registerGroup: (group: string, topic: Topic) => {
      registerGroup.run(group, topic);
    },
    findOffset: (group: string, topic: Topic): number =>
      (findOffset.get(group, topic) as [number] | undefined)?.[0] ?? 0,
    saveOffset: (group: string, topic: Topic, seq: number) => {
      saveOffset.run(group, topic, seq);
    },
    expire: (beforeMs: number, maxEvents: number): number => expire.run(beforeMs, maxEvents).changes,
  };
}

export type Events = ReturnType<typeof prepareEvents>;
