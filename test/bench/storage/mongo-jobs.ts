import { createConnection } from 'mongoose';
import { jobId, posting } from '../job-ids.ts';
import type { Jobs } from './jobs.ts';

export interface MongoJobs extends Jobs {
  /** Sees to it that so many jobs stay. */
  fill(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Imports straight into the collection: fast, and outside of what is measured. All systems share the collection. */
export async function openMongoJobs(databaseUrl: string, accountId: string): Promise<MongoJobs> {
  const connection = await createConnection(databaseUrl, { maxPoolSize: 8 }).asPromise();
  const jobs = connection.getClient().db().collection('jobs');
  /** Jobs are numbered in the order of their import; those that stay are none of them. */
  let first = 0;
  let end = 0;
  let staying = 0;
  let refused = 0;

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
    // A checkpoint now, or the server writes the import while the next system is measured.
    await connection.getClient().db('admin').command({ fsync: 1 });
  };

  return {
    fill: async (size) => {
      // Of the same account, with numbers that no run comes to.
      if (size > staying) await insert(accountId, 500_000_000 + staying, size - staying);
      staying = Math.max(size, staying);
    },
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
    // The server keeps count, so that asking costs nothing: all that is there, less what has not been asked for.
    remaining: async () => (await jobs.estimatedDocumentCount()) - staying - (end - first) - refused,
    close: () => connection.close(),
  };
}
