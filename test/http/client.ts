import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  callerHeaders,
  jsonBody,
  send,
  xmlBody,
  type HttpAnswer,
  type HttpCall,
} from '../harness/http-client.ts';
import { startService, type TestAccount, type TestService } from '../harness/service.ts';
import { problems, type Code, type Language } from './contract.ts';

export interface ClientCall extends HttpCall {
  readonly format?: 'json' | 'xml';
  readonly sandbox?: boolean;
  /** The ids for the body, unless there is a `body`. */
  readonly jobIds?: readonly string[];
  readonly language?: string;
  readonly idempotencyKey?: string;
}

/** The client of one account. Its calls are valid, except for what a test changes. */
export interface Client {
  readonly account: TestAccount;
  readonly baseUrl: string;
  /** Creates job postings that no other test uses. */
  newJobs(count: number): Promise<string[]>;
  call(call: ClientCall): Promise<HttpAnswer>;
  /** Returns the same client at another gateway. */
  at(baseUrl: string): Client;
}

let lastJob = 0;

/** Returns new ids, of no job yet. */
export function newJobIds(count: number): string[] {
  return Array.from({ length: count }, () => `Job${String(++lastJob).padStart(6, '0')}`);
}

/** Starts a service with one account before the tests of a file, and stops it after them. */
export function useClient(accountId: string): () => Client {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService();
    client = await createClient(service, accountId);
  });
  afterAll(() => service.stop());
  return () => client;
}

export async function createClient(service: TestService, accountId: string): Promise<Client> {
  const account = await service.operator.createAccount(accountId);
  const newJobs = async (count: number) => {
    const jobIds = newJobIds(count);
    await service.operator.importJobs(accountId, jobIds);
    return jobIds;
  };
  const at = (baseUrl: string): Client => ({
    account,
    baseUrl,
    newJobs,
    call: (call) => send(baseUrl, completed(account, call)),
    at,
  });
  return at(service.baseUrl);
}

/** Completes the call with defaults. */
export function completed(account: TestAccount, call: ClientCall): HttpCall {
  const { format = 'json', sandbox = false, jobIds = [], language = 'en', idempotencyKey } = call;
  const body = format === 'json' ? jsonBody(jobIds) : xmlBody(jobIds);
  return {
    method: 'DELETE',
    path: pathOf(format, sandbox),
    body,
    ...call,
    headers: {
      ...callerHeaders(account, format),
      'Accept-Language': language,
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...call.headers,
    },
  };
}

/** Returns the headers that name the account. */
export function credentialsOf({ token, secretKey, origin }: TestAccount) {
  return { Authorization: `Bearer ${token}`, Usersecretkey: secretKey, Origin: origin };
}

export function pathOf(format: 'json' | 'xml', sandbox = false): string {
  return `/${sandbox ? 'v1-sandbox' : 'v1'}/${format}/jobs-delete`;
}

export interface ProblemError {
  readonly pointer?: string;
  readonly job_id?: string;
  readonly header?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly instance: string;
  readonly errors?: readonly ProblemError[];
  readonly errors_truncated?: true;
}

export interface Accepted {
  readonly status: string;
  readonly processed_jobs: number;
  readonly results: readonly { job_id: string; status: string; message: string }[];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Checks the headers of every answer of the service. */
export function expectStamped(
  headers: NodeJS.Dict<string | string[]> | Readonly<Record<string, string>>,
  language: string,
): void {
  expect(headers['request-id']).toMatch(uuid);
  expect(headers['content-language']).toBe(language);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-powered-by']).toBeUndefined();
}

/** Checks the headers of every answer above the HTTP layer. */
const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Checks a refusal with this code, in this language. */
export function expectProblem(
  answer: HttpAnswer,
  code: Code,
  {
    language = 'en',
    header,
    allow = 'DELETE',
  }: { language?: Language; header?: string; allow?: string } = {},
): Problem {
  const problem = answer.json as Problem;
  const { status } = problems[code];
  const said = { status: answer.status, code: problem.code, title: problem.title };
  const title = problems[code][language].replace('{name}', header ?? '{name}');
  expect(said).toEqual({ status, code, title });
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  expectStamped(answer.headers, language);
  expect(answer.headers).toMatchObject(securityHeaders);
  expect(answer.headers['deletion-id']).toBeUndefined();
  expect(answer.headers['idempotent-replayed']).toBeUndefined();

  expect(problem.status).toBe(status);
  expect(problem.type).toMatch(/^(?:\/[\w.~-]+)*\/problems\/[a-z-]+$/);
  expect(problem.type.endsWith(`/${code.replaceAll('_', '-')}`)).toBe(true);
  expect(problem.instance).toBe(`urn:uuid:${String(answer.headers['request-id'])}`);
  expectMembers(problem, [
    'type',
    'title',
    'status',
    'detail',
    'code',
    'instance',
    'errors',
    'errors_truncated',
  ]);
  expectExplanation(problem.detail);
  expectErrors(problem, code, language, answer.headers['preference-applied'] === 'errors=all');
  expectHeadersOf(status, answer, allow);
  return problem;
}

/** Checks that there are exactly these members, in this order. */
function expectMembers(value: object, order: readonly string[]): void {
  const names = Object.keys(value);
  expect(names).toEqual(order.filter((name) => names.includes(name)));
}

/** Checks that a detail has whole sentences and no open placeholder. */
function expectExplanation(detail: string): void {
  expect(detail).toMatch(/^[\p{Lu}«'].{10,}\.$/su);
  expect(detail).not.toMatch(/\{\w+\}/);
}

function expectErrors(
  { status, errors, errors_truncated }: Problem,
  code: Code,
  language: Language,
  hasAll: boolean,
): void {
  if (status !== 400 && code !== 'job_not_found') {
    expect(errors).toBeUndefined();
    expect([errors_truncated, hasAll]).toEqual([undefined, false]);
    return;
  }
  expect(errors?.length).toBeGreaterThan(0);
  expect(errors?.length).toBeLessThanOrEqual(hasAll ? 10_000 : 100);
  expect(errors?.[0]?.code).toBe(code);
  if (errors_truncated !== undefined)
    expect([errors_truncated, errors?.length, hasAll]).toEqual([true, 100, false]);
  for (const [index, error] of errors?.entries() ?? []) {
    const text = problems[error.code as Code][language];
    expect(error.message).toBe(text.replace('{name}', error.header ?? error.parameter ?? '{name}'));
    if (index < 100) expectExplanation(error.detail ?? '');
    else expect(error.detail).toBeUndefined();
    expectMembers(error, ['pointer', 'job_id', 'header', 'parameter', 'code', 'message', 'detail']);
  }
}

function expectHeadersOf(status: number, { headers }: HttpAnswer, allow: string): void {
  expect(headers.allow).toBe(status === 405 ? allow : undefined);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
  else expect(headers['retry-after']).toBeUndefined();
}

/** Checks a 200. */
export function expectAccepted(answer: HttpAnswer, jobIds: readonly string[], sandbox = false): string {
  expect([answer.status, answer.json]).toEqual([200, expect.anything()]);
  expect(answer.headers).toMatchObject(securityHeaders);
  expect((answer.json as Accepted).results.map(({ job_id }) => job_id)).toEqual(jobIds);
  expect(answer.headers.sandbox).toBe(sandbox ? 'true' : undefined);
  const deletionId = answer.headers['deletion-id'];
  if (sandbox) expect(deletionId).toBeUndefined();
  else expect(deletionId).toMatch(uuid);
  return String(deletionId);
}
