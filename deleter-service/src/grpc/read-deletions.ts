import { status } from '@grpc/grpc-js';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { ListDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import type { Clock } from '../deletion/clock.ts';
import type { Deletion } from '../deletion/deletion.ts';
import { formatPageToken, parsePageToken } from '../store/page-token.ts';
import type { ReceiptStore } from '../store/store.ts';
import { decodeState, encodeDeletion } from './encode-deletion.ts';
import { GrpcError } from './grpc-error.ts';

export async function getDeletion(
  request: GetDeletionRequest__Output,
  store: ReceiptStore,
): Promise<DeletionMessage> {
  return encodeDeletion(await find(request, store), request.includeJobIds);
}

const defaultPageSize = 100;
const maxPageSize = 1_000;

export async function listDeletions(
  request: ListDeletionsRequest__Output,
  store: ReceiptStore,
): Promise<ListDeletionsResponse> {
  const { accountId, pageSize, pageToken } = request;
  if (accountId === '') throw invalid('account_id', 'is required');
  if (pageSize > maxPageSize) throw invalid('page_size', `must be at most ${String(maxPageSize)}`);
  const after = pageToken === '' ? undefined : parsePageToken(pageToken);
  if (pageToken !== '' && after === undefined)
    throw invalid('page_token', 'is not one that was answered before');
  const { deletions, next } = await store.listDeletions({
    accountId,
    state: decodeState(request.state),
    pageSize: pageSize || defaultPageSize,
    after,
  });
  return {
    deletions: deletions.map((deletion) => encodeDeletion(deletion, false)),
    nextPageToken: next === undefined ? '' : formatPageToken(next),
  };
}

export interface WatchOptions {
  readonly store: ReceiptStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}

/** The deletion, then again at each change of its state, until it is completed; UNAVAILABLE if cut short. */
export async function* watchDeletion(
  request: GetDeletionRequest__Output,
  { store, clock, signal, pollMs = 100 }: WatchOptions,
): AsyncGenerator<DeletionMessage> {
  let sent: Deletion | undefined;
  while (!signal.aborted) {
    const deletion = await find(request, store);
    if (deletion.state !== sent?.state) yield encodeDeletion(deletion, request.includeJobIds);
    if (deletion.state === 'completed') return;
    sent = deletion;
    await clock.sleep(pollMs, signal);
  }
  throw new GrpcError(status.UNAVAILABLE, 'The watch was cut short; watch again.');
}

async function find(
  { accountId, deletionId }: GetDeletionRequest__Output,
  store: ReceiptStore,
): Promise<Deletion> {
  if (accountId === '') throw invalid('account_id', 'is required');
  if (deletionId === '') throw invalid('deletion_id', 'is required');
  const deletion = await store.findDeletion(deletionId, accountId);
  if (deletion !== undefined) return deletion;
  throw new GrpcError(status.NOT_FOUND, 'The deletion was not found.', [
    { kind: 'resource-info', resourceType: 'deletion', resourceName: deletionId },
  ]);
}

function invalid(field: string, description: string): GrpcError {
  return new GrpcError(status.INVALID_ARGUMENT, 'The request is not valid.', [
    { kind: 'bad-request', violations: [{ field, description }] },
  ]);
}
