import { completeOptions, type ClientOptions, type CompleteOptions } from './client-options.ts';
import { checkCall, deleteJobs, type DeleteJobsOptions, type JobIds } from './delete-jobs.ts';
import {
  askForStatus,
  waitUntilRemoved,
  type DeletionStatus,
  type RemovedDeletion,
} from './deletion-status.ts';
import { listJobs, readWhoAmI, type ListJobsOptions, type WhoAmI } from './read-account.ts';
import type { Report, ProblemEntry } from './errors.ts';
import type { JournaledRequest, RequestOutcome } from './journal.ts';

/** Deletes job postings of one account. */
export class JobsDeleteClient {
  readonly #options: CompleteOptions;

  /** @throws TypeError for an unknown option, an option out of range, or a `baseUrl` that is no plain URL */
  constructor(options: ClientOptions) {
    this.#options = completeOptions(options);
  }

  /**
   * Deletes any number of jobs. Splits the ids into requests, each accepted as a whole or refused as a whole, and repeats a
   * request with the same Idempotency-Key until it has an answer.
   * @returns what was accepted and refused; acceptance is durable, the removal follows within seconds
   * @throws IncompleteError when it ends early: at a refusal, after `retryForMs` without an answer, or by the signal;
   * TypeError for an unknown option, or a single text in place of the ids
   */
  async deleteJobs(jobIds: JobIds, options: DeleteJobsOptions = {}): Promise<Report> {
    checkCall(jobIds, options);
    return deleteJobs(this.#options, jobIds, options);
  }

  /**
   * Returns whose credentials these are. It fails if they do not work.
   * @throws ProblemError, such as `token_invalid`; ConnectionError; or the reason of `signal`
   */
  whoami(options: { readonly signal?: AbortSignal } = {}): Promise<WhoAmI> {
    return readWhoAmI(this.#options, options.signal);
  }

  /**
   * Yields the ids of the account's jobs, in the order of their bytes, without jobs that are queued for deletion. Reads page
   * by page: jobs that are posted or deleted meanwhile may be missing or not.
   * @throws ProblemError, ConnectionError, or the reason of `signal`
   */
  jobs(options: ListJobsOptions = {}): AsyncGenerator<string, void> {
    return listJobs(this.#options, options);
  }

  /**
   * Deletes jobs as `deleteJobs` does, and yields the outcome of each job as it arrives. A caller that reads no more ends
   * the call.
   * @throws IncompleteError after the last outcome, if the call ends early; TypeError as `deleteJobs`
   */
  outcomes(jobIds: JobIds, options: DeleteJobsOptions = {}): AsyncGenerator<JobOutcome, void> {
    checkCall(jobIds, options);
    return outcomesOf(this.#options, jobIds, options);
  }

  /**
   * Returns the status of a deletion.
   * @throws ProblemError, such as `deletion_not_found`; ConnectionError; or the reason of `signal`
   */
  status(deletionId: string, options: { readonly signal?: AbortSignal } = {}): Promise<DeletionStatus> {
    return askForStatus(this.#options, 'GET', deletionId, options.signal);
  }

  /**
   * Resolves when every job of the deletion is removed.
   * @throws DeletionCancelledError; ProblemError, such as `deletion_not_found`; ConnectionError; or the reason of `signal`
   */
  waitUntilRemoved(
    deletionId: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<RemovedDeletion> {
    return waitUntilRemoved(this.#options, deletionId, options.signal);
  }

  /**
   * Cancels a deletion of an account with a delay, as a whole, until its removal begins. A second call has the same result.
   * @throws ProblemError, such as `deletion_not_cancellable`; ConnectionError; or the reason of `signal`
   */
  cancel(deletionId: string, options: { readonly signal?: AbortSignal } = {}): Promise<DeletionStatus> {
    return askForStatus(this.#options, 'DELETE', deletionId, options.signal);
  }
}

/** The final outcome of one job. */
export type JobOutcome =
  | {
      readonly kind: 'accepted';
      readonly jobId: string;
      /** Undefined in the sandbox. */
      readonly deletionId: string | undefined;
    }
  | { readonly kind: 'refused'; readonly jobId: string; readonly reason: ProblemEntry };

/**
 * Yields outcomes as they arrive. Sends no further than the caller reads, apart from the requests in flight.
 * @throws IncompleteError after the last outcome, if the call ends early
 */
async function* outcomesOf(
  options: CompleteOptions,
  jobIds: JobIds,
  { signal, ...rest }: DeleteJobsOptions,
): AsyncGenerator<JobOutcome, void> {
  const { readable, writable } = new TransformStream<JobOutcome[], JobOutcome[]>();
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const onOutcome = (request: JournaledRequest, outcome: RequestOutcome) =>
    writer.write(jobOutcomes(request, outcome));
  const call = deleteJobs(options, jobIds, { ...rest, signal: stopping.signal, onOutcome });
  const ended = call
    .finally(() => writer.close())
    .then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield* next.value;
    const failure = await ended;
    if (failure !== undefined) throw failure.error;
  } finally {
    signal?.removeEventListener('abort', stop);
    stopping.abort(new Error('the caller reads no more outcomes'));
    await reader.cancel();
    await ended;
  }
}

function jobOutcomes({ jobIds }: JournaledRequest, outcome: RequestOutcome): JobOutcome[] {
  if (outcome.kind === 'accepted')
    return jobIds.map((jobId) => ({ kind: 'accepted', jobId, deletionId: outcome.deletionId }));
  if (outcome.kind === 'refused')
    return outcome.jobs.map(({ jobId, reason }) => ({ kind: 'refused', jobId, reason }));
  return [];
}
