import type { ProblemCode } from '../../messages/messages.ts';
import { problemTable, statusOf } from '../answer/problem-table.ts';
import { examplesInAllLanguages } from './examples.ts';
import { extension, ref, type Json, type JsonObject } from './json.ts';
import { commonHeaders, headersByName, optionalHeader, type CorsOption } from './response-headers.ts';

/** Operations of one kind have the same answers. Each document has its own 200. */
export type Kind = 'deletion' | 'sandbox' | 'status' | 'document';

const kinds: readonly Kind[] = ['deletion', 'sandbox', 'status', 'document'];
const aboutBody: readonly Kind[] = ['deletion', 'sandbox'];
const byDefault: readonly Kind[] = ['deletion', 'sandbox', 'status'];
/** The kinds that answer a code. Default: `byDefault`. */
const answeredBy: Partial<Record<ProblemCode, readonly Kind[]>> = {
  job_id_required: aboutBody,
  job_id_malformed: aboutBody,
  job_id_duplicated: aboutBody,
  body_malformed: aboutBody,
  body_too_large: aboutBody,
  too_many_jobs: aboutBody,
  job_not_found: aboutBody,
  idempotency_key_reused: ['deletion'],
  query_invalid: ['status'],
  deletion_not_found: ['status'],
  route_not_found: kinds,
  method_not_allowed: kinds,
  internal_error: kinds,
};

/** The statuses of the reference. Every other one is an extension. */
const referenceStatuses = [200, 400, 401, 403, 404, 405, 500];

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is wrong. `errors` names every wrong entry. Correct the request.',
  401: 'The request has no bearer token.',
  403: 'The token, the secret key or the Origin is wrong.',
  404: 'The path, a job or the deletion does not exist. Nothing has changed.',
  405: 'The path has other methods. `Allow` names them.',
  413: 'The body is too large. Send fewer jobs in a request.',
  429: 'The request exceeds a limit. Wait as long as `Retry-After` says.',
  500: 'A defect of the service. Report it with its `Request-Id`.',
  503: 'An overload or an outage. Retry after `Retry-After`, with the same Idempotency-Key.',
};

interface Answer {
  readonly description: string;
  /** Without the common headers. */
  readonly headers: JsonObject;
  readonly content: JsonObject;
  readonly [member: string]: Json;
}

const rateLimits = headersByName(['RateLimit', 'RateLimit-Policy']);

const success: Readonly<Record<Exclude<Kind, 'document'>, Answer>> = {
  deletion: {
    description: 'The deletion is stored durably. Every job of the request will be removed.',
    headers: { ...headersByName(['Deletion-Id', 'Idempotent-Replayed']), ...rateLimits },
    content: json('Accepted', examplesInAllLanguages(['accepted'])),
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
    headers: { ...headersByName(['Sandbox']), ...rateLimits },
    content: json('Accepted', examplesInAllLanguages(['accepted'])),
  },
  status: {
    ...extension,
    description: 'The state of the deletion.',
    headers: { ...optionalHeader('Retry-After'), ...rateLimits },
    content: json('DeletionStatus', {
      queued: ref('examples', 'queued'),
      completed: ref('examples', 'completed'),
    }),
  },
};

/** Returns the answers of all kinds, by their names in the components. The answers to HEAD have no content. */
export function componentResponses(option: CorsOption): JsonObject {
  const common = commonHeaders(option);
  const all = kinds.flatMap((kind) =>
    statusesOf(kind).flatMap((status) => {
      const { headers, content, ...rest } = answerOf(kind, status);
      const answer: JsonObject = { ...rest, headers: { ...common, ...headers } };
      const hasHead = !aboutBody.includes(kind);
      return [
        [nameOf(kind, status), { ...answer, content }] as const,
        ...(hasHead ? [[nameOf(`${kind}-head`, status), answer] as const] : []),
      ];
    }),
  );
  return Object.fromEntries(all);
}

/** Returns references to the answers of a kind, by status. */
export function responsesOf(kind: Kind, method: 'GET' | 'HEAD' = 'GET'): JsonObject {
  const name = method === 'HEAD' ? `${kind}-head` : kind;
  return Object.fromEntries(
    statusesOf(kind).map((status) => [status, ref('responses', nameOf(name, status))]),
  );
}

function nameOf(kind: string, status: number): string {
  return `${kind}-${String(status)}`;
}

function codesOf(kind: Kind): ProblemCode[] {
  const codes = problemTable.map(({ code }) => code);
  return codes.filter((code) => (answeredBy[code] ?? byDefault).includes(kind));
}

function statusesOf(kind: Kind): number[] {
  const problems = codesOf(kind).map((code) => statusOf[code]);
  return [...new Set([...(kind === 'document' ? [] : [200]), ...problems])].sort((a, b) => a - b);
}

function answerOf(kind: Kind, status: number): Answer {
  return status === 200 && kind !== 'document' ? success[kind] : refusalOf(kind, status);
}

function refusalOf(kind: Kind, status: number): Answer {
  const codes = codesOf(kind).filter((code) => statusOf[code] === status);
  const schema = {
    allOf: [ref('schemas', 'Problem')],
    properties: { status: { const: status }, code: { enum: codes } },
  };
  return {
    ...(referenceStatuses.includes(status) ? {} : extension),
    description: descriptions[status] ?? `The request is refused: ${codes.join(', ')}.`,
    headers: headersOf(kind, status),
    content: { 'application/problem+json': { schema, examples: examplesInAllLanguages(codes) } },
  };
}

/** Returns the headers of this refusal, without the common ones. */
function headersOf(kind: Kind, status: number): JsonObject {
  const required: Readonly<Record<number, string[]>> = {
    401: ['WWW-Authenticate'],
    405: ['Allow'],
    429: ['Retry-After'],
    503: ['Retry-After'],
  };
  const mayFollowQuota = kind !== 'document' && ![401, 403, 405].includes(status);
  return {
    ...headersByName([...(required[status] ?? []), ...(kind === 'sandbox' ? ['Sandbox'] : [])]),
    ...(mayFollowQuota && rateLimits),
  };
}

function json(schema: string, examples: JsonObject): JsonObject {
  return { 'application/json': { schema: ref('schemas', schema), examples } };
}
