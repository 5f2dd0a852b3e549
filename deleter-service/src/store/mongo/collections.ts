import { databaseOf } from '@jobs-delete/runtime/mongo/open-mongo';
import { Schema, type Connection, type mongo, type Types } from 'mongoose';
import type { DeletionState, RequestOrigin } from '../deletion.ts';
import type { JobsMapping } from '../jobs-mapping.ts';
import type { RecordedPart } from '../removed-parts.ts';
import type { TurnDocument } from './write-turns.ts';

/** `_id` is the claim: an ObjectId, which is never given twice, so an old deletion can't name a new posting. */
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
  /** The collection that the claims are of; missing in documents of earlier releases. */
  jobs_collection?: string;
  /** The field that holds the jobs' versions; values[i] is that of claims[i] at acceptance. Missing where no field does. */
  versions?: { field: string; values: unknown[] };
  /** Jobs that changed before they were removed. claims[position] is another claim since. */
  kept?: { position: number; claim: Types.ObjectId }[];
  kept_count?: number;
  state: DeletionState;
  accepted_at: Date;
  published_at?: Date;
  completed_at?: Date;
  /** While it is not completed: from when on any relay may publish it. */
  due_at?: Date;
  leased_by?: string;
  publications: number;
  removed_parts: RecordedPart[];
  idempotency_key?: string;
  origin: RequestOrigin;
}

const turnsCollection = 'write_turns';

export interface Collections {
  readonly jobs: mongo.Collection<JobDocument>;
  readonly deletions: mongo.Collection<DeletionDocument>;
  readonly writeTurns: mongo.Collection<TurnDocument>;
  readonly mapping: JobsMapping;
}

export function collectionsOf(connection: Connection, mapping: JobsMapping): Collections {
  const database = databaseOf(connection);
  return {
    jobs: database.collection(mapping.collection),
    deletions: database.collection('deletions'),
    writeTurns: database.collection(turnsCollection),
    mapping,
  };
}

/**
 * The planner must not choose: where another attempt has removed the jobs already every plan finds nothing, and one
 * that walks through all jobs of the account can win, and be remembered for when there are a million of them.
 */
export const byId = { hint: { _id: 1 } } as const;

/** The index of the deletions that are not completed. */
export const byDue = { hint: 'state_due' } as const;

/**
 * The models declare what is stored and its indexes. The hot path uses the driver's collections underneath them:
 * there is nothing to cast in what this program itself has checked.
 */
export function mongoModels(connection: Connection, mapping: JobsMapping) {
  const options = { autoIndex: false, autoCreate: false, versionKey: false, strict: 'throw' } as const;
  const jobSchema = new Schema(
    {
      [mapping.accountField]: String,
      [mapping.idField]: String,
      posting: Schema.Types.Mixed,
      imported_at: Date,
    },
    { ...options, collection: mapping.collection, id: false, strict: false },
  );
  jobSchema.index({ [mapping.accountField]: 1, [mapping.idField]: 1 }, { unique: true, name: 'account_job' });

  const deletionSchema = new Schema<DeletionDocument>(
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
    { ...options, collection: 'deletions' },
  );
  deletionSchema.index({ account_id: 1, claims: 1 }, { unique: true, name: 'account_claims' });
  deletionSchema.index(
    { account_id: 1, idempotency_key: 1 },
    {
      unique: true,
      name: 'account_idempotency_key',
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
  );
  // The outbox is counted from this index alone: a document may hold 10,000 ids.
  deletionSchema.index(
    { state: 1, due_at: 1, accepted_at: 1 },
    { name: byDue.hint, partialFilterExpression: { due_at: { $exists: true } } },
  );
  deletionSchema.index({ account_id: 1, accepted_at: -1, _id: -1 }, { name: 'account_accepted' });
  deletionSchema.index(
    { completed_at: 1 },
    { name: 'completed', partialFilterExpression: { completed_at: { $exists: true } } },
  );
  const turnSchema = new Schema<TurnDocument>(
    { _id: String, holder: String, until: Date },
    { ...options, collection: turnsCollection },
  );
  const overwriteModels = { overwriteModels: true };
  return [
    connection.model('Job', jobSchema, undefined, overwriteModels),
    connection.model('Deletion', deletionSchema, undefined, overwriteModels),
    connection.model('WriteTurn', turnSchema, undefined, overwriteModels),
  ] as const;
}
