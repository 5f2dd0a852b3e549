import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { openFileJournal, type FileJournal } from './file-journal.ts';
import {
  IncompleteError,
  JobsDeleteClient,
  ProblemError,
  type ClientOptions,
  type DeleteJobsOptions,
  type JobOutcome,
  type ListJobsOptions,
  type Report,
} from './index.ts';
import { accepted, ids, problem, startScriptedServer, type Received } from './scripted-server.fixture.ts';
import type { Answer, Case } from './conformance-case.fixture.ts';

const table = JSON.parse(
  readFileSync(join(import.meta.dirname, '../conformance/cases.json'), 'utf8'),
) as readonly Case[];

const own = table.filter(({ clients = ['typescript'] }) => clients.includes('typescript'));
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test.each(own.map((one) => [one.title, one] as const))('%s', async (_title, one) => {
  const { requests = [], base_path = '', closed_connections } = one;
  const waiting: (() => void)[] = [];
  const { baseUrl, received } = await startScriptedServer(async (_received, index) => {
    for (const wake of waiting.splice(0)) wake();
    const answer = requests[index]?.answer ?? 'accepted';
    const needed = answer === 'accepted' ? 0 : (answer.after_requests ?? 0);
    while (received.length < needed) await new Promise<void>((resolve) => waiting.push(resolve));
    return answerOf(answer);
  }, closed_connections);

  const retries: { error: string; pauseMs: number }[] = [];
  // The table also has options of a wrong type.
  const options = {
    baseUrl: `${baseUrl}${base_path}`,
    token: 'a-token',
    secretKey: 'a-key',
    origin: 'https://example.com',
    userAgent: 'shop/1.0',
    concurrency: 1,
    ...camelKeys(one.options ?? {}),
    onRetry: ({ error, pauseMs }) => void retries.push({ error: error.name, pauseMs }),
  } as ClientOptions;
  const [result, error] = await outcomeOf(() => run(one, options));
  if (one.usage_error !== undefined) {
    expect(String(error)).toContain(camel(one.usage_error));
    expect(String(error)).not.toMatch(/secret\n|password@/);
  } else if (one.error === undefined) expect(error).toBeUndefined();
  else expect(errorOf(error)).toMatchObject(withMessage(one.error));
  if (one.result !== undefined) expect(withKeys(result, received)).toEqual(one.result);
  expectRequests(one, received);
  if (one.retries !== undefined) expectRetries(one.retries, retries);
  if (one.journal_after !== undefined) expect(journalLines(received, baseUrl)).toEqual(one.journal_after);
});

async function run(one: Case, options: ClientOptions): Promise<unknown> {
  const client = new JobsDeleteClient(options);
  const journal = one.journal === undefined ? undefined : openJournal(one.journal, String(options.baseUrl));
  const { call_options = {}, job_ids = 0, deletion_id = '' } = one;
  const jobIds = typeof job_ids === 'number' ? ids(job_ids) : job_ids;
  // The table also has unknown options and a single text.
  const callOptions = { ...camelKeys(call_options), ...(journal && { journal }) } as DeleteJobsOptions;
  switch (one.call) {
    case 'create':
      return undefined;
    case 'delete_jobs':
      return client.deleteJobs(jobIds, callOptions).then(reportOf, (error: unknown) => {
        throw Object.assign(
          error as Error,
          error instanceof IncompleteError && { result: reportOf(error.report) },
        );
      });
    case 'outcomes':
      return collect(client.outcomes(jobIds, callOptions), outcomeRow);
    case 'first outcome':
      for await (const outcome of client.outcomes(jobIds, callOptions)) return outcomeRow(outcome);
      return undefined;
    case 'status':
      return snakeKeys(await client.status(deletion_id));
    case 'wait_until_removed':
      return snakeKeys(await client.waitUntilRemoved(deletion_id));
    case 'cancel':
      return snakeKeys(await client.cancel(deletion_id));
    case 'whoami':
      return snakeKeys(await client.whoami());
    case 'jobs':
      return collect(client.jobs(callOptions as ListJobsOptions), (jobId) => jobId);
    default:
      throw new Error(`the table has an unknown call: ${one.call}`);
  }
}

async function collect<Item>(items: AsyncIterable<Item>, toRow: (item: Item) => unknown): Promise<unknown> {
  const rows: unknown[] = [];
  try {
    for await (const item of items) rows.push(toRow(item));
  } catch (error) {
    throw Object.assign(error as Error, { result: rows });
  }
  return rows;
}

/** Returns the result, also one that an error carries, and the error. */
async function outcomeOf(work: () => Promise<unknown>): Promise<[unknown, unknown]> {
  try {
    return [await work(), undefined];
  } catch (error) {
    return [(error as { result?: unknown }).result, error];
  }
}

