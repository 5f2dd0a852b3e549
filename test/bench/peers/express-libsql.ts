import Database from 'libsql';
import type { StoredCredential } from './peer.ts';
import { listenExpress } from './express-app.ts';

// The embedded peer: Express on SQLite with the same durability as jobs-delete. Deletes before it answers.
const database = new Database(process.env.DATABASE_FILE ?? '');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('busy_timeout = 5000');

const credential = database.prepare('SELECT account_id, hash FROM credentials WHERE kind = ? AND id = ?');
const removeOne = database.prepare('DELETE FROM jobs WHERE account_id = ? AND id = ?');
const removeMany = database.prepare(
  'DELETE FROM jobs WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))',
);

const removeAll = database.transaction((accountId: string, ids: readonly string[]) => {
  const { changes } = removeMany.run(accountId, JSON.stringify(ids));
  // Rolls back the transaction.
  if (changes < ids.length) throw new Missing();
});
class Missing extends Error {}

listenExpress(
  (kind, id) => (credential.get(kind, id) as StoredCredential | undefined) ?? null,
  (accountId, ids) => {
    const [only] = ids;
    if (ids.length === 1) return removeOne.run(accountId, only).changes === 1;
    try {
      removeAll(accountId, ids);
      return true;
    } catch (error) {
      if (error instanceof Missing) return false;
      throw error;
    }
  },
);
