import { status, type ServiceError } from '@grpc/grpc-js';
import { BadRequest } from '@jobs-delete/proto/load-deleter';
import { hasCode, isServiceError } from '@jobs-delete/proto/service-error';
import { readStatusTrailer } from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';

export type AnswerCallback<Response> = (error: ServiceError | null, response?: Response) => void;

interface AnswerOptions<Refused> {
  readonly invalidField?: string;
  readonly refused?: Refused;
  /** Comes first. Returns undefined for an error that it does not know. */
  readonly readRefusal?: (error: ServiceError) => Refused | undefined;
}

/**
 * Resolves to undefined for NOT_FOUND, and for INVALID_ARGUMENT of the field that the browser may set. Resolves to
 * `refused` for FAILED_PRECONDITION.
 * @throws Fault
 */
export function answerTo<Response, Refused = never>(
  call: (callback: AnswerCallback<Response>) => void,
  { invalidField, refused, readRefusal }: AnswerOptions<Refused> = {},
): Promise<Response | Refused | undefined> {
  return new Promise((resolve, reject) => {
    const settle: AnswerCallback<Response> = (error, response) => {
      if (error === null) resolve(response);
      else settleError(error);
    };
    const settleError = (error: ServiceError) => {
      const refusal = readRefusal?.(error);
      if (refusal !== undefined) resolve(refusal);
      else if (hasCode(error, status.NOT_FOUND) || isAbout(error, invalidField)) resolve(undefined);
      else if (hasCode(error, status.FAILED_PRECONDITION) && refused !== undefined) resolve(refused);
      else reject(faultOfCall(error));
    };
    try {
      call(settle);
    } catch (error) {
      // A closed channel throws at once.
      reject(faultOfCall(error));
    }
  });
}

/** Resolves to undefined while no api answers: the page shows what it has. */
export async function ifAvailable<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Fault && error.code !== 'internal') return undefined;
    throw error;
  }
}

export function faultOfCall(error: unknown): Fault {
  const reason = isServiceError(error) ? `${status[error.code]}: ${error.details}` : 'closed';
  return new Fault('unavailable', `deleter: ${reason}`, error);
}

function isAbout(error: ServiceError, field: string | undefined): boolean {
  if (error.code !== status.INVALID_ARGUMENT || field === undefined) return false;
  const details = readStatusTrailer(error.metadata)?.details ?? [];
  return details
    .filter(({ type_url }) => type_url.endsWith('/google.rpc.BadRequest'))
    .some(({ value }) => BadRequest.deserialize(value).fieldViolations.some((each) => each.field === field));
}
