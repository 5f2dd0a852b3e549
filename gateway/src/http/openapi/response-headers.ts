import { languages } from '../../messages/messages.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import { allowedRequestHeaders, exposedResponseHeaders, preflightSeconds } from '../cors.ts';
import type { ResponseHeader } from '../header-names.ts';
import { exampleDeletionId, exampleRequestId } from './examples.ts';
import { extension, fromNames, ref, type JsonObject } from './json.ts';

const seconds = { type: 'integer', minimum: 1 };
const isTrue = { type: 'string', const: 'true' };

const headers: Readonly<Record<ResponseHeader, JsonObject>> = {
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
    description: 'No cache may store the answer.',
    schema: { type: 'string', const: 'no-store' },
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
    schema: isTrue,
  },
  Sandbox: {
    ...extension,
    required: true,
    description: 'The request has changed nothing.',
    schema: isTrue,
  },
  'Retry-After': {
    ...extension,
    required: true,
    description: 'How many seconds to wait before the next attempt.',
    schema: seconds,
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
    description: 'The way to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
  },
};

const corsHeaders: JsonObject = {
  Vary: {
    ...extension,
    required: true,
    description: 'The answer depends on the Origin of the request.',
    schema: { type: 'string', const: 'Origin' },
  },
  'Access-Control-Allow-Origin': {
    ...extension,
    description: 'The Origin of the request.',
    schema: { type: 'string' },
  },
  'Access-Control-Expose-Headers': {
    ...extension,
    description: 'The headers that a page may read.',
    schema: { type: 'string', const: exposedResponseHeaders },
  },
};
const preflightHeaders: JsonObject = {
  'Access-Control-Allow-Methods': {
    ...extension,
    required: true,
    description: 'The methods of the path.',
    schema: { type: 'string' },
  },
  'Access-Control-Allow-Headers': {
    ...extension,
    required: true,
    description: 'The headers that a page may send.',
    schema: { type: 'string', const: allowedRequestHeaders },
  },
  'Access-Control-Max-Age': {
    ...extension,
    required: true,
    description: 'How many seconds the browser may keep this answer.',
    schema: { type: 'integer', const: preflightSeconds },
  },
};
const security = Object.fromEntries(
  securityHeaders.map(([name, value]) => [
    name,
    {
      ...extension,
      required: true,
      description: 'A security header, the same on every answer.',
      schema: { type: 'string', const: value },
    },
  ]),
);

export interface CorsOption {
  /** Lets pages of other origins call the API. */
  readonly cors: boolean;
}

/** Returns all headers of answers, by their names in the components. */
export function componentHeaders({ cors }: CorsOption): JsonObject {
  return { ...headers, ...security, ...(cors && { ...corsHeaders, ...preflightHeaders }) };
}

/** Returns the headers of every answer. */
export function commonHeaders({ cors }: CorsOption): JsonObject {
  const own = ['Request-Id', 'Content-Language', 'Cache-Control', ...Object.keys(security)];
  return headersByName([...own, ...(cors ? Object.keys(corsHeaders) : [])]);
}

/** Returns the headers of the answer to a preflight request. */
export function headersOfPreflight(option: CorsOption): JsonObject {
  return { ...commonHeaders(option), ...headersByName(Object.keys(preflightHeaders)) };
}

/** Returns a header that only some of these answers have. */
export function optionalHeader(name: ResponseHeader): JsonObject {
  return { [name]: { ...headers[name], required: false } };
}

export function headersByName(names: readonly string[]): JsonObject {
  return fromNames(names, (name) => ref('headers', name));
}
