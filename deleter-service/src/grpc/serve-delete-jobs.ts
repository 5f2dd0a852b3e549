import { status } from '@grpc/grpc-js';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { RequestOrigin__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import type { StatusDetail } from '@jobs-delete/proto/status-details';
import { readTraceparent } from '@jobs-delete/runtime/telemetry/tracing';
import type { AcceptDeletion, DeletionAnswer } from '../deletion/accept-deletion.ts';
import type { RequestOrigin } from '../store/deletion.ts';
import { GrpcError, notFound, requireText } from './grpc-error.ts';
import type { CancelDeletionRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/CancelDeletionRequest';
import type { Deletion as DeletionMessage } from '@jobs-delete/proto/generated/jobs/deleter/v1/Deletion';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import type { Store } from '../store/store.ts';
import { encodeDeletion } from './read-deletions.ts';

export interface CallFacts {
  /** Used if the request has none. */
  readonly traceparent?: string | undefined;
  /** The proven name of the caller. */
  readonly caller?: string | undefined;
}

export async function serveDeleteJobs(
  request: DeleteJobsRequest__Output,
  deadlineMs: number | undefined,
  acceptDeletion: AcceptDeletion,
  call: CallFacts = {},
): Promise<DeleteJobsResponse> {
  const answer = await acceptDeletion({
    deletionId: request.deletionId === '' ? undefined : request.deletionId,
    accountId: request.accountId,
    jobIds: request.jobIds,
    dryRun: request.dryRun,
    idempotencyKey: request.idempotencyKey === '' ? undefined : request.idempotencyKey,
    origin: readOrigin(request.origin, call),
    deadlineMs,
  });
  return encodeAnswer(answer, request);
}

function encodeAnswer(answer: DeletionAnswer, request: DeleteJobsRequest__Output): DeleteJobsResponse {
  switch (answer.kind) {
    case 'accepted': {
      const { deletion, replayed } = answer;
      return { deletionId: deletion.id, replayed, language: deletion.origin.language };
    }
    case 'would-be-accepted':
      return { deletionId: '', replayed: false, language: request.origin?.language ?? '' };
    case 'invalid':
      throw new GrpcError(status.INVALID_ARGUMENT, 'The request is not valid.', [
        { kind: 'bad-request', violations: answer.violations },
      ]);
    case 'key-reused':
      throw new GrpcError(status.ALREADY_EXISTS, 'The idempotency key was already used with other ids.');
    case 'limit-exceeded':
      // Not RESOURCE_EXHAUSTED: that means busy, and another replica would be asked.
      throw new GrpcError(
        status.FAILED_PRECONDITION,
        `The account would delete more than ${String(answer.limit)} jobs within 24 hours; ${String(answer.used)} are used.`,
        [answer],
      );
    case 'jobs-not-found':
      throw new GrpcError(
        status.NOT_FOUND,
        'Jobs were not found.',
        describe(answer.positions, request.jobIds),
      );
  }
}

/** Some clients read only 8 KiB of a trailer, so only the first jobs are named. */
const maxNamed = 10;

function describe(positions: readonly number[], jobIds: readonly string[]): StatusDetail[] {
  const named = positions.slice(0, maxNamed).map((position): StatusDetail => ({
    kind: 'resource-info',
    resourceType: 'job',
    resourceName: jobIds[position] ?? '',
  }));
  return [{ kind: 'unavailable-jobs', positions }, ...named];
}

function readOrigin(origin: RequestOrigin__Output | null, call: CallFacts): RequestOrigin {
  const {
    requestId = '',
    language = '',
    userAgent = '',
    clientTechnology = '',
    webOrigin = '',
    tokenId = '',
    traceparent = '',
    person = '',
  } = origin ?? {};
  const continued = readTraceparent(traceparent === '' ? call.traceparent : traceparent);
  return {
    requestId,
    language,
    userAgent,
    clientTechnology,
    webOrigin,
    tokenId,
    ...(person !== '' && { person }),
    ...(call.caller !== undefined && { caller: call.caller }),
    ...(continued !== undefined && { traceparent: continued }),
  };
}

/** @throws GrpcError, Fault */
export async function cancelDeletion(
  { accountId, deletionId, origin }: CancelDeletionRequest__Output,
  store: Pick<Store, 'cancelDeletion'>,
  clock: Pick<Clock, 'now'>,
  call: CallFacts,
): Promise<DeletionMessage> {
  requireText('account_id', accountId);
  requireText('deletion_id', deletionId);
  const key = { accountId, deletionId };
  const cancellation = await store.cancelDeletion(key, clock.now(), readOrigin(origin, call));
  switch (cancellation.kind) {
    case 'cancelled':
      return encodeDeletion(cancellation.receipt);
    case 'not-found':
      throw notFound('deletion', deletionId);
    case 'not-cancellable':
      throw new GrpcError(status.FAILED_PRECONDITION, 'The deletion does not wait: its removal has begun.');
  }
}
