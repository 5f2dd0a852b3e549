import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { declareIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import { databaseOf } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo, Connection, IndexOptions } from 'mongoose';
import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from '../deletion.ts';
import type { JobsMapping } from '../jobs-mapping.ts';
import type { ClaimRange } from '../removed-parts.ts';
import type { DeletionKey } from '../store.ts';
import type { LockDocument } from './insert-lock.ts';
import type { RuleDocument } from './rules.ts';
import type { UsageDocument } from './usage.ts';

/** `_id` is the claim: an ObjectId, which is never reused, so an old deletion can't name a new posting. */
export interface JobDocument {
  _id: mongo.ObjectId;
  posting?: unknown;
  imported_at?: unknown;
  [field: string]: unknown;
}

export interface DeletionDocument {
  _id: string;
  account_id: string;
  job_ids: string[];
  job_count: number;
  /**
   * The `_id` of each job, unique over all deletions by an index: no job can be claimed twice. A cancelled deletion has one
   * unused claim, because the index has a key for an empty list too.
   */
  claims: mongo.ObjectId[];
  /** The collection of the claimed jobs. */
  jobs_collection: string;
  /** The version field and its values: values[i] is that of claims[i] at acceptance. Missing without a version field. */
  versions?: { field: string; values: unknown[] };
  /** Jobs that changed before they were removed. claims[position] has been replaced since. */
  kept?: { position: number; claim: mongo.ObjectId }[];
  kept_count?: number;
  state: DeletionState;
  accepted_at: Date;
  published_at?: Date;
  /** For a cancelled deletion, the time at which its event was published. Receipts expire by this time. */
  completed_at?: Date;
  /** The end of the delay. */
  removal_at?: Date;
  cancelled_at?: Date;
  cancel_origin?: RequestOrigin;
  /** The time from which any relay may publish the deletion; missing once `completed_at` is there. */
  due_at?: Date;
  leased_by?: string;
  publications: number;
  removed_parts: ClaimRange[];
  /** The reservation of jobs that it was accepted under; missing if the account has no limit (docs/decisions/guard.md). */
  hold?: string;
  idempotency_key?: string;
  origin: RequestOrigin;
}

export interface Collections {
  readonly jobs: mongo.Collection<JobDocument>;
  readonly deletions: mongo.Collection<DeletionDocument>;
  readonly insertLocks: mongo.Collection<LockDocument>;
  /** Has no index but that of `_id`, the account. */
  readonly safetyRules: mongo.Collection<RuleDocument>;
  /** Has no index but that of `_id`, the account. */
  readonly deletionUsage: mongo.Collection<UsageDocument>;
  readonly mapping: JobsMapping;
}

/** The collections, and the time left until the caller stops waiting. */
export interface TimedCollections extends Collections {
  readonly remainingMs: () => number;
}

export function collectionsOf(connection: Connection, mapping: JobsMapping): Collections {
  const database = databaseOf(connection);
  return {
    jobs: database.collection(mapping.collection),
    deletions: database.collection('deletions'),
    insertLocks: database.collection('insert_locks'),
    safetyRules: database.collection('safety_rules'),
    deletionUsage: database.collection('deletion_usage'),
    mapping,
  };
}

/**
 * Always names the index. When the jobs are already gone, every plan finds nothing quickly, and the planner may cache a
 * full account scan: slow once the account has a million jobs.
 */
export const byId = { hint: { _id: 1 } } as const;

/** The index of the deletions that have `due_at`. */
export const byDue = { hint: 'state_due' } as const;

/** The index of an account's deletions, newest first. */
export const byAccepted = { hint: 'account_accepted' } as const;

/** The index of the jobs. */
export function byJob({ accountField, idField }: JobsMapping) {
  return { hint: { [accountField]: 1, [idField]: 1 } } as const;
}

/**
 * Finds deletions by the index of claims. Reads only the wanted claims of a large deletion, which may have thousands more. The
 * server builds their set for each deletion, so small ones are read whole.
 */
export function byClaims(wanted: readonly mongo.ObjectId[]) {
  const isSmall = { $lt: ['$job_count', largeRequestJobs] };
  const claims = { $cond: [isSmall, '$claims', { $setIntersection: ['$claims', wanted] }] };
  return { projection: { claims }, hint: { account_id: 1, claims: 1 } } as const;
}

