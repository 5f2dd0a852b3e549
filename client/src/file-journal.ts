import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import type {
  Journal,
  JournaledRequest,
  JournalTarget,
  RequestOutcome,
  UnfinishedRequest,
} from './journal.ts';

/** One line of the file, in JSON. The Python client reads and writes the same lines. */
type Line =
  | { readonly kind: 'start'; readonly version: 1; readonly base_url: string; readonly sandbox: boolean }
  | {
      readonly kind: 'sent';
      readonly key: string;
      readonly job_ids: readonly string[];
      /** Time of the first attempt, RFC 3339. */
      readonly at: string;
    }
  | { readonly kind: 'accepted'; readonly key: string; readonly deletion_id: string | null }
  | { readonly kind: 'refused'; readonly key: string; readonly jobs: readonly RefusedLine[] }
  /** The request was refused as a whole. Its jobs are still to be sent. */
  | { readonly kind: 'reopened'; readonly key: string; readonly code: string };

interface RefusedLine {
  readonly job_id: string;
  readonly code: string;
  readonly message: string;
}

export interface FileJournalOptions {
  /**
   * Sends requests without an outcome again, even if the server may have forgotten their keys after 24 hours. A job that was
   * posted again under its id may then be deleted. Default: false.
   */
  readonly resendExpired?: boolean;
  /** Replaces the clock. */
  readonly now?: () => number;
}

/** A journal in a file. */
export interface FileJournal extends Journal {
  close(): void;
}

const keyLifetimeMs = 24 * 3_600_000;

/**
 * Opens a journal in a file, or creates it. A call with the journal of an earlier call, and the same ids, continues that call:
 * it sends the requests without an outcome again with their keys, and then only ids that the journal does not have. One
 * process at a time may use the file. Only its owner can read it. Needs Node, Deno or Bun.
 * @throws Error if the file is no journal, or if a key in it may have expired
 */
export function openFileJournal(path: string, options: FileJournalOptions = {}): FileJournal {
  const { resendExpired = false, now = Date.now } = options;
  const file = openSync(path, 'a', 0o600);
  try {
    const state = readJournal(path, file);
    const oldest = [...state.sent.values()].map(({ at }) => at).sort()[0];
    if (!resendExpired && oldest !== undefined && Date.parse(oldest) < now() - keyLifetimeMs)
      throw new Error(
        `${path}: a request of ${oldest} has no outcome, and its key may have expired. ` +
          'Set resendExpired to send its jobs again: a job that was posted again under its id may then be deleted.',
      );
    return journalOf(path, file, { ...state, resendExpired, now });
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

interface State {
  readonly start: JournalTarget | undefined;
  /** Requests without an outcome, by key. */
  readonly sent: Map<string, Extract<Line, { kind: 'sent' }>>;
  /** Ids with an outcome, or in `sent`. */
  readonly recorded: Set<string>;
}

function journalOf(
  path: string,
  file: number,
  { start, sent, recorded, resendExpired, now }: State & Required<FileJournalOptions>,
): FileJournal {
  let target = start;
  const write = (line: Line) => {
    writeLine(file, line);
    if (line.kind !== 'start') apply(line, sent, recorded);
  };
  async function* unfinished(): AsyncGenerator<UnfinishedRequest> {
    for (const { key, job_ids } of [...sent.values()])
      yield await Promise.resolve({
        idempotencyKey: key,
        jobIds: job_ids,
        positions: job_ids.map((_, index) => index),
        maySplit: resendExpired,
      });
  }
  return {
    onStart: ({ baseUrl, sandbox }) => {
      if (target === undefined) {
        write({ kind: 'start', version: 1, base_url: baseUrl, sandbox });
        target = { baseUrl, sandbox };
      } else if (target.baseUrl !== baseUrl || target.sandbox !== sandbox)
        throw new Error(
          `${path} belongs to a call to ${target.sandbox ? 'the sandbox of ' : ''}${target.baseUrl}. Name another journal.`,
        );
    },
    onRequest: ({ idempotencyKey: key, jobIds }) => {
      // The key expires after the first attempt.
      if (sent.has(key)) return;
      write({ kind: 'sent', key, job_ids: jobIds, at: new Date(now()).toISOString() });
      // A lost outcome costs only a repetition. A lost key would cost the outcome.
      fsyncSync(file);
    },
    onOutcome: (request, outcome) => write(lineOf(request, outcome)),
    unfinished: { [Symbol.asyncIterator]: unfinished },
    isRecorded: (jobId) => recorded.has(jobId),
    close: () => closeSync(file),
  };
}

/** Writes the whole line or nothing: a later line must not follow a part of this one. */
function writeLine(file: number, line: Line): void {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, `${JSON.stringify(line)}\n`);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

function lineOf({ idempotencyKey: key }: JournaledRequest, outcome: RequestOutcome): Line {
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

/** Removes a last line that a crash has cut. */
function readJournal(path: string, file: number): State {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
  let start: JournalTarget | undefined;
  const sent: State['sent'] = new Map();
  const recorded = new Set<string>();
  for (const [index, text] of lines.entries()) {
    const line = parseLine(text);
    if (line === undefined || (line.kind === 'start') !== (index === 0))
      throw new Error(`${path} is no journal, or is damaged at line ${String(index + 1)}`);
    if (line.kind === 'start') start = { baseUrl: line.base_url, sandbox: line.sandbox };
    else apply(line, sent, recorded);
  }
  if (start === undefined && bytes.length > end) throw new Error(`${path} is no journal`);
  if (bytes.length > end) ftruncateSync(file, end);
  return { start, sent, recorded };
}

function apply(line: Exclude<Line, { kind: 'start' }>, sent: State['sent'], recorded: Set<string>): void {
  if (line.kind === 'sent') {
    sent.set(line.key, line);
    for (const jobId of line.job_ids) recorded.add(jobId);
    return;
  }
  const jobIds = sent.get(line.key)?.job_ids ?? [];
  sent.delete(line.key);
  if (line.kind === 'accepted') return;
  // The rest of a refused request is still to be sent.
  for (const jobId of jobIds) recorded.delete(jobId);
  if (line.kind === 'refused') for (const { job_id } of line.jobs) recorded.add(job_id);
}

function parseLine(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as Partial<Line> | null;
    const kinds: readonly unknown[] = ['start', 'sent', 'accepted', 'refused', 'reopened'];
    if (typeof value !== 'object' || !kinds.includes(value?.kind)) return undefined;
    // The client wrote the line: the rest of its form follows from its kind.
    return value as Line;
  } catch {
    return undefined;
  }
}
