import { languages } from '../../messages/messages.ts';
import { problemTable, type ProblemKind } from '../../messages/problems.ts';
import type { ResponseHeader } from '../header-names.ts';
import { exampleDeletionId, exampleRequestId } from './examples.ts';
import { extension, fromNames, ref, type JsonObject } from './schemas.ts';

/** Operations of one kind have the same answers. */
const kinds = ['deletion', 'sandbox', 'whoami', 'jobs', 'status', 'cancellation'] as const;
export type Kind = (typeof kinds)[number];

/** The headers of some refusals. */
const headersByStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The refusals that the account has no quota for yet. */
const beforeQuota = [401, 403, 405];

/** The statuses of the reference. Every other one is an extension. */
const referenceStatuses = [400, 401, 403, 404, 405, 500];

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is wrong. `errors` names every wrong entry. Correct the request.',
  401: 'The request has no bearer token.',
  403: 'The token, the secret key or the Origin is wrong; or a deletion would exceed the limit of the account.',
  404: 'The path, a job or the deletion does not exist. Nothing has changed.',
  405: 'The path has other methods. `Allow` names them.',
  409: 'The removal of the jobs has begun. Nothing has changed.',
  413: 'The body is too large. Send fewer jobs in a request.',
  429: 'The request exceeds a limit. Wait as long as `Retry-After` says.',
  500: 'A defect of the service. Report it with its `Request-Id`.',
  503: 'An overload or an outage. Retry after `Retry-After`, with the same Idempotency-Key.',
};

const rateLimits = ['RateLimit', 'RateLimit-Policy'] as const;

const success: Readonly<Record<Kind, JsonObject>> = {
  deletion: {
    description: 'The deletion is stored durably. Every job of the request will be removed.',
    headers: headersOf('Deletion-Id', 'Idempotent-Replayed', ...rateLimits),
    content: json('Accepted', languages),
    links: {
      status: {
        ...extension,
        operationId: 'readDeletion',
        description: 'The status of this deletion.',
        parameters: { 'Deletion-Id': '$response.header.Deletion-Id' },
      },
    },
  },
  sandbox: {
    description: 'The request is valid. Nothing is deleted.',
    headers: headersOf('Sandbox', ...rateLimits),
    content: json('Accepted', languages),
  },
  whoami: {
    ...extension,
    description: 'The credentials work.',
    headers: headersOf(...rateLimits),
    content: json('WhoAmI', ['whoami']),
  },
  jobs: {
    ...extension,
    description: 'A page of jobs.',
    headers: headersOf(...rateLimits),
    content: json('OwnJobs', ['page']),
  },
  status: {
    ...extension,
    description: 'The state of the deletion.',
    headers: headersOf('Retry-After', ...rateLimits),
    content: json('DeletionStatus', ['queued', 'waiting', 'completed', 'cancelled']),
  },
  cancellation: {
    ...extension,
    description: 'The deletion is cancelled.',
    headers: headersOf(...rateLimits),
    content: json('DeletionStatus', ['cancelled']),
  },
};

/** Returns the answers of all operations, by their names in the components. Operations share equal answers. */
export function componentResponses(): JsonObject {
  const answers = kinds.flatMap((kind) => [
    [nameOf(kind, 200), success[kind]] as const,
    ...refusalsOf(kind).map((status) => [nameOf(kind, status), refusal(kind, status)] as const),
  ]);
  return Object.fromEntries(answers);
}

/** Returns references to the answers of a kind, by status. */
export function responsesOf(kind: Kind): JsonObject {
  const statuses = [200, ...refusalsOf(kind)];
  return Object.fromEntries(statuses.map((status) => [status, ref('responses', nameOf(kind, status))]));
}

const likeOther: Partial<Record<Kind, readonly string[]>> = {
  sandbox: ['deletion'],
  jobs: ['reads'],
  status: ['reads'],
  cancellation: ['status', 'reads'],
};

/** Returns the problems of a kind; with a status only those that have it. */
function problemsOf(kind: Kind, status?: number): ProblemKind[] {
  const groups: readonly string[] = ['all', kind, ...(likeOther[kind] ?? [])];
  return problemTable.filter(
    (problem) => groups.includes(problem.refusedBy) && (status ?? problem.status) === problem.status,
  );
}

