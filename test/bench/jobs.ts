import Database from 'libsql';
import { createConnection } from 'mongoose';
import { jobId, posting } from './load/orders.ts';

/** The jobs in a database: those that runs delete, and those that stay. */
export interface Jobs {
  /** Imports jobs until `count` can be deleted. Returns the number of the first one. */
  provide(count: number): Promise<number>;
  /** Records how many jobs a run requested and how many were accepted. */
  take(run: Run): void;
  /** Returns how many accepted jobs of the last run still exist. */
  remaining(): Promise<number>;
}

export interface Run {
  readonly acceptedJobs: number;
  readonly issuedJobs: number;
}

export interface MongoJobs extends Jobs {
  /** Inserts jobs until at least this many stay. */
  fill(size: number): Promise<void>;
  /** Inserts the same numbers for many accounts. They do not count as jobs of this account. */
  provideTo(accountIds: readonly string[], from: number, count: number): Promise<void>;
  /** Returns how many jobs an account has. */
  countOf(accountId: string): Promise<number>;
  close(): Promise<void>;
}

/** Imports directly into the collection, which all systems share. Measurements exclude the import. */
export async function openMongoJobs(databaseUrl: string, accountId: string): Promise<MongoJobs> {
  // Short timeouts find a new primary soon after the old one hangs.
  const timeouts = { heartbeatFrequencyMS: 1_000, connectTimeoutMS: 3_000 };
  const connection = await createConnection(databaseUrl, { maxPoolSize: 8, ...timeouts }).asPromise();
  const jobs = connection.getClient().db().collection('jobs');
  /** Deleted jobs have numbers in the order of their import. Jobs that stay have other numbers. */
  let first = 0;
  let end = 0;
  let staying = 0;
  let refused = 0;

  /** Otherwise the server writes the import while the next system is measured. */
  const writeCheckpoint = () => connection.getClient().db('admin').command({ fsync: 1 });

  const insert = async (account: string, from: number, count: number) => {
    const step = 5_000;
    const starts = Array.from({ length: Math.ceil(count / step) }, (_, index) => from + index * step);
    const write = async () => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
        const documents = Array.from({ length: Math.min(step, from + count - start) }, (_, index) => ({
          account_id: account,
          id: jobId(start + index),
          posting,
          imported_at: new Date(),
        }));
        await jobs.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
      }
    };
    await Promise.all([write(), write()]);
    await writeCheckpoint();
  };

  return {
    fill: async (size) => {
      // No run reaches these numbers.
      if (size > staying) await insert(accountId, 500_000_000 + staying, size - staying);
      staying = Math.max(size, staying);
    },
    provideTo: async (accountIds, from, count) => {
      const numbers = Array.from({ length: accountIds.length * count }, (_, index) => index);
      const ofStep = 5_000;
      for (let start = 0; start < numbers.length; start += ofStep) {
        const documents = numbers.slice(start, start + ofStep).map((number) => ({
          account_id: accountIds[number % accountIds.length],
          id: jobId(from + Math.floor(number / accountIds.length)),
          posting,
          imported_at: new Date(),
        }));
        await jobs.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
      }
      await writeCheckpoint();
    },
    countOf: (account) => jobs.countDocuments({ account_id: account }),
    provide: async (count) => {
      const missing = count - (end - first);
      if (missing > 0) {
        await insert(accountId, end, missing);
        end += missing;
      }
      return first;
    },
    take: ({ issuedJobs, acceptedJobs }) => {
      first += issuedJobs;
      refused += issuedJobs - acceptedJobs;
    },
    // Reading this count is free: the server maintains it. Subtracts the jobs that no request has named yet.
    remaining: async () => (await jobs.estimatedDocumentCount()) - staying - (end - first) - refused,
    close: () => connection.close(),
  };
}

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
