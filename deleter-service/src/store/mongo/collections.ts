import { databaseOf } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type Connection, type mongo, type Types } from 'mongoose';
import type { DeletionState, RequestOrigin } from '../deletion.ts';
import type { JobsMapping } from '../jobs-mapping.ts';
import type { RecordedPart } from '../removed-parts.ts';
import type { LockDocument } from './insert-lock.ts';

/** `_id` is the claim: an ObjectId, which is never reused, so an old deletion can't name a new posting. */
export interface JobDocument {
  _id: Types.ObjectId;
  posting?: unknown;
  imported_at?: unknown;
  [field: string]: unknown;
}

export interface DeletionDocument {
  _id: string;
  account_id: string;
  job_ids: string[];
  job_count: number;
  /** The `_id` of each job, unique over all deletions by an index: no job can be claimed twice. */
  claims: Types.ObjectId[];
  /** The collection of the claimed jobs; missing in documents of earlier releases. */
  jobs_collection?: string;
  /** The version field and its values: values[i] is that of claims[i] at acceptance. Missing without a version field. */
  versions?: { field: string; values: unknown[] };
  /** Jobs that changed before they were removed. claims[position] has been replaced since. */
  kept?: { position: number; claim: Types.ObjectId }[];
  kept_count?: number;
  state: DeletionState;
  accepted_at: Date;
  published_at?: Date;
  completed_at?: Date;
  /** The time from which any relay may publish the deletion; missing once it is completed. */
  due_at?: Date;
  leased_by?: string;
  publications: number;
  removed_parts: RecordedPart[];
  idempotency_key?: string;
  origin: RequestOrigin;
}

const locksCollection = 'insert_locks';

export interface Collections {
  readonly jobs: mongo.Collection<JobDocument>;
  readonly deletions: mongo.Collection<DeletionDocument>;
  readonly insertLocks: mongo.Collection<LockDocument>;
  readonly mapping: JobsMapping;
}

export function collectionsOf(connection: Connection, mapping: JobsMapping): Collections {
  const database = databaseOf(connection);
  return {
    jobs: database.collection(mapping.collection),
    deletions: database.collection('deletions'),
    insertLocks: database.collection(locksCollection),
    mapping,
  };
}

/**
 * Always names the index. When the jobs are already gone, every plan finds nothing quickly, and the planner may cache a
 * full account scan: slow once the account has a million jobs.
 */
export const byId = { hint: { _id: 1 } } as const;

/** Matches any of the filters. One hint holds for all of them, so each clause is one range of that index. */
export function anyOf<Filter extends object>(filters: readonly Filter[]): Filter | { $or: Filter[] } {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { $or: [...filters] };
}

export function byAccount<Item>(items: readonly Item[], accountOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(accountOf(item));
    if (group === undefined) groups.set(accountOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The index of the deletions that are not completed. */
export const byDue = { hint: 'state_due' } as const;

/** The index of an account's deletions, newest first. */
export const byAccepted = { hint: 'account_accepted' } as const;

/**
 * Returns the models: what is stored, and the indexes. The hot path uses the driver's collections below them, because
 * its values are checked already and need no casting.
 */
export function mongoModels(connection: Connection, mapping: JobsMapping) {
  const overwriteModels = { overwriteModels: true };
  return [
    connection.model('Job', jobSchema(mapping), undefined, overwriteModels),
    connection.model('Deletion', deletionSchema(), undefined, overwriteModels),
    connection.model('InsertLock', lockSchema(), undefined, overwriteModels),
  ] as const;
}

const schemaOptions = { autoIndex: false, autoCreate: false, versionKey: false, strict: 'throw' } as const;

function jobSchema({ collection, accountField, idField }: JobsMapping) {
  const schema = new Schema(
    { [accountField]: String, [idField]: String, posting: Schema.Types.Mixed, imported_at: Date },
    { ...schemaOptions, collection, id: false, strict: false },
  );
  schema.index({ [accountField]: 1, [idField]: 1 }, { unique: true, name: 'account_job' });
  return schema;
}

function deletionSchema() {
  const schema = new Schema<DeletionDocument>(
    {
      _id: String,
      account_id: { type: String, required: true },
      job_ids: { type: [String], required: true },
      job_count: { type: Number, required: true },
      claims: { type: [Schema.Types.ObjectId], required: true },
      jobs_collection: String,
      versions: Schema.Types.Mixed,
      kept: { type: [Schema.Types.Mixed], default: undefined },
      kept_count: Number,
      state: { type: String, required: true },
      accepted_at: { type: Date, required: true },
      published_at: Date,
      completed_at: Date,
      due_at: Date,
      leased_by: String,
      publications: { type: Number, required: true },
      removed_parts: { type: [Schema.Types.Mixed], required: true },
      idempotency_key: String,
      origin: { type: Schema.Types.Mixed, required: true },
    },
    { ...schemaOptions, collection: 'deletions' },
  );
  schema.index({ account_id: 1, claims: 1 }, { unique: true, name: 'account_claims' });
  schema.index(
    { account_id: 1, idempotency_key: 1 },
    { unique: true, name: 'account_idempotency_key', partialFilterExpression: exists('idempotency_key') },
  );
  // The outbox is counted, and accounts are left out, from this index alone: a document may hold 10,000 ids.
  schema.index(
    { state: 1, due_at: 1, accepted_at: 1, account_id: 1 },
    { name: byDue.hint, partialFilterExpression: exists('due_at') },
  );
  schema.index({ account_id: 1, accepted_at: -1, _id: -1 }, { name: byAccepted.hint });
  schema.index({ completed_at: 1 }, { name: 'completed', partialFilterExpression: exists('completed_at') });
  return schema;
}

function exists(field: keyof DeletionDocument) {
  return { [field]: { $exists: true } };
}

function lockSchema() {
  return new Schema<LockDocument>(
    { _id: String, holder: String, until: Date },
    { ...schemaOptions, collection: locksCollection },
  );
}
