import type { Schema } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from '../deletion.ts';

/**
 * `jobs.seq` is the claim: AUTOINCREMENT never reuses a number, so an old deletion can't name a new posting.
 * `jobs.claimed_by` stores one deletion: two deletions can't claim the same job.
 */
export const jobsSchema: Schema = {
  name: 'jobs',
  migrations: [
    `
    CREATE TABLE deletions (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL,
      job_ids TEXT NOT NULL,
      job_count INTEGER NOT NULL,
      claims TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'published', 'completed', 'cancelled')),
      accepted_at_ms INTEGER NOT NULL,
      published_at_ms INTEGER,
      completed_at_ms INTEGER,
      due_at_ms INTEGER,
      publications INTEGER NOT NULL DEFAULT 0,
      removed_parts TEXT NOT NULL DEFAULT '[]',
      idempotency_key TEXT,
      origin TEXT NOT NULL,
      removal_at_ms INTEGER,
      cancel_origin TEXT,
      cancelled_at_ms INTEGER CHECK ((cancelled_at_ms IS NOT NULL) = (state = 'cancelled')),
      -- A cancelled deletion is completed when its event is published.
      CHECK ((completed_at_ms IS NULL) = (due_at_ms IS NOT NULL)),
      CHECK (state <> 'waiting' OR removal_at_ms IS due_at_ms),
      CHECK (state <> 'completed' OR completed_at_ms IS NOT NULL),
      CHECK (state IN ('completed', 'cancelled') OR completed_at_ms IS NULL)
    ) STRICT;
    CREATE UNIQUE INDEX deletions_key ON deletions (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE INDEX deletions_due ON deletions (due_at_ms) WHERE due_at_ms IS NOT NULL;
    CREATE INDEX deletions_accepted ON deletions (account_id, accepted_at_ms, id);
    CREATE INDEX deletions_completed ON deletions (completed_at_ms) WHERE completed_at_ms IS NOT NULL;

    CREATE TABLE jobs (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      account_id TEXT NOT NULL,
      id TEXT NOT NULL,
      posting TEXT NOT NULL,
      imported_at_ms INTEGER NOT NULL,
      claimed_by INTEGER,
      UNIQUE (account_id, id)
    ) STRICT;

    CREATE TABLE safety_rules (account_id TEXT PRIMARY KEY, rules TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- What guarded accounts delete in each quarter of an hour, and the most jobs that they had in it.
    CREATE TABLE deletion_usage (
      account_id TEXT NOT NULL,
      quarter_ms INTEGER NOT NULL,
      jobs INTEGER NOT NULL,
      had INTEGER,
      counted_at_ms INTEGER,
      PRIMARY KEY (account_id, quarter_ms)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
};

export const receiptColumns =
  'id, account_id, job_count, state, accepted_at_ms, published_at_ms, completed_at_ms, publications, idempotency_key, origin, removal_at_ms, cancelled_at_ms, cancel_origin';

export type ReceiptRow = [
  id: string,
  accountId: string,
  jobCount: number,
  state: DeletionState,
  acceptedAtMs: number,
  publishedAtMs: number | null,
  completedAtMs: number | null,
  publications: number,
  idempotencyKey: string | null,
  origin: string,
  removalAtMs: number | null,
  cancelledAtMs: number | null,
  cancelOrigin: string | null,
];

export const deletionColumns = `${receiptColumns}, job_ids, claims`;

export type DeletionRow = [...ReceiptRow, jobIds: string, claims: string];

export function readReceiptRow(row: ReceiptRow): DeletionReceipt {
  return { ...readCommon(row), jobCount: row[2] };
}

export function readDeletionRow(row: DeletionRow): Deletion {
  return {
    ...readCommon(row),
    jobIds: JSON.parse(row[13]) as string[],
    claims: (JSON.parse(row[14]) as number[]).map(String),
  };
}

function readCommon(row: ReceiptRow | DeletionRow): Omit<DeletionReceipt, 'jobCount'> {
  return {
    id: row[0],
    accountId: row[1],
    state: row[3],
    acceptedAtMs: row[4],
    publishedAtMs: row[5] ?? undefined,
    completedAtMs: row[3] === 'completed' ? (row[6] ?? undefined) : undefined,
    publications: row[7],
    idempotencyKey: row[8] ?? undefined,
    origin: JSON.parse(row[9]) as RequestOrigin,
    ...(row[10] !== null && { removalAtMs: row[10] }),
    ...(row[11] !== null && { cancelledAtMs: row[11] }),
    ...(row[12] !== null && { cancelOrigin: JSON.parse(row[12]) as RequestOrigin }),
  };
}
