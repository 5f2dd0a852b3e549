import type { Deletion } from '../../deletion/deletion.ts';
import type { DeletionDocument } from './collections.ts';

export function readDeletionDocument(document: DeletionDocument): Deletion {
  return {
    id: document._id,
    accountId: document.account_id,
    jobIds: document.job_ids,
    claims: document.claims.map((claim) => claim.toHexString()),
    state: document.state,
    acceptedAtMs: document.accepted_at.getTime(),
    publishedAtMs: document.published_at?.getTime(),
    completedAtMs: document.completed_at?.getTime(),
    publications: document.publications,
    idempotencyKey: document.idempotency_key,
    origin: document.origin,
  };
}
