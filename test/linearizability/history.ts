import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HttpAnswer } from '../harness/http-client.ts';

/** A line of a history, which the checker reads (`history.go`). Without `return`, the outcome is unknown. */
export interface Call extends Question, Told {
  readonly client: number;
  /** Nanoseconds of one monotonic clock. */
  readonly call: number;
  readonly return?: number;
}

export interface Question {
  readonly account: string;
  readonly op: 'delete' | 'check' | 'status' | 'cancel' | 'import';
  readonly ids?: readonly string[];
  readonly key?: string | undefined;
  /** The deletion of a status or cancel, or the id that the caller of a delete has drawn. */
  readonly deletion?: string;
}

/** The answer to a caller. `model.go` lists the outcomes of each operation. */
export interface Told {
  readonly outcome: string;
  /** The deletion of an accepted or replayed delete. */
  readonly answer?: string;
  /** The ids that a refusal names. */
  readonly named?: readonly string[];
  readonly truncated?: boolean;
}

export const unknown: Told = { outcome: 'unknown' };

export interface History {
  readonly path: string;
  /** The number of calls. */
  size(): number;
  /** Tells that the account has these jobs before the first call. */
  exist(account: string, ids: readonly string[]): void;
  add(call: Call): void;
  /**
   * Performs a call and adds it. Returns what it was told.
   * @param perform resolves to undefined if the answer says nothing about jobs and deletions
   */
  record(
    client: number,
    question: Question,
    perform: () => Promise<Told | undefined>,
  ): Promise<Told | undefined>;
  /** Writes the rest of the file. */
  save(): void;
}

export function createHistory(path: string): History {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  let lines: string[] = [];
  let size = 0;
  const save = () => {
    appendFileSync(path, lines.join(''));
    lines = [];
  };
  const write = (line: unknown) => {
    lines.push(`${JSON.stringify(line)}\n`);
    if (lines.length >= 1_000) save();
  };
  const history: History = {
    path,
    size: () => size,
    exist: (account, ids) => write({ op: 'exists', account, ids }),
    add: (call) => {
      size += 1;
      write(call);
    },
    record: async (client, question, perform) => {
      const call = monotonicNs();
      const told = await perform();
      if (told !== undefined) history.add(callOf(client, question, told, { call, return: monotonicNs() }));
      return told;
    },
    save,
  };
  return history;
}

/** The begin and the end of a call. */
export interface Span {
  readonly call: number;
  readonly return: number;
}

export function callOf(client: number, question: Question, told: Told, span: Span): Call {
  return { client, ...question, ...told, call: span.call, ...(told !== unknown && { return: span.return }) };
}

export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

type Problem = Partial<{
  code: string;
  errors: readonly { job_id?: string }[];
  errors_truncated: boolean;
}>;

/**
 * Reads the answer to a deletion, live or in the sandbox. Undefined: a limit refused it, which the model leaves out.
 * @throws an answer that no correct request gets
 */
export function readDeletionAnswer(answer: HttpAnswer | undefined): Told | undefined {
  if (answer === undefined || answer.status === 503) return unknown;
  const { code, errors = [], errors_truncated: truncated } = (answer.json ?? {}) as Problem;
  if (answer.status === 200) {
    if (answer.headers.sandbox === 'true') return { outcome: 'available' };
    const isReplay = answer.headers['idempotent-replayed'] === 'true';
    return { outcome: isReplay ? 'replayed' : 'accepted', answer: String(answer.headers['deletion-id']) };
  }
  if (answer.status === 404) {
    const named = errors.map(({ job_id: jobId = '' }) => jobId);
    return { outcome: 'unavailable', named, ...(truncated === true && { truncated }) };
  }
  if (code === 'idempotency_key_reused') return { outcome: 'key-reused' };
  if (code === 'deletion_limit_exceeded') return undefined;
  throw new Error(`unexpected answer: ${String(answer.status)} ${answer.text}`);
}

/** Reads the answer to a status or a cancellation. @throws an answer that no correct request gets */
export function readStatusAnswer(answer: HttpAnswer | undefined): Told {
  if (answer === undefined || answer.status === 503) return unknown;
  if (answer.status === 200) return { outcome: (answer.json as { state: string }).state };
  if (answer.status === 404) return { outcome: 'missing' };
  if (answer.status === 409) return { outcome: 'begun' };
  throw new Error(`unexpected answer: ${String(answer.status)} ${answer.text}`);
}
