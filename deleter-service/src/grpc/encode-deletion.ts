import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { DeletionReceipt, DeletionState } from '../store/deletion.ts';

const stateNames = {
  accepted: 'DELETION_STATE_ACCEPTED',
  published: 'DELETION_STATE_PUBLISHED',
  completed: 'DELETION_STATE_COMPLETED',
} as const satisfies Record<DeletionState, string>;

/** @param jobIds only if the caller requests them */
export function encodeDeletion(deletion: DeletionReceipt, jobIds: readonly string[] = []): DeletionMessage {
  return {
    id: deletion.id,
    accountId: deletion.accountId,
    state: stateNames[deletion.state],
    jobCount: deletion.jobCount,
    keptJobCount: deletion.keptCount ?? 0,
    acceptedAtMs: deletion.acceptedAtMs,
    publishedAtMs: deletion.publishedAtMs ?? 0,
    completedAtMs: deletion.completedAtMs ?? 0,
    origin: deletion.origin,
    caller: deletion.origin.caller ?? '',
    jobIds: [...jobIds],
  };
}

/** Returns undefined for UNSPECIFIED, which means every state. */
export function decodeState(name: string): DeletionState | undefined {
  return (Object.keys(stateNames) as DeletionState[]).find((state) => stateNames[state] === name);
}
