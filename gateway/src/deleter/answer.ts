import { status, type ServiceError } from '@grpc/grpc-js';
import type { Status__Output } from '@jobs-delete/proto/generated/google/rpc/Status';
import type { DeleteJobsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import { isServiceError } from '@jobs-delete/proto/client-channel';
import {
  readDeletionRefusal,
  readStatusTrailer,
  type DeletionRefusal,
} from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import { type Language, languages } from '../messages/messages.ts';

export type DeleteJobsAnswer =
  | {
      readonly kind: 'accepted';
      readonly deletionId: string;
      readonly replayed: boolean;
      /** The language of the first answer, if this one is a replay. */
      readonly language: Language;
    }
  | DeletionRefusal;

/** What one attempt gave: an answer is final; after a Fault another replica may still answer. */
export type Outcome = DeleteJobsAnswer | Fault;

/**
 * - `untouched`: the attempt never reached a server: a closing connection refused it (RFC 9113, 8.7), or there is none
 * - `lost`: the connection or the stream broke before the outcome
 */
export type Loss = 'untouched' | 'lost';

/** `loss` is undefined when the replica itself gave the outcome. */
export type OnOutcome = (outcome: Outcome, loss?: Loss) => void;

/** Decodes an outcome of a stream. */
export function outcomeOf(result: {
  readonly response?: DeleteJobsResponse__Output | null;
  readonly error?: Status__Output | null;
}): Outcome {
  if (result.response) return accepted(result.response);
  if (result.error) return refused(result.error);
  return new Fault('internal', 'deleter: INTERNAL: an outcome is empty');
}

/** Decodes the error of a unary DeleteJobs. */
export function outcomeOfError(error: ServiceError): Outcome {
  const sent = readStatusTrailer(error.metadata);
  return sent === undefined ? faultOfCall(error) : refused(sent, error);
}

/** Returns the fault of a call or a stream that failed as a whole. */
export function faultOfCall(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (isLost(error)) return new Fault('unknown-outcome', `deleter: ${error.message}`, error);
  if (isServiceError(error)) return faultOf(status[error.code], error.details, error);
  // A closed channel throws this error.
  return new Fault('unavailable', 'deleter: closed', error);
}

/** Returns whether the connection or the stream broke during the call. grpc-js reports some of these as INTERNAL. */
export function isLost(error: unknown): error is ServiceError {
  if (!isServiceError(error)) return false;
  const { code, details } = error;
  return [status.UNAVAILABLE, status.CANCELLED].includes(code) || details.startsWith('Received RST_STREAM');
}

const untouchedPattern =
  /^(?:Stream refused by server|No connection established|Channel closed before call started)/;

export function lossOf(error: unknown): Loss | undefined {
  if (!isLost(error)) return undefined;
  return untouchedPattern.test(error.details) ? 'untouched' : 'lost';
}

function accepted({ deletionId, replayed, language }: DeleteJobsResponse__Output): DeleteJobsAnswer {
  const known = languages.find((candidate) => candidate === language) ?? languages[0];
  return { kind: 'accepted', deletionId, replayed, language: known };
}

function refused(error: Status__Output, cause?: unknown): Outcome {
  return readDeletionRefusal(error) ?? faultOf(status[error.code], error.message, cause);
}

function faultOf(code: string | undefined, details: string, cause?: unknown): Fault {
  const message = `deleter: ${code ?? 'unknown code'}: ${details}`;
  switch (code) {
    case 'UNAVAILABLE':
    case 'DEADLINE_EXCEEDED':
    case 'CANCELLED':
    case 'ABORTED':
      return new Fault('unknown-outcome', message, cause);
    case 'RESOURCE_EXHAUSTED':
      return new Fault('busy', message, cause);
    // The operator has to correct the service token, not the caller.
    case 'UNAUTHENTICATED':
    case 'PERMISSION_DENIED':
      return new Fault('unavailable', message, cause);
    default:
      return new Fault('internal', message, cause);
  }
}