function answerOf(answer: Answer) {
  if (answer === 'accepted') return accepted;
  if (answer.fault === 'hang') return 'hang';
  if (answer.fault === 'close') return 'reset';
  const { status = 200, headers = {}, problem: code, pointers, errors_truncated, text, json, fault } = answer;
  const refusal = code === undefined ? undefined : problem(status, code, pointers);
  const body = refusal === undefined ? json : { ...(refusal.body as object), errors_truncated };
  const scripted = {
    status,
    headers: { ...refusal?.headers, ...headers },
    body,
    ...(text !== undefined && { text }),
  };
  return fault === undefined ? scripted : { ...scripted, fault };
}

function expectRequests({ requests = [], call }: Case, received: readonly Received[]): void {
  if (call === 'first outcome') expect(received.length).toBeLessThanOrEqual(requests.length);
  else expect(received).toHaveLength(requests.length);
  const keys = keysOf(received);
  for (const [index, one] of received.entries()) {
    const { method, path, job_ids, headers = {}, body, key } = requests[index] ?? {};
    expect(one.headers).toMatchObject(headers);
    const got = { method: one.method, path: one.url, job_ids: one.jobIds, body: one.body };
    const wanted = Object.entries({ method, path, job_ids, body }).filter(([, value]) => value !== undefined);
    expect(got).toMatchObject(Object.fromEntries(wanted));
    if (key !== undefined) expect(keys.indexOf(String(one.headers['idempotency-key']))).toBe(key);
  }
}

/** Returns the different keys, in the order of their first request. */
function keysOf(received: readonly Received[]): string[] {
  return [...new Set(received.map(({ headers }) => String(headers['idempotency-key'])))];
}

function reportOf({ acceptedJobs, deletions, refused, unknown }: Report) {
  return {
    accepted_jobs: acceptedJobs,
    deletions: deletions.map(({ deletionId = null, jobs }) => [deletionId, jobs]),
    refused: refused.map(({ jobId, reason }) => [jobId, reason.code]),
    unknown: unknown.map(({ idempotencyKey, jobIds }) => [idempotencyKey, [...jobIds]]),
  };
}

/** Replaces the keys of unknown requests by their numbers. */
function withKeys(result: unknown, received: readonly Received[]): unknown {
  if (typeof result !== 'object' || result === null || !('unknown' in result)) return result;
  const unknown = result.unknown as [string, string[]][];
  const keys = keysOf(received);
  return { ...result, unknown: unknown.map(([key, jobIds]) => [keys.indexOf(key), jobIds]) };
}

function outcomeRow(outcome: JobOutcome) {
  const { kind, jobId } = outcome;
  return [jobId, kind, kind === 'accepted' ? (outcome.deletionId ?? null) : outcome.reason.code];
}

function errorOf(error: unknown) {
  const cause = error instanceof IncompleteError ? error.cause : error;
  if (!(cause instanceof Error)) throw new Error('the call did not fail', { cause });
  const common = { class: cause.name, message: cause.message };
  if (!(cause instanceof ProblemError)) return common;
  const { status, code, requestId: request_id, errors, errorsTruncated: errors_truncated } = cause;
  return {
    ...common,
    status,
    code,
    request_id,
    errors_truncated,
    pointers: errors.map(({ pointer }) => pointer),
  };
}

function withMessage({ message, ...rest }: NonNullable<Case['error']>) {
  return message === undefined ? rest : { ...rest, message: expect.stringContaining(message) };
}

function expectRetries(
  expected: NonNullable<Case['retries']>,
  retries: readonly { readonly error: string; readonly pauseMs: number }[],
): void {
  expect(retries.map(({ error }) => error)).toEqual(expected.map(({ error }) => error));
  for (const [index, { pauseMs }] of retries.entries())
    expect(pauseMs).toBeLessThanOrEqual(expected[index]?.pause_at_most_ms ?? 0);
}

let journalPath = '';

function openJournal(lines: readonly unknown[], baseUrl: string): FileJournal {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-journal-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  journalPath = join(folder, 'journal');
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  writeFileSync(
    journalPath,
    text.replaceAll('BASE_URL', baseUrl).replaceAll('NOW', new Date().toISOString()),
  );
  const journal = openFileJournal(journalPath);
  ends.push(() => journal.close());
  return journal;
}

/** Returns the lines of the journal, without times, and with numbers for the keys of this run. */
function journalLines(received: readonly Received[], baseUrl: string): unknown[] {
  const keys = keysOf(received);
  const lines = readFileSync(journalPath, 'utf8').replaceAll(baseUrl, 'BASE_URL').trimEnd().split('\n');
  return lines.map((line) => {
    const { key, ...rest } = JSON.parse(line) as { at?: string; key?: string };
    delete rest.at;
    if (key === undefined) return rest;
    return { ...rest, key: keys.includes(key) ? keys.indexOf(key) : key };
  });
}

const camel = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function camelKeys(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [camel(name), value]));
}

function snakeKeys(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snake(name), snakeKeys(one)]));
}
