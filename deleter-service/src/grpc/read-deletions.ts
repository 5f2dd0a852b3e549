import { status } from '@grpc/grpc-js';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { ListDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import type { DeletionReceipt } from '../store/deletion.ts';
import { formatPageToken, parsePageToken } from '../store/deletion-pages.ts';
import type { ReceiptStore } from '../store/store.ts';
import { decodeState, encodeDeletion } from './encode-deletion.ts';
import { GrpcError, invalidField } from './grpc-error.ts';

export async function getDeletion(
  request: GetDeletionRequest__Output,
  store: ReceiptStore,
): Promise<DeletionMessage> {
  const { receipt, jobIds } = await findRequested(request, store);
  return encodeDeletion(receipt, jobIds);
}

const defaultPageSize = 100;
const maxPageSize = 1_000;

export async function listDeletions(
  request: ListDeletionsRequest__Output,
  store: ReceiptStore,
): Promise<ListDeletionsResponse> {
  const { accountId, pageSize, pageToken } = request;
  if (accountId === '') throw invalidField('account_id', 'is required');
  if (pageSize > maxPageSize) throw invalidField('page_size', `must be at most ${String(maxPageSize)}`);
  const after = pageToken === '' ? undefined : parsePageToken(pageToken);
  if (pageToken !== '' && after === undefined)
    throw invalidField('page_token', 'is not one that was answered before');
  const { deletions, next } = await store.listDeletions({
    accountId,
    state: decodeState(request.state),
    tokenId: request.tokenId || undefined,
    acceptedFromMs: request.acceptedFromMs || undefined,
    acceptedToMs: request.acceptedToMs || undefined,
    pageSize: pageSize || defaultPageSize,
    after,
  });
  const page = firstInMessage(deletions);
  const last = page.length < deletions.length ? page.at(-1) : next;
  return {
    deletions: page.map((deletion) => encodeDeletion(deletion)),
    nextPageToken: last === undefined ? '' : formatPageToken(last),
  };
}

/** A quarter of what a gRPC message may have by default. */
const maxPageBytes = 1_048_576;

/** Returns at least one deletion: a User-Agent alone may have 16 kB. */
function firstInMessage(deletions: readonly DeletionReceipt[]): readonly DeletionReceipt[] {
  let bytes = 0;
  const tooMany = deletions.findIndex(({ origin }, index) => {
    bytes += Buffer.byteLength(JSON.stringify(origin)) + 200;
    return index > 0 && bytes > maxPageBytes;
  });
  return tooMany === -1 ? deletions : deletions.slice(0, tooMany);
}

/** Reads the ids of the jobs only if the request asks for them. @throws GrpcError if there is no such deletion */
export async function findRequested(
  { accountId, deletionId, includeJobIds }: GetDeletionRequest__Output,
  store: ReceiptStore,
): Promise<{ readonly receipt: DeletionReceipt; readonly jobIds?: readonly string[] }> {
  if (accountId === '') throw invalidField('account_id', 'is required');
  if (deletionId === '') throw invalidField('deletion_id', 'is required');
  if (includeJobIds) {
    const deletion = await store.findDeletion(deletionId, accountId);
    const jobIds = deletion?.jobIds ?? [];
    if (deletion !== undefined) return { receipt: { ...deletion, jobCount: jobIds.length }, jobIds };
  } else {
    const receipt = await store.findReceipt(deletionId, accountId);
    if (receipt !== undefined) return { receipt };
  }
  throw new GrpcError(status.NOT_FOUND, 'The deletion was not found.', [
    { kind: 'resource-info', resourceType: 'deletion', resourceName: deletionId },
  ]);
}
