import { status, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import { BadRequest } from '@jobs-delete/proto/load-deleter';
import { hasCode, isServiceError } from '@jobs-delete/proto/client-channel';
import {
  readDeletionRefusal,
  readStatusTrailer,
  type DeletionRefusal,
} from '@jobs-delete/proto/status-details';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { inTime } from '../web/late-value.ts';
import type { DeleterCalls, JobDescriptions, JobsPage, JobTitles } from './deleter-calls.ts';
import type { DeletionOutcome, DeletionRequest } from './deletion.ts';

type AnswerCallback<Response> = (error: ServiceError | null, response?: Response) => void;

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

const endings = [status.NOT_FOUND, status.CANCELLED, status.DEADLINE_EXCEEDED];

/**
 * Yields the messages of a call. Cancels it when the signal is aborted, or when the caller leaves the loop.
 * @throws Fault
 */
export async function* messagesOf<Message>(
  startCall: () => ClientReadableStream<Message>,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  if (signal.aborted) return;
  let call: ClientReadableStream<Message> | undefined;
  const cancel = () => call?.cancel();
  signal.addEventListener('abort', cancel);
  try {
    // A closed channel throws at once.
    call = startCall();
    for await (const message of call) yield message as Message;
  } catch (error) {
    if (!endings.some((code) => hasCode(error, code))) throw faultOfCall(error);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
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

/** How long a page waits for a value that it can do without. */
const patienceMs = 1_000;

/** Resolves to undefined while no api answers within a second. */
export function ifSoon<Value>(read: Promise<Value>): Promise<Value | undefined> {
  return ifAvailable(inTime(read, patienceMs));
}

/** Resolves to jobs that examples can name. It reads 100: a read leaves out the jobs of accepted deletions. */
export function findSomeJobs(
  deleter: Pick<DeleterCalls, 'listJobs'>,
  accountId: string,
): Promise<JobsPage | undefined> {
  return ifSoon(deleter.listJobs({ accountId, limit: 100 }));
}

/** The most jobs of a call that describes them. */
export const jobsOfCall = 100;

/** Describes jobs. They have only their ids while no api answers, or if it is of an earlier release. */
export async function describeJobs(
  deleter: Pick<DeleterCalls, 'describeJobs'>,
  accountId: string,
  jobIds: readonly string[],
): Promise<JobDescriptions> {
  const parts = Array.from({ length: Math.ceil(jobIds.length / jobsOfCall) }, (_, index) =>
    jobIds.slice(index * jobsOfCall, (index + 1) * jobsOfCall),
  );
  const found = await Promise.all(parts.map((ids) => ifSoon(deleter.describeJobs(accountId, ids))));
  return {
    titles: new Map(found.flatMap((each) => [...(each?.titles ?? [])])),
    importedAtMs: new Map(found.flatMap((each) => [...(each?.importedAtMs ?? [])])),
  };
}

/** Resolves to the titles of jobs, as `describeJobs` does. */
export async function findTitles(...args: Parameters<typeof describeJobs>): Promise<JobTitles> {
  return (await describeJobs(...args)).titles;
}

function faultOfCall(error: unknown): Fault {
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

/** Returns undefined for an error that is no refusal. */
export function refusalOf({ metadata }: ServiceError): DeletionRefusal | undefined {
  const sent = readStatusTrailer(metadata);
  return sent && readDeletionRefusal(sent);
}

type DeleteJobs = (request: DeletionRequest) => Promise<DeletionOutcome>;

/** Logs the first call that the api denies: people only see that the service does not check their jobs. */
export function logDenied(deleteJobs: DeleteJobs, log: Pick<Logger, 'error'>): DeleteJobs {
  let isLogged = false;
  return async (request) => {
    try {
      return await deleteJobs(request);
    } catch (error) {
      const isDenied = error instanceof Fault && hasCode(error.cause, status.PERMISSION_DENIED);
      if (isDenied && !isLogged) {
        isLogged = true;
        log.error(
          { err: error },
          'DASHBOARD_DELETES is on, but the api does not let the dashboard delete: give its caller manage-and-delete in GRPC_CALLERS of the api',
        );
      }
      throw error;
    }
  };
}
