import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { Deletion, DeletionState } from '../deletion/deletion.ts';

const stateNames = {
  accepted: 'DELETION_STATE_ACCEPTED',
  published: 'DELETION_STATE_PUBLISHED',
  completed: 'DELETION_STATE_COMPLETED',
} as const satisfies Record<DeletionState, string>;

export function encodeDeletion(deletion: Deletion, includeJobIds: boolean): DeletionMessage {
  return {
    id: deletion.id,
    accountId: deletion.accountId,
    state: stateNames[deletion.state],
    jobCount: deletion.jobIds.length,
    acceptedAtMs: deletion.acceptedAtMs,
    publishedAtMs: deletion.publishedAtMs ?? 0,
    completedAtMs: deletion.completedAtMs ?? 0,
    origin: deletion.origin,
    jobIds: includeJobIds ? [...deletion.jobIds] : [],
  };
}

/** Undefined for UNSPECIFIED: every state. */
export function decodeState(name: string): DeletionState | undefined {
  return (Object.keys(stateNames) as DeletionState[]).find((state) => stateNames[state] === name);
}
