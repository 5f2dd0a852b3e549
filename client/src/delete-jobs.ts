import { refuseUnknownOptions, requireBoolean, type CompleteOptions } from './client-options.ts';
import {
  type ProblemEntry,
  type ProblemError,
  IncompleteError,
  type AcceptedDeletion,
  type RefusedJob,
  type Report,
  type UnknownRequest,
} from './errors.ts';
import type { Journal, JournaledRequest, RequestOutcome, UnfinishedRequest } from './journal.ts';
import { sendRequest, type Answer } from './send-with-retries.ts';

export type JobIds = Iterable<string> | AsyncIterable<string>;

export interface DeleteJobsOptions {
  /**
   * `stop` ends the call at the first refusal. `split` takes the refused jobs out of a request, sends the rest, and lists the
   * refused jobs in the report. Default: `stop`.
   */
  readonly onRefusal?: 'stop' | 'split';
  /** Checks the requests of this call without deleting anything. Default: the client's option. */
  readonly sandbox?: boolean;
  /** Ends the call. Requests in flight are given up. */
  readonly signal?: AbortSignal;
  /** Called after each request that is accepted or loses refused jobs. */
  readonly onProgress?: (progress: Progress) => void;
  /** Gets each request and outcome. `deletions` and `refused` of the report stay empty, so memory is limited. */
  readonly journal?: Journal;
}

export interface Progress {
  readonly acceptedJobs: number;
  readonly refusedJobs: number;
}

const optionNames = ['onRefusal', 'sandbox', 'signal', 'onProgress', 'journal'] as const;

/** @throws TypeError for an unknown option, or a single text in place of the ids */
export function checkCall(jobIds: JobIds, options: DeleteJobsOptions): void {
  refuseUnknownOptions(options, optionNames);
  if (options.sandbox !== undefined) requireBoolean('sandbox', options.sandbox);
  if (typeof jobIds === 'string') throw new TypeError('jobIds must be a list of ids, not a single text');
}

export interface CallOptions extends DeleteJobsOptions {
  /** Gets each outcome after the journal. `deletions` and `refused` of the report stay empty. */
  readonly onOutcome?: (request: JournaledRequest, outcome: RequestOutcome) => Promise<void>;
}

/** Ids for one request, or for several if the server refuses some of them. */
type Chunk = UnfinishedRequest;

/** One call: its state, shared by the requests in flight. */
interface Call extends CallOptions {
  readonly options: CompleteOptions;
  readonly signal: AbortSignal;
  maxJobs: number;
  acceptedJobs: number;
  refusedJobs: number;
  readonly deletions: AcceptedDeletion[];
  readonly refused: RefusedJob[];
  readonly unknown: UnknownRequest[];
  /** The first error. No request starts after it; those in flight get their answers. */
  failure: { readonly cause: unknown } | undefined;
  /** Aborted by the first error, and with `signal`. */
  readonly ending: AbortController;
  /** Reads of the caller's ids that have not returned. */
  reading: number;
}

/** @throws IncompleteError */
export async function deleteJobs(
  options: CompleteOptions,
  jobIds: JobIds,
  { signal = new AbortController().signal, sandbox = options.sandbox, ...rest }: CallOptions,
): Promise<Report> {
  const call: Call = {
    ...rest,
    options: { ...options, sandbox },
    signal,
    maxJobs: options.maxJobsPerRequest,
    acceptedJobs: 0,
    refusedJobs: 0,
    deletions: [],
    refused: [],
    unknown: [],
    failure: undefined,
    ending: new AbortController(),
    reading: 0,
  };
  const chunks = chunksOfCall(call, jobIds);
  const end = () => fail(call, signal.reason as unknown);
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(Array.from({ length: options.concurrency }, () => sendChunks(call, chunks)));
  } finally {
    signal.removeEventListener('abort', end);
  }
  const returned = chunks.return();
  // A source that waits for its next id closes when it has it. The call does not wait for that.
  if (call.reading === 0) await returned;
  else returned.catch(() => undefined);
  const { acceptedJobs, deletions, refused, unknown } = call;
  const report = { acceptedJobs, deletions, refused, unknown };
  if (call.failure !== undefined) throw new IncompleteError(report, call.failure.cause);
  return report;
}

async function* chunksOfCall(call: Call, jobIds: JobIds): AsyncGenerator<Chunk, void> {
  const { journal, options } = call;
  await journal?.onStart?.({ baseUrl: String(options.baseUrl), sandbox: options.sandbox });
  yield* journal?.unfinished ?? [];
  const unrecorded = journal?.isRecorded === undefined ? jobIds : withoutRecorded(journal, jobIds);
  yield* chunksOf(unrecorded, () => call.maxJobs);
}

async function* withoutRecorded(journal: Journal, jobIds: JobIds): AsyncGenerator<string, void> {
  for await (const jobId of jobIds) if (journal.isRecorded?.(jobId) !== true) yield jobId;
}

/** Splits ids into chunks of at most `maxJobs()` each, in their order, reading no further than needed. */
async function* chunksOf(jobIds: JobIds, maxJobs: () => number): AsyncGenerator<Chunk, void> {
  let ids: string[] = [];
  for await (const jobId of jobIds) {
    ids.push(jobId);
    if (ids.length < maxJobs()) continue;
    yield { jobIds: ids };
    ids = [];
  }
  if (ids.length > 0) yield { jobIds: ids };
}

