import type { CountDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsRequest';
import type { CountDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/CountDeletionsResponse';
import type { DayCounts as DayCountsMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/DayCounts';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { GetDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/GetDeletionRequest';
import type { ListDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsRequest';
import type { ListDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/ListDeletionsResponse';
import { firstByWeight, sumOf } from '@jobs-delete/runtime/batching/groups';
import { dayLengthMs, type CountByDay, type DayCounts } from '../deletion/count-by-day.ts';
import type { DeletionReceipt, DeletionState } from '../store/deletion.ts';
import { formatPageToken, parsePageToken } from '../store/receipt-store.ts';
import type { Store } from '../store/store.ts';
import { invalidField, notFound, requireText } from './grpc-error.ts';

type Finder = Pick<Store, 'findDeletion' | 'findReceipt'>;

export async function getDeletion(
  request: GetDeletionRequest__Output,
  store: Finder,
): Promise<DeletionMessage> {
  const { receipt, jobIds } = await findRequested(request, store);
  return encodeDeletion(receipt, jobIds);
}

const defaultPageSize = 100;
const maxPageSize = 1_000;

export async function listDeletions(
  request: ListDeletionsRequest__Output,
  store: Pick<Store, 'listDeletions'>,
): Promise<ListDeletionsResponse> {
  const { accountId, pageSize, pageToken } = request;
  requireText('account_id', accountId);
  if (pageSize > maxPageSize) throw invalidField('page_size', `must be at most ${String(maxPageSize)}`);
  const after = pageToken === '' ? undefined : parsePageToken(pageToken);
  if (pageToken !== '' && after === undefined)
    throw invalidField('page_token', 'is not one that was answered before');
  const { deletions, next } = await store.listDeletions({
    accountId,
    state: decodeState(request.state),
    tokenId: request.tokenId || undefined,
    jobId: request.jobId || undefined,
    acceptedFromMs: request.acceptedFromMs || undefined,
    acceptedToMs: request.acceptedToMs || undefined,
    pageSize: pageSize || defaultPageSize,
    after,
  });
  const page = firstByWeight(deletions, bytesOf, maxPageBytes);
  const last = page.length < deletions.length ? page.at(-1) : next;
  return {
    deletions: page.map((deletion) => encodeDeletion(deletion)),
    nextPageToken: last === undefined ? '' : formatPageToken(last),
    examinedFromMs: last?.acceptedAtMs ?? 0,
  };
}

/** A quarter of what a gRPC message may have by default. */
const maxPageBytes = 1_048_576;

/** A User-Agent alone may have 16 kB. */
function bytesOf({ origin, cancelOrigin }: DeletionReceipt): number {
  return Buffer.byteLength(JSON.stringify([origin, cancelOrigin])) + 200;
}

/** Reads the ids of the jobs only if the request asks for them. @throws GrpcError if there is no such deletion */
export async function findRequested(
  { accountId, deletionId, includeJobIds }: GetDeletionRequest__Output,
  store: Finder,
): Promise<{ readonly receipt: DeletionReceipt; readonly jobIds?: readonly string[] }> {
  requireText('account_id', accountId);
  requireText('deletion_id', deletionId);
  if (includeJobIds) {
    const deletion = await store.findDeletion(deletionId, accountId);
    const jobIds = deletion?.jobIds ?? [];
    if (deletion !== undefined) return { receipt: { ...deletion, jobCount: jobIds.length }, jobIds };
  } else {
    const receipt = await store.findReceipt(deletionId, accountId);
    if (receipt !== undefined) return { receipt };
  }
  throw notFound('deletion', deletionId);
}

const maxDays = 92;

export interface CountOptions {
  readonly countByDay: CountByDay;
  /** Undefined: callers are not told. */
  readonly retentionMs: number | undefined;
}

export async function countDeletions(
  { accountId, fromMs, toMs, tokenId }: CountDeletionsRequest__Output,
  deadlineMs: number | undefined,
  { countByDay, retentionMs = 0 }: CountOptions,
): Promise<CountDeletionsResponse> {
  requireText('account_id', accountId);
  if (fromMs < 0) throw invalidField('from_ms', 'must not be negative');
  if (toMs <= fromMs) throw invalidField('to_ms', 'must be later than from_ms');
  if (toMs - fromMs > maxDays * dayLengthMs)
    throw invalidField('to_ms', `must be at most ${String(maxDays)} days after from_ms`);
  const days = await countByDay({ accountId, fromMs, toMs, tokenId: tokenId || undefined }, deadlineMs);
  return { days: days.map(encodeDay), retentionMs };
}

function encodeDay({ dayMs, states }: DayCounts): DayCountsMessage {
  const completed = states.find(({ state }) => state === 'completed');
  return {
    dayMs,
    deletions: sumOf(states, 'deletions'),
    jobsAccepted: sumOf(states, 'jobs'),
    jobsRemoved: completed === undefined ? 0 : completed.jobs - completed.keptJobs,
    states: states.map(({ state, deletions, jobs }) => ({ state: stateNames[state], deletions, jobs })),
  };
}

const stateNames = {
  accepted: 'DELETION_STATE_ACCEPTED',
  published: 'DELETION_STATE_PUBLISHED',
  completed: 'DELETION_STATE_COMPLETED',
  cancelled: 'DELETION_STATE_CANCELLED',
  waiting: 'DELETION_STATE_WAITING',
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
    removalAtMs: deletion.removalAtMs ?? 0,
    cancelledAtMs: deletion.cancelledAtMs ?? 0,
    origin: deletion.origin,
    cancelOrigin: deletion.cancelOrigin ?? null,
    caller: deletion.origin.caller ?? '',
    jobIds: [...jobIds],
  };
}

/** Returns undefined for UNSPECIFIED, which means every state. */
function decodeState(name: string): DeletionState | undefined {
  return (Object.keys(stateNames) as DeletionState[]).find((state) => stateNames[state] === name);
}