function refusalsOf(kind: Kind): number[] {
  return [...new Set(problemsOf(kind).map(({ status }) => status))].sort((a, b) => a - b);
}

/** Returns one name for equal answers. */
function nameOf(kind: Kind, status: number): string {
  if (status === 200) return `${kind}-200`;
  const ofStatus = problemTable.filter((problem) => problem.status === status);
  if (ofStatus.every(({ refusedBy }) => refusedBy === 'all')) return `refused-${String(status)}`;
  const isOwn = ofStatus.some(({ refusedBy }) => refusedBy === kind);
  return `${isOwn ? kind : (likeOther[kind]?.[0] ?? kind)}-${String(status)}`;
}

function refusal(kind: Kind, status: number): JsonObject {
  const codes = problemsOf(kind, status).map(({ code }) => code);
  const quota = beforeQuota.includes(status) ? [] : rateLimits;
  const namesJobs = (kind === 'deletion' || kind === 'sandbox') && (status === 400 || status === 404);
  const preference = namesJobs ? (['Preference-Applied'] as const) : [];
  return {
    ...(referenceStatuses.includes(status) ? {} : extension),
    description: descriptions[status] ?? `The request is refused: ${codes.join(', ')}.`,
    headers: headersOf(...(headersByStatus[status] ?? []), ...preference, ...quota),
    content: { 'application/problem+json': content('Problem', codes) },
  };
}

function json(schema: string, examples: readonly string[]): JsonObject {
  return { 'application/json': content(schema, examples) };
}

function content(schema: string, examples: readonly string[]): JsonObject {
  return { schema: ref('schemas', schema), examples: fromNames(examples, (name) => ref('examples', name)) };
}

function headersOf(...names: readonly ResponseHeader[]): JsonObject {
  return fromNames(['Request-Id', 'Content-Language', 'Cache-Control', ...names], (name) =>
    ref('headers', name),
  );
}

/** All headers of answers, by their names in the components. */
export const componentHeaders: Readonly<Record<ResponseHeader, JsonObject>> = {
  'Request-Id': {
    ...extension,
    required: true,
    description: 'The id of the request. The log of the service has it too.',
    schema: { type: 'string', format: 'uuid' },
    example: exampleRequestId,
  },
  'Content-Language': {
    ...extension,
    required: true,
    description: 'The language of the texts. French when the caller’s Accept-Language is wrong.',
    schema: { type: 'string', enum: languages },
  },
  'Cache-Control': {
    ...extension,
    required: true,
    description: '`no-store`: no cache may store the answer.',
    schema: { type: 'string' },
  },
  'Deletion-Id': {
    ...extension,
    required: true,
    description: 'The id of the deletion, for its status.',
    schema: { type: 'string' },
    example: exampleDeletionId,
  },
  'Idempotent-Replayed': {
    ...extension,
    description: 'Present when the answer repeats the first one for this Idempotency-Key.',
    schema: { type: 'boolean' },
  },
  'Preference-Applied': {
    ...extension,
    description: 'Present when `errors` is complete because the caller prefers `errors=all`.',
    schema: { type: 'string' },
    example: 'errors=all',
  },
  Sandbox: {
    ...extension,
    required: true,
    description: '`true`: the request has changed nothing.',
    schema: { type: 'boolean' },
  },
  'Retry-After': {
    ...extension,
    description:
      'How many seconds to wait before the next attempt. Present on 429, on 503 and while a deletion is queued.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  RateLimit: {
    ...extension,
    description: 'What is left of the quota. Present when the account has a limit.',
    schema: { type: 'string' },
    example: '"requests";r=99;t=60',
  },
  'RateLimit-Policy': {
    ...extension,
    description: 'The quota. Present when the account has a limit.',
    schema: { type: 'string' },
    example: '"requests";q=100;w=60',
  },
  Allow: {
    ...extension,
    required: true,
    description: 'The methods of the path.',
    schema: { type: 'string' },
    example: 'DELETE',
  },
  'WWW-Authenticate': {
    ...extension,
    required: true,
    description: '`Bearer`: the way to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};
