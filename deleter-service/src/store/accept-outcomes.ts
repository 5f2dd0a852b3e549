import type { Deletion } from './deletion.ts';
import type { AcceptOutcome, AcceptRequest } from './store.ts';

/** Returns the positions of the missing ids in ascending order. */
export function missingAmong(
  jobIds: readonly string[],
  isMissing: (jobId: string, position: number) => boolean,
): number[] {
  const positions: number[] = [];
  for (const [position, jobId] of jobIds.entries()) if (isMissing(jobId, position)) positions.push(position);
  return positions;
}

/** Returns the outcome of a request whose id is on record as `deletion`, of any account. */
export function outcomeOfRecord(deletion: Deletion, { accountId, jobIds }: AcceptRequest): AcceptOutcome {
  const isSame = deletion.accountId === accountId && hasIds(deletion, jobIds);
  return isSame ? { kind: 'accepted', deletion, isRepeated: true } : { kind: 'key-reused' };
}

/** Returns the outcome of a request whose key the account has already used for `deletion`. */
export function outcomeOfUsedKey(deletion: Deletion, request: AcceptRequest): AcceptOutcome {
  // Its record may have appeared after it was searched by its id.
  if (deletion.id === request.deletionId) return outcomeOfRecord(deletion, request);
  return hasIds(deletion, request.jobIds) ? { kind: 'replayed', deletion } : { kind: 'key-reused' };
}

function hasIds(deletion: Deletion, jobIds: readonly string[]): boolean {
  return (
    deletion.jobIds.length === jobIds.length && deletion.jobIds.every((id, index) => id === jobIds[index])
  );
}

/** Returns the deletion in its first state. */
export function acceptedDeletion(request: AcceptRequest, claims: readonly string[]): Deletion {
  return {
    id: request.deletionId,
    accountId: request.accountId,
    jobIds: request.jobIds,
    claims,
    state: request.removalAtMs === undefined ? 'accepted' : 'waiting',
    acceptedAtMs: request.acceptedAtMs,
    publishedAtMs: undefined,
    completedAtMs: undefined,
    publications: 0,
    idempotencyKey: request.idempotencyKey,
    origin: request.origin,
    ...(request.removalAtMs !== undefined && { removalAtMs: request.removalAtMs }),
  };
}
