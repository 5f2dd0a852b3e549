import { requireIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import {
  checkMongo,
  databaseOf,
  mongoRead,
  openMongo,
  type Mongo,
  type MongoPool,
} from '@jobs-delete/runtime/mongo/open-mongo';
import { StartupError } from '@jobs-delete/runtime/startup-error';
import { processClock, type ProcessClock } from '@jobs-delete/runtime/time/clock';
import { mongo } from 'mongoose';
import { createAcceptDeletions } from './mongo/accept.ts';
import { cancellationStoreOf } from './mongo/cancel.ts';
import { auditStoreOf } from './mongo/audit.ts';
import { defaultJobsMapping, type JobsMapping } from './jobs-mapping.ts';
import { collectionsOf, mongoIndexes, type Collections } from './mongo/collections.ts';
import { createHolds } from './mongo/holds.ts';
import { createInsertLock } from './mongo/insert-lock.ts';
import { jobStoreOf } from './mongo/jobs.ts';
import { outboxStoreOf } from './mongo/outbox.ts';
import { receiptStoreOf } from './mongo/receipts.ts';
import { removalStoreOf } from './mongo/remove.ts';
import { ruleStoreOf } from './mongo/rules.ts';
import { usageStoreOf } from './mongo/usage.ts';
import type { Store } from './store.ts';

export interface OpenMongoOptions {
  readonly pool?: MongoPool | undefined;
  /** False for a user without the right to read jobs: their ids are not checked. Default: true. */
  readonly mayReadJobs?: boolean | undefined;
  /** The clock of acceptance, and of looks for due deletions and wanted holds. Stored times of removal, receipts and the guard are the server's. */
  readonly clock?: ProcessClock | undefined;
}

/**
 * Opens the store on a MongoDB replica set or sharded cluster, for any number of processes. Every unique index starts
 * with the account, so both collections can be sharded by it.
 * @throws StartupError if indexes are missing, or if the jobs can't be claimed
 */
export async function openMongoStore(
  connection: Mongo,
  mapping: JobsMapping = defaultJobsMapping,
  { mayReadJobs = true, clock = processClock }: Omit<OpenMongoOptions, 'pool'> = {},
): Promise<Store> {
  requireUsable(mapping);
  await requireIndexes(mongoIndexes(connection, mapping));
  const collections = collectionsOf(connection, mapping);
  if (mayReadJobs) await requireObjectIds(collections);
  const holds = createHolds(collections, clock);

  return {
    acceptDeletions: createAcceptDeletions(
      collections,
      (await needsInsertLock(connection)) ? createInsertLock(collections.insertLocks) : undefined,
      holds,
      clock,
    ),
    ...outboxStoreOf(collections, clock),
    ...cancellationStoreOf(collections),
    ...removalStoreOf(collections),
    ...receiptStoreOf(collections),
    ...auditStoreOf(collections),
    ...jobStoreOf(collections, connection),
    ...ruleStoreOf(collections, clock),
    ...usageStoreOf(collections),
    check: () => checkMongo(connection),
    close: async () => {
      await holds.close();
      await connection.close();
    },
  };
}

/** Opens a connection and the store on it. `close` closes both. @throws StartupError */
export async function connectMongoStore(
  url: string,
  mapping?: JobsMapping,
  { pool, ...options }: OpenMongoOptions = {},
): Promise<Store> {
  const connection = await openMongo(url, { pool, ...connectionLimits });
  try {
    return await openMongoStore(connection, mapping, options);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const connectionLimits = {
  // More than the calls of group commit, late ones included.
  maxPoolSize: 40,
  // Longer than every time limit of the store: a black-holed connection leaves the pool in the end.
  socketTimeoutMS: 40_000,
};

/** Before 7.0, concurrent large inserts of one account are slow (https://jira.mongodb.org/browse/SERVER-65527). */
async function needsInsertLock(connection: Mongo): Promise<boolean> {
  const { versionArray } = await mongoRead(() => databaseOf(connection).command({ buildInfo: 1 }));
  const [major = 0] = versionArray as number[];
  return major < 7;
}

/** Queries use the plain field names, and `_id` is the claim. @throws StartupError */
function requireUsable({ idField, accountField, versionField, titleField }: JobsMapping): void {
  if (idField === accountField)
    throw new StartupError(`JOBS_ID_FIELD and JOBS_ACCOUNT_FIELD are both '${idField}': name two fields`);
  if (versionField === idField || versionField === accountField)
    throw new StartupError(
      `JOBS_VERSION_FIELD is '${versionField}', the field of the id or account: name another field`,
    );
  for (const field of [idField, accountField, versionField ?? idField]) {
    if (/^[^.$]+$/.test(field) && field !== '_id') continue;
    throw new StartupError(
      `The jobs can't have their id, account or version in '${field}': it must be a top-level field, not _id`,
    );
  }
  requireTitleField(titleField, idField);
}

/** MongoDB reads no field together with one that is part of it. */
function requireTitleField(titleField: string, idField: string): void {
  const parts = titleField.split('.');
  if (!parts.includes('') && (titleField === idField || parts[0] !== idField)) return;
  throw new StartupError(`JOBS_TITLE_FIELD is '${titleField}': it must be a field, and no part of the id`);
}

/**
 * A claim must never name a later posting, so `_id` must be an ObjectId. BSON sorts by type first: if the smallest and
 * the largest `_id` are ObjectIds, all are.
 */
async function requireObjectIds({ jobs, mapping }: Collections): Promise<void> {
  for (const direction of [1, -1] as const) {
    const options = { projection: { _id: 1 }, sort: { _id: direction } };
    const job = await mongoRead(() => jobs.findOne({}, options));
    if (job === null || job._id instanceof mongo.ObjectId) continue;
    throw new StartupError(
      `The collection '${mapping.collection}' has an _id that is no ObjectId. A job posted again under the same _id ` +
        `could not be told from the one deleted before: keep the id in '${mapping.idField}' and let MongoDB choose _id.`,
    );
  }
}
