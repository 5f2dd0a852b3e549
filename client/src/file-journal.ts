import { closeSync, existsSync, fsyncSync, openSync, statSync, truncateSync } from 'node:fs';
import { IdMap } from './id-map.ts';
import {
  appendLine,
  createJournal,
  JournalError,
  readLines,
  type Line,
  type OutcomeLine,
  type RefusedLine,
  type SentLine,
} from './journal-lines.ts';
import type {
  Journal,
  JournaledRequest,
  JournalTarget,
  RequestOutcome,
  UnfinishedRequest,
} from './journal.ts';
import type { JobOutcome } from './jobs-delete-client.ts';

export { JournalError };

export interface FileJournalOptions {
  /**
   * Sends requests without an outcome again, even if the server may have forgotten their keys. A job that was posted again under
   * its id may then be deleted. Default: false.
   */
  readonly resendExpired?: boolean;
  /** How long after its first attempt a request may be sent again. Default: 24 hours, as long as every server keeps keys. */
  readonly keyLifetimeMs?: number;
  /** Any JSON value, stored in a new journal. A program with this option only opens its own journals, and compares `run`. */
  readonly run?: unknown;
  /** Replaces the clock. */
  readonly now?: () => number;
}

/** A journal in a file. */
export interface FileJournal extends Required<Journal> {
  /** The call that created the journal; undefined for a new journal until a call starts. */
  readonly start: (JournalTarget & { readonly run: unknown }) | undefined;
  /** Numbers of jobs, over all calls. */
  readonly acceptedJobs: number;
  readonly refusedJobs: number;
  /** The deletion of each accepted request; undefined in the sandbox. */
  readonly deletionIds: readonly (string | undefined)[];
  /** The requests without an outcome. */
  readonly unanswered: readonly UnansweredRequest[];
  /** Returns the final outcome of a job in any call. */
  readonly outcomeOf: (jobId: string) => JobOutcome | undefined;
  close(): void;
}

export interface UnansweredRequest {
  readonly idempotencyKey: string;
  readonly jobIds: readonly string[];
  /** Time of the first attempt. */
  readonly sentAt: Date;
}

/** Requests without an outcome are not sent again: the server may have forgotten their keys. */
export class ExpiredKeyError extends JournalError {
  override readonly name = 'ExpiredKeyError';
  readonly requests: readonly [UnansweredRequest, ...UnansweredRequest[]];

  constructor(path: string, requests: ExpiredKeyError['requests']) {
    super(
      `The journal ${path} has a request of ${requests[0].sentAt.toISOString()} without an outcome. Its key may have expired. ` +
        'Set resendExpired to send its jobs again: a job that was posted again under its id may then be deleted.',
    );
    this.requests = requests;
  }
}

/**
 * Opens a journal in a file. A call creates the file if there is none. A call with the journal of an earlier call, and the same
 * ids, continues that call: it sends the requests without an outcome again with their keys, and then only ids that the journal
 * does not have. One process at a time may use the file. Only its owner can read it. Needs Node, Deno or Bun.
 * @throws JournalError if the file is no journal or belongs to another program; ExpiredKeyError, also when a call starts
 */
export function openFileJournal(path: string, options: FileJournalOptions = {}): FileJournal {
  const journal = new LineJournal(path, options);
  if (existsSync(path)) attempt('read', path, () => journal.read());
  return journal;
}

const keyLifetimeMs = 24 * 3_600_000;

type SharedOutcome =
  | { readonly kind: 'accepted'; readonly deletionId: string | undefined }
  | { readonly kind: 'refused'; readonly reason: { readonly code: string; readonly message: string } };

/** Memory depends on the ids with an outcome (id-map.ts), and on the requests. */
class LineJournal implements FileJournal {
  readonly #path: string;
  readonly #options: FileJournalOptions;
  /** Negative while there is none. */
  #file = -1;
  #start: FileJournal['start'];
  readonly #sent = new Map<string, SentLine>();
  /** The index in `#outcomes` of each id with an outcome. */
  readonly #indexes = new IdMap();
  readonly #outcomes: (SharedOutcome | undefined)[] = [undefined];
  /** Most refused jobs share their reason. */
  readonly #refusals = new Map<string, number>();
  /** The ids of the requests that this call sends again. The ids of the caller must not repeat them. */
  #resent: ReadonlySet<string> = new Set();
  readonly deletionIds: (string | undefined)[] = [];
  acceptedJobs = 0;
  refusedJobs = 0;

  constructor(path: string, options: FileJournalOptions) {
    this.#path = path;
    this.#options = options;
  }

  get start() {
    return this.#start;
  }

