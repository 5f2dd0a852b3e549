import { chunksOf } from './chunks.ts';
import type { CompleteOptions } from './client-options.ts';
import type { ProblemEntry, ProblemError } from './errors.ts';
import {
  IncompleteError,
  type AcceptedDeletion,
  type RefusedJob,
  type Report,
  type UnknownRequest,
} from './report.ts';
import { sendRequest, type Answer } from './send-request.ts';

export type JobIds = Iterable<string> | AsyncIterable<string>;

export interface DeleteJobsOptions {
  /**
   * `stop` ends the call at the first refusal. `split` takes the refused jobs out of a request, sends the rest, and lists the
   * refused jobs in the report. Default: `stop`.
   */
  readonly onRefusal?: 'stop' | 'split';
  /** Ends the call. Requests in flight are given up. */
  readonly signal?: AbortSignal;
  /** Called after each request that is accepted or loses refused jobs. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly acceptedJobs: number;
  readonly refusedJobs: number;
}

/** One call: its state, shared by the requests in flight. */
interface Call extends DeleteJobsOptions {
  readonly options: CompleteOptions;
  readonly signal: AbortSignal;
  maxJobs: number;
  acceptedJobs: number;
  readonly deletions: AcceptedDeletion[];
  readonly refused: RefusedJob[];
  readonly unknown: UnknownRequest[];
  /** The first error. No request starts after it; those in flight get their answers. */
  failure: { readonly cause: unknown } | undefined;
}

/** @throws IncompleteError */
export async function deleteJobs(
  options: CompleteOptions,
  jobIds: JobIds,
  { signal = new AbortController().signal, ...rest }: DeleteJobsOptions,
): Promise<Report> {
  const call: Call = {
    ...rest,
    options,
    signal,
    maxJobs: options.maxJobsPerRequest,
    acceptedJobs: 0,
    deletions: [],
    refused: [],
    unknown: [],
    failure: undefined,
  };
  const chunks = chunksOf(jobIds, () => call.maxJobs);
  await Promise.all(Array.from({ length: options.concurrency }, () => sendChunks(call, chunks)));
  await chunks.return();
  const { acceptedJobs, deletions, refused, unknown } = call;
  const report = { acceptedJobs, deletions, refused, unknown };
  if (call.failure !== undefined) throw new IncompleteError(report, call.failure.cause);
  return report;
}

async function sendChunks(call: Call, chunks: AsyncGenerator<string[], void>): Promise<void> {
  try {
    while (call.failure === undefined) {
      const next = await chunks.next();
      if (next.done === true) return;
      await deleteChunk(call, next.value);
    }
  } catch (error) {
    call.failure ??= { cause: error };
  }
}

/** @throws ProblemError, ConnectionError or the reason of the signal */
async function deleteChunk(call: Call, jobIds: readonly string[]): Promise<void> {
  let left = jobIds;
  while (left.length > 0) {
    const answer = await sendOnce(call, left);
    if (answer.kind === 'accepted') {
      call.acceptedJobs += left.length;
      call.deletions.push({ deletionId: answer.deletionId, jobs: left.length });
      notify(call);
      return;
    }
    if (isTooLarge(answer.problem) && left.length > 1) {
      const half = Math.ceil(left.length / 2);
      call.maxJobs = Math.min(call.maxJobs, half);
      await deleteChunk(call, left.slice(0, half));
      await deleteChunk(call, left.slice(half));
      return;
    }
    left = withoutRefused(call, left, answer.problem);
  }
}

/** Lists the request as unknown unless it gets an answer. */
async function sendOnce(call: Call, jobIds: readonly string[]): Promise<Answer> {
  // A refused request does not use its key up, but a request with other ids needs another key.
  const request = { idempotencyKey: crypto.randomUUID(), jobIds };
  try {
    return await sendRequest(call.options, request, call.signal);
  } catch (error) {
    call.unknown.push(request);
    throw error;
  }
}

function isTooLarge({ code, status }: ProblemError): boolean {
  return code === 'too_many_jobs' || status === 413;
}

/** @throws the problem, unless it names jobs and the call goes on without them */
function withoutRefused(call: Call, jobIds: readonly string[], problem: ProblemError): readonly string[] {
  const reasons = new Map(problem.errors.flatMap((entry) => withPosition(entry, jobIds)));
  if (call.onRefusal !== 'split' || reasons.size === 0) throw problem;
  for (const [position, reason] of reasons) call.refused.push({ jobId: jobIds[position] ?? '', reason });
  notify(call);
  return jobIds.filter((_, position) => !reasons.has(position));
}

function withPosition(entry: ProblemEntry, jobIds: readonly string[]): [number, ProblemEntry][] {
  const position = Number(/^\/jobs\/job\/(\d+)(?:\/id)?$/.exec(entry.pointer ?? '')?.[1] ?? NaN);
  return position < jobIds.length ? [[position, entry]] : [];
}

function notify({ onProgress, acceptedJobs, refused }: Call): void {
  onProgress?.({ acceptedJobs, refusedJobs: refused.length });
}
