import type { Schema, Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { type Topic, deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { EventRecord, PartitionLag, DeadLetter } from '../event-log.ts';

/** `seq` is the offset of an event. It grows with each publication and is never reused. */
export const eventsSchema: Schema = {
  name: 'events',
  migrations: [
    `
    CREATE TABLE events (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      topic TEXT NOT NULL,
      key TEXT NOT NULL,
      headers TEXT NOT NULL,
      value BLOB NOT NULL,
      published_at_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_topic ON events (topic, seq);
    CREATE TABLE offsets (
      consumer_group TEXT NOT NULL,
      topic TEXT NOT NULL,
      processed_seq INTEGER NOT NULL,
      PRIMARY KEY (consumer_group, topic)
    ) STRICT;
    CREATE TABLE dead_letters (
      id TEXT PRIMARY KEY,
      reason TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      failed_at_ms INTEGER NOT NULL,
      position TEXT NOT NULL,
      key TEXT NOT NULL,
      headers TEXT NOT NULL,
      value BLOB NOT NULL
    ) STRICT;
    `,
  ],
};

export interface NumberedEvent {
  readonly seq: number;
  readonly event: PlainEvent;
}

/** Rows in one INSERT statement. 40 rows take 4.3 µs each, single rows 6.9. */
const rowsPerInsert = 40;

/** The most bytes of one batch, as from Kafka. */
const maxBatchBytes = 1_048_576;

/** Measuring lag stops at this count, because a count blocks the file. */
const maxLag = 100_000;

export function prepareEvents(database: Sqlite) {
  const insertAll = prepareInsert(database);
  const { offsetOf, ...offsets } = prepareOffsets(database);
  const readAfter = prepareRead(database);
  const countAfter = database
    .prepare(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE topic = ? AND seq > ? LIMIT ${String(maxLag)})`,
    )
    .raw();
  const expire = database.prepare(
    `DELETE FROM events WHERE seq IN (
       SELECT seq FROM events
       WHERE published_at_ms < ?
         AND seq <= coalesce((SELECT min(processed_seq) FROM offsets WHERE offsets.topic = events.topic), seq)
       ORDER BY seq LIMIT ?)`,
  );
  return {
    ...offsets,
    insertAll,
    append: database.transaction(insertAll).immediate,
    readNext: (topic: Topic, group: string, max: number) => readAfter(topic, offsetOf(topic, group), max),
    measureLag: (topic: Topic, group: string): PartitionLag[] => {
      const processed = offsetOf(topic, group);
      return [{ partition: 0, events: (countAfter.get(topic, processed) as [number])[0], processed }];
    },
    expireEvents: (beforeMs: number, maxEvents: number): number => expire.run(beforeMs, maxEvents).changes,
  };
}

function prepareInsert(database: Sqlite) {
  const prepareRows = (rows: number) =>
    database.prepare(
      `INSERT INTO events (topic, key, headers, value, published_at_ms)
       VALUES ${Array<string>(rows).fill('(?, ?, ?, ?, ?)').join(', ')}`,
    );
  const insertOne = prepareRows(1);
  const insertMany = prepareRows(rowsPerInsert);

  return (topic: Topic, events: readonly PlainEvent[], atMs: number) => {
    const columnsOf = (event: PlainEvent) => [topic, ...toColumns(event), atMs];
    const single = events.length % rowsPerInsert;
    for (const event of events.slice(0, single)) insertOne.run(columnsOf(event));
    for (let from = single; from < events.length; from += rowsPerInsert)
      insertMany.run(events.slice(from, from + rowsPerInsert).flatMap(columnsOf));
  };
}

function prepareRead(database: Sqlite) {
  // Adds up the lengths, which SQLite knows without reading the values. A batch has at least one event of any length.
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

  return (topic: Topic, offset: number, max: number): NumberedEvent[] => {
    const [last] = findLast.get(topic, offset, max) as [number | null];
    if (last === null) return [];
    const rows = read.all(topic, offset, last) as [number, string, string, Buffer][];
    return rows.map(([seq, ...columns]) => ({ seq, event: fromColumns(...columns) }));
  };
}

function prepareOffsets(database: Sqlite) {
  const find = database
    .prepare('SELECT processed_seq FROM offsets WHERE consumer_group = ? AND topic = ?')
    .raw();
  const save = database.prepare(
    `INSERT INTO offsets (consumer_group, topic, processed_seq) VALUES (?, ?, ?)
     ON CONFLICT (consumer_group, topic) DO UPDATE SET processed_seq = excluded.processed_seq`,
  );
  const register = database.prepare(
    'INSERT INTO offsets (consumer_group, topic, processed_seq) VALUES (?, ?, 0) ON CONFLICT DO NOTHING',
  );
  return {
    offsetOf: (topic: Topic, group: string): number =>
      (find.get(group, topic) as [number] | undefined)?.[0] ?? 0,
    /** Events that the group has not processed don't expire from now on. */
    registerGroup: (topic: Topic, group: string) => {
      register.run(group, topic);
    },
    saveOffset: (topic: Topic, group: string, seq: number) => {
      save.run(group, topic, seq);
    },
  };
}

/** For calls inside a transaction, because SQLite has no nested transactions. */
type InsertEvents = ReturnType<typeof prepareInsert>;

/** An event for the thread of the database file. Texts only: to clone a small Buffer copies the whole pool behind it. */
export type PlainEvent = readonly [key: string, headers: string, latin1Value: string];

export function toPlainEvent({ key, headers, value }: EventRecord): PlainEvent {
  return [key, JSON.stringify(headers), value.toString('latin1')];
}

export function fromPlainEvent([key, headers, latin1Value]: PlainEvent): EventRecord {
  return {
    key,
    headers: JSON.parse(headers) as Record<string, string>,
    value: Buffer.from(latin1Value, 'latin1'),
  };
}

/** Returns the columns of a row: key, headers, value. */
function toColumns([key, headers, latin1Value]: PlainEvent): [string, string, Buffer] {
  return [key, headers, Buffer.from(latin1Value, 'latin1')];
}

function fromColumns(key: string, headers: string, value: Buffer): PlainEvent {
  return [key, headers, value.toString('latin1')];
}

/** A dead letter that can be sent to the file's thread, like PlainEvent. */
export interface PlainLetter extends Omit<DeadLetter, 'event'> {
  readonly position: string;
  readonly event: PlainEvent;
}

export function toPlainLetter({ event, ...letter }: DeadLetter): PlainLetter {
  return { ...letter, position: event.position, event: toPlainEvent(event) };
}

export function fromPlainLetter({ position, event, ...letter }: PlainLetter): DeadLetter {
  return { ...letter, event: { ...fromPlainEvent(event), position } };
}

type DeadLetterRow = [
  id: string,
  reason: string,
  attempts: number,
  failedAtMs: number,
  position: string,
  key: string,
  headers: string,
  value: Buffer,
];

const columns = 'id, reason, attempts, failed_at_ms, position, key, headers, value';

export function prepareDeadLetters(database: Sqlite, insertEvents: InsertEvents) {
  const insert = database.prepare(
    `INSERT OR REPLACE INTO dead_letters (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database
    .prepare(`SELECT ${columns} FROM dead_letters ORDER BY failed_at_ms, id LIMIT ?`)
    .raw();
  const find = database.prepare(`SELECT ${columns} FROM dead_letters WHERE id = ?`).raw();
  const discard = database.prepare('DELETE FROM dead_letters WHERE id = ?');

  return {
    addDeadLetters: database.transaction((letters: readonly PlainLetter[]) => {
      for (const { id, reason, attempts, failedAtMs, position, event } of letters) {
        insert.run(id, reason, attempts, failedAtMs, position, ...toColumns(event));
      }
    }).immediate,
    listDeadLetters: (max: number): PlainLetter[] => (list.all(max) as DeadLetterRow[]).map(readRow),
    replayDeadLetter: database.transaction((id: string, atMs: number): boolean => {
      const row = find.get(id) as DeadLetterRow | undefined;
      if (row === undefined) return false;
      insertEvents(deletionAcceptedTopic, [readRow(row).event], atMs);
      discard.run(id);
      return true;
    }).immediate,
    discardDeadLetter: (id: string): boolean => discard.run(id).changes > 0,
  };
}

function readRow(row: DeadLetterRow): PlainLetter {
  const [id, reason, attempts, failedAtMs, position, ...columns] = row;
  return { id, reason, attempts, failedAtMs, position, event: fromColumns(...columns) };
}
