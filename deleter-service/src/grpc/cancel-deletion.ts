import { status } from '@grpc/grpc-js';
import type { CancelDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CancelDeletionRequest';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { CancellationStore } from '../store/cancellation.ts';
import { GrpcError, invalidField } from './grpc-error.ts';
import { encodeDeletion, noDeletion } from './read-deletions.ts';
import { readOrigin, type CallFacts } from './serve-delete-jobs.ts';

/** @throws GrpcError, Fault */
export async function cancelDeletion(
  { accountId, deletionId, origin }: CancelDeletionRequest__Output,
  store: Pick<CancellationStore, 'cancelDeletion'>,
  clock: Pick<Clock, 'now'>,
  call: CallFacts,
): Promise<DeletionMessage> {
  if (accountId === '') throw invalidField('account_id', 'is required');
  if (deletionId === '') throw invalidField('deletion_id', 'is required');
  const key = { accountId, deletionId };
  const cancellation = await store.cancelDeletion(key, clock.now(), readOrigin(origin, call));
  switch (cancellation.kind) {
    case 'cancelled':
      return encodeDeletion(cancellation.receipt);
    case 'not-found':
      throw noDeletion(deletionId);
    case 'not-cancellable':
      throw new GrpcError(status.FAILED_PRECONDITION, 'The deletion does not wait: its removal has begun.');
  }
}
