import type { Topic } from '@jobs-delete/proto/events';
import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { fromColumns, toColumns, type PlainEvent } from './plain-event.ts';

export interface NumberedEvent {
  readonly seq: number;
  readonly event: PlainEvent;
}

/** Rows that one statement inserts: 4.3 µs each instead of 6.9. */
const rowsPerInsert = 40;

/** What a batch brings into memory, as from Kafka. */
const maxBatchBytes = 1_048_576;

export function prepareEvents(database: Sqlite) {
  const prepareInsert = (rows: number) =>
    database.prepare(
      `INSERT INTO events (topic, key, headers, value, published_at_ms)
       VALUES ${Array<string>(rows).fill('(?, ?, ?, ?, ?)').join(', ')}`,
    );
  const insertOne = prepareInsert(1);
  const insertMany = prepareInsert(rowsPerInsert);
  // By their lengths alone, which are known without reading them. At least one, however long.
  const findLast = database
    .prepare(
      `SELECT max(seq) FROM (
         SELECT seq, sum(length(value)) OVER (ORDER BY seq) - length(value) AS bytes_before FROM events
         WHERE topic = ? AND seq > ? ORDER BY seq LIMIT ?)
       WHERE bytes_before < ${String(maxBatchBytes)}`,
    )
    .raw();
  const read = database
    .prepare(
      'SELECT seq, key, headers, value FROM events WHERE topic = ? AND seq > ? AND seq <= ? ORDER BY seq',
    )
    .raw();
  // A count holds the file: of a long backlog it is enough to know that it is long.
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

  const offsetOf = (topic: Topic, group: string): number =>
    (findOffset.get(group, topic) as [number] | undefined)?.[0] ?? 0;

  const insertAll = (topic: Topic, events: readonly PlainEvent[], atMs: number) => {
    const columnsOf = (event: PlainEvent) => [topic, ...toColumns(event), atMs];
    const single = events.length % rowsPerInsert;
    for (const event of events.slice(0, single)) insertOne.run(columnsOf(event));
    for (let from = single; from < events.length; from += rowsPerInsert)
      insertMany.run(events.slice(from, from + rowsPerInsert).flatMap(columnsOf));
  };

  return {
    insertAll,
    append: database.transaction(insertAll).immediate,
    readNext: (topic: Topic, group: string, max: number): NumberedEvent[] => {
      const offset = offsetOf(topic, group);
      const [last] = findLast.get(topic, offset, max) as [number | null];
      if (last === null) return [];
      const rows = read.all(topic, offset, last) as [number, string, string, Buffer][];
      return rows.map(([seq, ...columns]) => ({ seq, event: fromColumns(...columns) }));
    },
    measureLag: (topic: Topic, group: string): number =>
      (countAfter.get(topic, offsetOf(topic, group)) as [number])[0],
    /** From now on no event expires that the group has not processed. */
    registerGroup: (topic: Topic, group: string) => {
      registerGroup.run(group, topic);
    },
    saveOffset: (topic: Topic, group: string, seq: number) => {
      saveOffset.run(group, topic, seq);
    },
    expireEvents: (beforeMs: number, maxEvents: number): number => expire.run(beforeMs, maxEvents).changes,
  };
}

/** For use inside a transaction: SQLite has none within another. */
export type InsertEvents = ReturnType<typeof prepareEvents>['insertAll'];
