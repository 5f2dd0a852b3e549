import type { Deletion, DeletionReceipt } from '../deletion.ts';
import type { DeletionDocument } from './collections.ts';

type Unread =
  'job_ids' | 'claims' | 'versions' | 'jobs_collection' | 'due_at' | 'leased_by' | 'removed_parts' | 'kept';
export type ReceiptDocument = Omit<DeletionDocument, Unread>;

/** Names every field of a receipt: a field added later, perhaps a large one, is not read by accident. */
export const receiptFields = {
  _id: 1,
  account_id: 1,
  job_count: 1,
  state: 1,
  accepted_at: 1,
  published_at: 1,
  completed_at: 1,
  publications: 1,
  kept_count: 1,
  idempotency_key: 1,
  origin: 1,
} as const satisfies Record<keyof ReceiptDocument, 1>;

export function readReceiptDocument(document: ReceiptDocument): DeletionReceipt {
  return { ...readCommon(document), jobCount: document.job_count };
}

export function readDeletionDocument(document: DeletionDocument): Deletion {
  return {
    ...readCommon(document),
    jobIds: document.job_ids,
    claims: claimsAtAcceptance(document),
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
    completedAtMs: document.completed_at?.getTime(),
    publications: document.publications,
    idempotencyKey: document.idempotency_key,
    origin: document.origin,
    ...(document.kept_count !== undefined && { keptCount: document.kept_count }),
  };
}
