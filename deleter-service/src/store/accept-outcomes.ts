import type { Deletion } from './deletion.ts';
import {
  maxUnavailablePositions,
  type AcceptOutcome,
  type AcceptRequest,
  type UnavailableJobs,
} from './store.ts';

/** The positions of the ids that are unavailable, first to last, as many as are reported. */
export function unavailableAmong(
  jobIds: readonly string[],
  isUnavailable: (jobId: string, position: number) => boolean,
): UnavailableJobs {
  const positions: number[] = [];
  for (const [position, jobId] of jobIds.entries()) {
    if (!isUnavailable(jobId, position)) continue;
    if (positions.length === maxUnavailablePositions) return { positions, truncated: true };
    positions.push(position);
  }
  return { positions, truncated: false };
}

/** What a request with a key gets that the account has used for `deletion`. */
export function outcomeOfUsedKey(deletion: Deletion, jobIds: readonly string[]): AcceptOutcome {
  const same =
    deletion.jobIds.length === jobIds.length && deletion.jobIds.every((id, index) => id === jobIds[index]);
  return same ? { kind: 'replayed', deletion } : { kind: 'key-reused' };
}

/** The deletion as it begins. */
export function acceptedDeletion(request: AcceptRequest, claims: readonly string[]): Deletion {
  return {
    id: request.deletionId,
    accountId: request.accountId,
    jobIds: request.jobIds,
    claims,
    state: 'accepted',
    acceptedAtMs: request.acceptedAtMs,
    publishedAtMs: undefined,
    completedAtMs: undefined,
    publications: 0,
    idempotencyKey: request.idempotencyKey,
    origin: request.origin,
  };
}
