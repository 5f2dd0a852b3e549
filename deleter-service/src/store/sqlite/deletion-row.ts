import type { Deletion, DeletionState, RequestOrigin } from '../../deletion/deletion.ts';

export const deletionColumns =
  'id, account_id, job_ids, claims, state, accepted_at_ms, published_at_ms, completed_at_ms, publications, idempotency_key, origin';

export type DeletionRow = [
  id: string,
  accountId: string,
  jobIds: string,
  claims: string,
  state: DeletionState,
  acceptedAtMs: number,
  publishedAtMs: number | null,
  completedAtMs: number | null,
  publications: number,
  idempotencyKey: string | null,
  origin: string,
];

export function readDeletionRow(row: DeletionRow): Deletion {
  return {
    id: row[0],
    accountId: row[1],
    jobIds: JSON.parse(row[2]) as string[],
    claims: (JSON.parse(row[3]) as number[]).map(String),
    state: row[4],
    acceptedAtMs: row[5],
    publishedAtMs: row[6] ?? undefined,
    completedAtMs: row[7] ?? undefined,
    publications: row[8],
    idempotencyKey: row[9] ?? undefined,
    origin: JSON.parse(row[10]) as RequestOrigin,
  };
}
