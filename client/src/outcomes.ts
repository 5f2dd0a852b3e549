import type { CompleteOptions } from './client-options.ts';
import { deleteJobs, type DeleteJobsOptions, type JobIds } from './delete-jobs.ts';
import type { ProblemEntry } from './errors.ts';
import type { JournaledRequest, RequestOutcome } from './journal.ts';

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
export async function* outcomesOf(
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
