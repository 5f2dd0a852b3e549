import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Passkey } from '../people/people.ts';
import { passkeyParameters } from './person-rows.ts';

export function passkeyCalls(database: Sqlite) {
  const columns = '(id, person_id, public_key, counter, transports, name, created_at_ms, last_used_at_ms)';
  const insert = database.prepare(`INSERT INTO passkeys ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const add = database.prepare(`
    INSERT INTO passkeys ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`);
  const personExists = database.prepare('SELECT 1 FROM people WHERE id = ?').raw();
  const raise = database.prepare(`
    UPDATE passkeys SET counter = max(counter, ?), last_used_at_ms = max(coalesce(last_used_at_ms, 0), ?)
    WHERE id = ? AND person_id = ?`);
  const remove = database.prepare('DELETE FROM passkeys WHERE id = ? AND person_id = ?');
  return {
    insertPasskey: (personId: string, passkey: Passkey) => {
      insert.run(passkeyParameters(personId, passkey));
    },
    addPasskey: (personId: string, passkey: Passkey) => {
      // People are never removed, so no transaction is needed.
      if (personExists.get([personId]) === undefined) return 'no_person' as const;
      const isAdded = add.run(passkeyParameters(personId, passkey)).changes === 1;
      return isAdded ? ('added' as const) : ('exists' as const);
    },
    recordPasskeyUse: (personId: string, passkeyId: string, counter: number, atMs: number) => {
      raise.run([counter, atMs, passkeyId, personId]);
    },
    removePasskey: (personId: string, passkeyId: string) => remove.run([passkeyId, personId]).changes === 1,
  };
}