/** The collections and their indexes. They have no models (docs/decisions/mongoose.md). */
export function mongoIndexes(connection: Connection, { collection, accountField, idField }: JobsMapping) {
  return [
    declareIndexes(connection, collection, [
      [
        { [accountField]: 1, [idField]: 1 },
        { name: 'account_job', unique: true },
      ],
    ]),
    declareIndexes(connection, 'deletions', [
      [
        { account_id: 1, claims: 1 },
        { name: 'account_claims', unique: true },
      ],
      [
        { account_id: 1, idempotency_key: 1 },
        { name: 'account_idempotency_key', unique: true, ...onlyWith('idempotency_key') },
      ],
      // The outbox is counted, and accounts are left out, from this index alone: a document may hold 10,000 ids.
      [
        { state: 1, due_at: 1, accepted_at: 1, account_id: 1 },
        { name: byDue.hint, ...onlyWith('due_at') },
      ],
      [{ account_id: 1, accepted_at: -1, _id: -1 }, { name: byAccepted.hint }],
      [{ completed_at: 1 }, { name: 'completed', ...onlyWith('completed_at') }],
    ]),
    declareIndexes(connection, 'insert_locks', []),
    declareIndexes(connection, 'safety_rules', []),
    declareIndexes(connection, 'deletion_usage', []),
  ] as const;
}

function onlyWith(field: keyof DeletionDocument): IndexOptions {
  return { partialFilterExpression: { [field]: { $exists: true } } };
}

/** A relay publishes a deletion only after its lease, which ends the wait. */
export const hasBegun = { state: { $in: ['accepted', 'published'] satisfies DeletionState[] } };
export const isOpen = { state: { $in: ['waiting', 'accepted', 'published'] satisfies DeletionState[] } };

/** Matches the deletions. Names their accounts too, by which the collection may be sharded. */
export function withKeys(keys: readonly DeletionKey[]) {
  return {
    account_id: { $in: [...new Set(keys.map(({ accountId }) => accountId))] },
    _id: { $in: [...new Set(keys.map(({ deletionId }) => deletionId))] },
  };
}

/** Matches any of the filters. One hint holds for all of them, so each clause is one range of that index. */
export function anyOf<Filter extends object>(filters: readonly Filter[]): Filter | { $or: Filter[] } {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { $or: [...filters] };
}

/** Names every field of a receipt: a field added later, perhaps a large one, is not read by accident. */
export const receiptFields = {
  _id: 1,
  account_id: 1,
  job_count: 1,
  state: 1,
  accepted_at: 1,
  published_at: 1,
  completed_at: 1,
  removal_at: 1,
  cancelled_at: 1,
  cancel_origin: 1,
  publications: 1,
  kept_count: 1,
  idempotency_key: 1,
  origin: 1,
} as const satisfies Partial<Record<keyof DeletionDocument, 1>>;

export type ReceiptDocument = Pick<DeletionDocument, keyof typeof receiptFields>;

export function readReceiptDocument(document: ReceiptDocument): DeletionReceipt {
  return { ...readCommon(document), jobCount: document.job_count };
}

export function readDeletionDocument(document: DeletionDocument): Deletion {
  return {
    ...readCommon(document),
    jobIds: document.job_ids,
    claims: document.state === 'cancelled' ? [] : claimsAtAcceptance(document),
  };
}

/** Returns the claims that events name, including those of kept jobs. */
export function claimsAtAcceptance({
  claims,
  kept = [],
}: Pick<DeletionDocument, 'claims' | 'kept'>): string[] {
  const accepted = claims.map((claim) => claim.toHexString());
  for (const { position, claim } of kept) accepted[position] = claim.toHexString();
  return accepted;
}

function readCommon(document: ReceiptDocument): Omit<DeletionReceipt, 'jobCount'> {
  return {
    id: document._id,
    accountId: document.account_id,
    state: document.state,
    acceptedAtMs: document.accepted_at.getTime(),
    publishedAtMs: document.published_at?.getTime(),
    completedAtMs: document.state === 'completed' ? document.completed_at?.getTime() : undefined,
    publications: document.publications,
    idempotencyKey: document.idempotency_key,
    origin: document.origin,
    ...(document.kept_count !== undefined && { keptCount: document.kept_count }),
    ...(document.removal_at !== undefined && { removalAtMs: document.removal_at.getTime() }),
    ...(document.cancelled_at !== undefined && { cancelledAtMs: document.cancelled_at.getTime() }),
    ...(document.cancel_origin !== undefined && { cancelOrigin: document.cancel_origin }),
  };
}
