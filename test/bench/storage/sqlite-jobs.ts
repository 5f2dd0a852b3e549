import Database from 'libsql';
import { jobId, posting } from '../job-ids.ts';
import type { Jobs } from './jobs.ts';

export interface SqliteJobs extends Jobs {
  close(): void;
}

/** Imports into our jobs table. The peer's table has the same columns without the claim. */
export function openSqliteJobs(file: string, accountId: string, staying: number): SqliteJobs {
  const database = new Database(file);
  database.pragma('busy_timeout = 20000');
  const insert = database.prepare(
    'INSERT INTO jobs (account_id, id, posting, imported_at_ms) VALUES (?, ?, ?, ?)',
  );
  const insertMany = database.transaction((from: number, count: number) => {
    for (let number = from; number < from + count; number++)
      insert.run(accountId, jobId(number), JSON.stringify(posting), Date.now());
  });
  const importJobs = (from: number, count: number) => {
    // In chunks: the service writes to the same file meanwhile.
    for (let start = from; start < from + count; start += 20_000)
      insertMany(start, Math.min(20_000, from + count - start));
    database.pragma('wal_checkpoint(PASSIVE)');
  };
  importJobs(500_000_000, staying);
  const range = database.prepare('SELECT count(*) AS count FROM jobs WHERE seq > ? AND seq <= ?');
  let first = 0;
  let end = 0;
  let last = { issuedJobs: 0, acceptedJobs: 0 };
  return {
    provide: (count) => {
      const missing = count - (end - first);
      if (missing > 0) {
        importJobs(end, missing);
        end += missing;
      }
      return Promise.resolve(first);
    },
    take: (run) => {
      first += run.issuedJobs;
      last = run;
    },
    // seq continues the numbering after the staying jobs.
    remaining: () => {
      const to = staying + first;
      const { count } = range.get(to - last.issuedJobs, to) as { count: number };
      return Promise.resolve(count - (last.issuedJobs - last.acceptedJobs));
    },
    close: () => database.close(),
  };
}

/** Creates the tables of the embedded peer, with a copy of our credentials. */
export function createPeerDatabase(file: string, ours: string): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec(`
    ATTACH DATABASE '${ours.replaceAll("'", "''")}' AS ours;
    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id TEXT NOT NULL,
      id TEXT NOT NULL,
      posting TEXT NOT NULL,
      imported_at_ms INTEGER NOT NULL,
      UNIQUE (account_id, id)
    ) STRICT;
    CREATE TABLE credentials AS SELECT kind, id, account_id, hash FROM ours.credentials;
    CREATE UNIQUE INDEX credentials_id ON credentials (kind, id);
    DETACH DATABASE ours;
  `);
  database.close();
}