async function sendChunks(call: Call, chunks: AsyncGenerator<Chunk, void>): Promise<void> {
  try {
    for (;;) {
      const chunk = await nextChunk(call, chunks);
      if (chunk === undefined) return;
      await deleteChunk(call, chunk);
    }
  } catch (error) {
    fail(call, error);
  }
}

function fail(call: Call, cause: unknown): void {
  call.failure ??= { cause };
  call.ending.abort();
}

/** Returns undefined after the last chunk, and at once when the call ends early. */
function nextChunk(call: Call, chunks: AsyncGenerator<Chunk, void>): Promise<Chunk | undefined> {
  const { signal } = call.ending;
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const end = () => resolve(undefined);
    signal.addEventListener('abort', end, { once: true });
    call.reading += 1;
    chunks
      .next()
      .finally(() => {
        call.reading -= 1;
        signal.removeEventListener('abort', end);
      })
      .then(({ value }) => resolve(value ?? undefined), reject);
  });
}

/** @throws ProblemError, ConnectionError, the reason of the signal, or an error of the journal */
async function deleteChunk(call: Call, chunk: Chunk): Promise<void> {
  let left = chunk;
  while (left.jobIds.length > 0) {
    // A refused request does not use its key up, but a request with other ids needs another key.
    const request = { idempotencyKey: crypto.randomUUID(), ...left };
    const answer = await sendOnce(call, request);
    if (answer.kind === 'accepted') {
      await noteAccepted(call, request, answer.deletionId);
      return;
    }
    const mayBeAccepted = answer.mayBeAccepted || left.idempotencyKey !== undefined;
    // Halves have new keys. They must not be sent for jobs that the first key may have deleted.
    const maySplit = !mayBeAccepted || left.maySplit === true;
    if (isTooLarge(answer.problem) && left.jobIds.length > 1 && maySplit) {
      await record(call, request, { kind: 'too-large' });
      const half = Math.ceil(left.jobIds.length / 2);
      call.maxJobs = Math.min(call.maxJobs, half);
      await deleteChunk(call, { jobIds: left.jobIds.slice(0, half) });
      await deleteChunk(call, { jobIds: left.jobIds.slice(half) });
      return;
    }
    left = await withoutRefused(call, request, answer.problem, mayBeAccepted);
  }
}

/** Lists the request as unknown unless it gets an answer. */
async function sendOnce(call: Call, request: JournaledRequest): Promise<Answer> {
  call.signal.throwIfAborted();
  await call.journal?.onRequest(request);
  try {
    return await sendRequest(call.options, request, call.signal);
  } catch (error) {
    noteUnknown(call, request);
    throw error;
  }
}

function noteUnknown(call: Call, { idempotencyKey, jobIds }: JournaledRequest): void {
  call.unknown.push({ idempotencyKey, jobIds });
}

async function noteAccepted(
  call: Call,
  request: JournaledRequest,
  deletionId: string | undefined,
): Promise<void> {
  const jobs = request.jobIds.length;
  await record(call, request, { kind: 'accepted', deletionId });
  if (!isRecorded(call)) call.deletions.push({ deletionId, jobs });
  call.acceptedJobs += jobs;
  notify(call);
}

function isTooLarge({ code, status }: ProblemError): boolean {
  return code === 'too_many_jobs' || status === 413;
}

/** @throws the problem, unless it names jobs and the call goes on without them */
async function withoutRefused(
  call: Call,
  request: JournaledRequest,
  problem: ProblemError,
  mayBeAccepted: boolean,
): Promise<Chunk> {
  const reasons = new Map(problem.errors.flatMap((entry) => withIndex(entry, request.jobIds)));
  if (call.onRefusal !== 'split' || reasons.size === 0) {
    // The server looks for the key before it checks which jobs exist: a refusal that names jobs proves that nothing was accepted.
    if (mayBeAccepted && reasons.size === 0) noteUnknown(call, request);
    else await record(call, request, { kind: 'failed', problem });
    throw problem;
  }
  const jobs = [...reasons].map(([index, reason]) => ({ jobId: request.jobIds[index] ?? '', reason }));
  await record(call, request, { kind: 'refused', jobs });
  if (!isRecorded(call)) call.refused.push(...jobs);
  call.refusedJobs += jobs.length;
  notify(call);
  return { jobIds: request.jobIds.filter((_, index) => !reasons.has(index)) };
}

function withIndex(entry: ProblemEntry, jobIds: readonly string[]): [number, ProblemEntry][] {
  const index = Number(/^\/jobs\/job\/(\d+)(?:\/id)?$/.exec(entry.pointer ?? '')?.[1] ?? NaN);
  return index < jobIds.length ? [[index, entry]] : [];
}

async function record(call: Call, request: JournaledRequest, outcome: RequestOutcome): Promise<void> {
  await call.journal?.onOutcome(request, outcome);
  await call.onOutcome?.(request, outcome);
}

/** The report lists no jobs that the caller gets elsewhere, so memory is limited. */
function isRecorded({ journal, onOutcome }: Call): boolean {
  return journal !== undefined || onOutcome !== undefined;
}

function notify({ onProgress, acceptedJobs, refusedJobs }: Call): void {
  onProgress?.({ acceptedJobs, refusedJobs });
}
