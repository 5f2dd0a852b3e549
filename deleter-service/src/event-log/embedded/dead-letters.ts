import { deletionAcceptedTopic } from '@jobs-delete/proto/events';
import type { Sqlite } from '@jobs-delete/runtime/open-sqlite';
import type { DeadLetter } from '../event-log.ts';
import type { Events } from './events.ts';

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

export function prepareDeadLetters(database: Sqlite, events: Events) {
  const insert = database.prepare(
    `INSERT OR REPLACE INTO dead_letters (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database
    .prepare(`SELECT ${columns} FROM dead_letters ORDER BY failed_at_ms, id LIMIT ?`)
    .raw();
  const find = database.prepare(`SELECT ${columns} FROM dead_letters WHERE id = ?`).raw();
  const discard = database.prepare('DELETE FROM dead_letters WHERE id = ?');

  return {
    add: database.transaction((letters: readonly DeadLetter[]) => {
      for (const { id, reason, attempts, failedAtMs, event } of letters) {
        const { position, key, headers, value } = event;
        insert.run(id, reason, attempts, failedAtMs, position, key, JSON.stringify(headers), value);
      }
    }).immediate,
    list: (max: number): DeadLetter[] => (list.all(max) as DeadLetterRow[]).map(readRow),
    replay: database.transaction((id: string, atMs: number): boolean => {
      const row = find.get(id) as DeadLetterRow | undefined;
      if (row === undefined) return false;
      events.insertAll(deletionAcceptedTopic, [readRow(row).event], atMs);
      discard.run(id);
      return true;
    }).immediate,
    discard: (id: string): boolean => discard.run(id).changes > 0,
  };
}

function readRow(row: DeadLetterRow): DeadLetter {
  const [id, reason, attempts, failedAtMs, position, key, headers, value] = row;
  return {
    id,
    reason,
    attempts,
    failedAtMs,
    event: {
      position,
      key,
      headers: JSON.parse(headers) as Record<string, string>,
      value: Buffer.from(value),
    },
  };
}
