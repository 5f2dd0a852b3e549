import type { Deletion, DeletionReceipt, DeletionState, RequestOrigin } from '../deletion.ts';

export const receiptColumns =
  'id, account_id, job_count, state, accepted_at_ms, published_at_ms, completed_at_ms, publications, idempotency_key, origin';

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
];

export const deletionColumns = `${receiptColumns}, job_ids, claims`;

export type DeletionRow = [...ReceiptRow, jobIds: string, claims: string];

export function readReceiptRow(row: ReceiptRow): DeletionReceipt {
  return { ...readCommon(row), jobCount: row[2] };
}

export function readDeletionRow(row: DeletionRow): Deletion {
  return {
    ...readCommon(row),
    jobIds: JSON.parse(row[10]) as string[],
    claims: (JSON.parse(row[11]) as number[]).map(String),
  };
}

function readCommon(row: ReceiptRow | DeletionRow): Omit<DeletionReceipt, 'jobCount'> {
  return {
    id: row[0],
    accountId: row[1],
    state: row[3],
    acceptedAtMs: row[4],
    publishedAtMs: row[5] ?? undefined,
    completedAtMs: row[6] ?? undefined,
    publications: row[7],
    idempotencyKey: row[8] ?? undefined,
    origin: JSON.parse(row[9]) as RequestOrigin,
  };
}
