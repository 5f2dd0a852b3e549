import { randomBytes } from 'node:crypto';
import { createConnection, type mongo } from 'mongoose';
import { jobIds } from '../job-ids.ts';
import { perSecond } from './in-flight.ts';

const idsPerCommand = 1_000;
const commandsInFlight = 4;
const durable = { w: 'majority', journal: true } as const;

/** Measures finds, deletes and inserts of MongoDB alone. Deletes the given jobs. */
export async function mongoLimits(
  databaseUrl: string,
  jobs: { readonly accountId: string; readonly firstJob: number; readonly count: number },
  seconds: number,
) {
  const connection = await createConnection(databaseUrl, {
    maxPoolSize: 64,
    writeConcern: durable,
  }).asPromise();
  const database = connection.getClient().db();
  const collection = database.collection('jobs');
  const chunks = Array.from({ length: jobs.count / idsPerCommand }, (_, index) =>
    jobIds(jobs.firstJob + index * idsPerCommand, idsPerCommand),
  );
  const claims: mongo.ObjectId[][] = [];
  const findSeconds = await timeAll(chunks, async (ids) => {
    const filter = { account_id: jobs.accountId, id: { $in: ids } };
    const found = await collection.find(filter, { projection: { _id: 1 } }).toArray();
    claims.push(found.map(({ _id }) => _id));
  });
  const deleteSeconds = await timeAll(claims, (ids) => collection.deleteMany({ _id: { $in: ids } }));
  const inserts = await perSecond(64, seconds, () =>
    database.collection('bench_inserts').insertOne({ value: randomBytes(100) }),
  );
  await database.collection('bench_inserts').drop();
  await connection.close();
  return {
    'find by id, jobs/s': jobs.count / findSeconds,
    'deleteMany by _id, jobs/s': jobs.count / deleteSeconds,
    'insert, 64 in flight, documents/s': inserts,
  };
}

async function timeAll<Part>(parts: readonly Part[], operation: (part: Part) => Promise<unknown>) {
  const left = [...parts];
  const startedAt = performance.now();
  const worker = async () => {
    for (let part = left.pop(); part !== undefined; part = left.pop()) await operation(part);
  };
  await Promise.all(Array.from({ length: commandsInFlight }, worker));
  return (performance.now() - startedAt) / 1_000;
}
