import { status, type ServiceError } from '@grpc/grpc-js';
import type { Status__Output } from '@jobs-delete/proto/generated/google/rpc/Status';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { DeleteJobsResult__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResult';
import { isServiceError } from '@jobs-delete/proto/service-error';
import { readUnavailableJobs } from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import { languages, type Language } from '../messages/messages.ts';

export type DeleteJobsAnswer =
  | {
      readonly kind: 'accepted';
      readonly deletionId: string;
      readonly replayed: boolean;
      /** The language of the first answer, if this one is a replay. */
      readonly language: Language;
    }
  | { readonly kind: 'jobs-not-found'; readonly positions: readonly number[]; readonly truncated: boolean }
  | { readonly kind: 'key-reused' };

/** Decodes the answer to one request of a batch. `requestId` is the id of that request. */
export function answerOf(
  result: DeleteJobsResult__Output | undefined,
  requestId: string | undefined,
): DeleteJobsAnswer | Fault {
  if (result?.response) return accepted(result.response, requestId);
  if (result?.error) return refused(result.error);
  return new Fault('internal', 'the deleter sent no answer to a request');
}

/** Returns the fault of every request in a failed call. */
export function faultOfCall(error: unknown): Fault {
  if (isLost(error)) return new Fault('unknown-outcome', `deleter: ${error.message}`, error);
  if (isServiceError(error)) return faultOf(status[error.code], error.details, error);
  // A closed channel throws this error.
  return new Fault('unavailable', 'deleter: closed', error);
}

/**
 * Returns whether no server has processed any of the call: a closing connection refused it (RFC 9113, 8.7), or there was
 * no connection. grpc-js repeats the first kind once, maybe on the same connection, and never the second kind.
 */
export function isUntouched(error: unknown): boolean {
  return isRefusedStream(error) || isNotConnected(error);
}

export function isRefusedStream(error: unknown): boolean {
  return isServiceError(error) && error.details === 'Stream refused by server';
}

function isNotConnected(error: unknown): boolean {
  if (!isServiceError(error) || error.code !== status.UNAVAILABLE) return false;
  return /^(?:No connection established|Channel closed before call started)/.test(error.details);
}

/** Returns whether the connection or the stream broke during the call. grpc-js reports some of these as INTERNAL. */
export function isLost(error: unknown): error is ServiceError {
  if (!isServiceError(error)) return false;
  return error.code === status.UNAVAILABLE || error.details.startsWith('Received RST_STREAM');
}

function accepted(response: DeleteJobsResponse__Output, requestId: string | undefined): DeleteJobsAnswer {
  const { deletionId, language } = response;
  const known = languages.find((candidate) => candidate === language) ?? languages[0];
  // A retry of the pool may find its own first attempt accepted. For the caller, that is no replay.
  const isOwn = response.requestId !== '' && response.requestId === requestId;
  return { kind: 'accepted', deletionId, replayed: response.replayed && !isOwn, language: known };
}

function refused(error: Status__Output): DeleteJobsAnswer | Fault {
  const code = status[error.code];
  const unavailable = code === 'NOT_FOUND' ? readUnavailableJobs(error) : undefined;
  if (unavailable !== undefined) return { kind: 'jobs-not-found', ...unavailable };
  if (code === 'ALREADY_EXISTS') return { kind: 'key-reused' };
  return faultOf(code, error.message);
}

function faultOf(code: string | undefined, details: string, cause?: unknown): Fault {
  const message = `deleter: ${code ?? 'unknown code'}: ${details}`;
  switch (code) {
    case 'UNAVAILABLE':
    case 'DEADLINE_EXCEEDED':
    case 'CANCELLED':
    case 'RESOURCE_EXHAUSTED':
    case 'ABORTED':
      return new Fault('unknown-outcome', message, cause);
    // The operator has to correct the service token, not the caller.
    case 'UNAUTHENTICATED':
    case 'PERMISSION_DENIED':
      return new Fault('unavailable', message, cause);
    default:
      return new Fault('internal', message, cause);
  }
}
