import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { DeadLetter } from '../event-log.ts';
import {
  type InsertEvents,
  type PlainEvent,
  fromColumns,
  fromPlainEvent,
  toColumns,
  toPlainEvent,
} from './events.ts';

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