  get unanswered(): readonly UnansweredRequest[] {
    return Array.from(this.#sent.values(), ({ key, job_ids, at }) => ({
      idempotencyKey: key,
      jobIds: job_ids,
      sentAt: new Date(at),
    }));
  }

  /** Removes a last line that a crash has cut. */
  read(): void {
    let end = 0;
    for (const { line, end: lineEnd } of readLines(this.#path)) {
      this.#apply(line);
      end = lineEnd;
    }
    if (this.#start === undefined) {
      if (statSync(this.#path).size > 0)
        throw new JournalError(`The file ${this.#path} is no journal. Name another.`);
      return;
    }
    this.#requireOwnRun(this.#start);
    this.#requireFreshKeys(this.unanswered);
    attempt('write', this.#path, () => {
      truncateSync(this.#path, end);
      this.#file = openSync(this.#path, 'a');
    });
  }

  onStart({ baseUrl, sandbox }: JournalTarget): void {
    const start = this.#start;
    if (start === undefined) {
      const line = { kind: 'start', version: 1, base_url: baseUrl, sandbox, run: this.#options.run } as const;
      attempt('write', this.#path, () => (this.#file = createJournal(this.#path, line)));
      this.#apply(line);
    } else if (start.baseUrl !== baseUrl || start.sandbox !== sandbox)
      throw new JournalError(
        `The journal ${this.#path} belongs to a call to ${start.sandbox ? 'the sandbox of ' : ''}${start.baseUrl}. ` +
          'Name another journal.',
      );
    this.#resent = new Set(this.unanswered.flatMap(({ jobIds }) => jobIds));
  }

  onRequest({ idempotencyKey: key, jobIds }: JournaledRequest): void {
    // Keeps the time of the first attempt: the key's lifetime starts there.
    if (this.#sent.has(key)) return;
    this.#append({ kind: 'sent', key, job_ids: jobIds, at: new Date(this.#now()).toISOString() });
    // A lost outcome costs only a repetition. A lost key would cost the outcome.
    attempt('write', this.#path, () => fsyncSync(this.#file));
  }

  onOutcome(request: JournaledRequest, outcome: RequestOutcome): void {
    this.#append(lineOf(request, outcome));
  }

  get unfinished(): AsyncIterable<UnfinishedRequest> {
    return { [Symbol.asyncIterator]: () => this.#unfinished() };
  }

  async *#unfinished(): AsyncGenerator<UnfinishedRequest> {
    const requests = this.unanswered;
    this.#requireFreshKeys(requests);
    for (const request of requests) {
      // Time has passed since the request before.
      this.#requireFreshKeys([request]);
      const { idempotencyKey, jobIds } = request;
      yield await Promise.resolve({ idempotencyKey, jobIds, maySplit: this.#options.resendExpired ?? false });
    }
  }

  isRecorded(jobId: string): boolean {
    return this.#resent.has(jobId) || (this.#indexes.size > 0 && this.#indexes.get(jobId) !== 0);
  }

  outcomeOf(jobId: string): JobOutcome | undefined {
    const outcome = this.#outcomes[this.#indexes.get(jobId)];
    return outcome && { ...outcome, jobId };
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
  }

  #requireOwnRun({ run }: NonNullable<FileJournal['start']>): void {
    if ((run === undefined) !== (this.#options.run === undefined))
      throw new JournalError(`The journal ${this.#path} belongs to another program. Name another journal.`);
  }

  #requireFreshKeys(requests: readonly UnansweredRequest[]): void {
    if (this.#options.resendExpired === true) return;
    const oldestMs = this.#now() - (this.#options.keyLifetimeMs ?? keyLifetimeMs);
    const [first, ...others] = requests.filter(({ sentAt }) => sentAt.getTime() < oldestMs);
    if (first !== undefined) throw new ExpiredKeyError(this.#path, [first, ...others]);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #append(line: Line): void {
    attempt('write', this.#path, () => appendLine(this.#file, line));
    this.#apply(line);
  }

  #apply(line: Line): void {
    if (line.kind === 'start') {
      this.#start = { baseUrl: line.base_url, sandbox: line.sandbox, run: line.run };
      return;
    }
    if (line.kind === 'sent') {
      this.#sent.set(line.key, line);
      return;
    }
    const jobIds = this.#sent.get(line.key)?.job_ids ?? [];
    this.#sent.delete(line.key);
    if (line.kind === 'accepted') {
      const deletionId = line.deletion_id ?? undefined;
      const index = this.#outcomes.push({ kind: 'accepted', deletionId }) - 1;
      for (const jobId of jobIds) this.#indexes.set(jobId, index);
      this.deletionIds.push(deletionId);
      this.acceptedJobs += jobIds.length;
    }
    // The rest of a refused request is still to be sent.
    if (line.kind === 'refused') {
      for (const job of line.jobs) this.#indexes.set(job.job_id, this.#refusal(job));
      this.refusedJobs += line.jobs.length;
    }
  }

  /** Returns the index of the outcome. */
  #refusal({ code, message }: RefusedLine): number {
    const reason = `${code} ${message}`;
    const index =
      this.#refusals.get(reason) ?? this.#outcomes.push({ kind: 'refused', reason: { code, message } }) - 1;
    this.#refusals.set(reason, index);
    return index;
  }
}

/** @throws JournalError */
function attempt(what: 'read' | 'write', path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError(`Cannot ${what} the journal ${path}: ${reason}. Correct this first.`, {
      cause: error,
    });
  }
}

function lineOf({ idempotencyKey: key }: JournaledRequest, outcome: RequestOutcome): OutcomeLine {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', key, deletion_id: outcome.deletionId ?? null };
    case 'refused': {
      const jobs = outcome.jobs.map(({ jobId, reason: { code, message } }) => ({
        job_id: jobId,
        code,
        message,
      }));
      return { kind: 'refused', key, jobs };
    }
    case 'too-large':
      return { kind: 'reopened', key, code: 'too_large' };
    case 'failed':
      return { kind: 'reopened', key, code: outcome.problem.code };
  }
}
