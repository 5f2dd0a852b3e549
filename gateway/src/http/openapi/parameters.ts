import { deletionIdPattern } from '@jobs-delete/proto/ids';
import type { RequestHeader } from '../header-names.ts';
import {
  asciiTechnologyPattern,
  commonLanguagesPattern,
  idempotencyKeyPattern,
  userAgentPattern,
} from '../request/read-headers.ts';
import { afterPattern, defaultPageJobs, maxPageJobs, maxWaitSeconds } from '../request/read-query.ts';
import { exampleDeletionId } from './examples.ts';
import { extension, ref, type JsonObject } from './schemas.ts';

/** How the document describes a header: as a credential, as the media type of the body, or as a parameter. */
type Described = 'credential' | 'media type' | JsonObject;

const headers: Readonly<Record<RequestHeader, Described>> = {
  Authorization: 'credential',
  Usersecretkey: 'credential',
  'Content-Type': 'media type',
  Origin: {
    required: true,
    description: 'An origin that matches an allowed domain of the account.',
    schema: { type: 'string', pattern: '^https?://[^/?#@\\s]+$' },
    example: 'https://acme.example',
  },
  'Content-Encoding': {
    description: 'A body may not be compressed: the value is `identity` or empty.',
    schema: { type: 'string', pattern: '^(identity)?$' },
  },
  'Accept-Language': {
    required: true,
    description:
      'The language of the answer: `fr`, `en` or `es`. Lists with weights, regions such as `fr-CA`, and `*` (French) work too.',
    schema: { type: 'string', pattern: commonLanguagesPattern.source },
    examples: { fr: { value: 'fr' }, en: { value: 'en' }, es: { value: 'es-MX, es;q=0.9' } },
  },
  'User-Agent': {
    required: true,
    description: 'The name and version of the client, as `NAME/VERSION`. More may follow.',
    schema: { type: 'string', pattern: userAgentPattern.source },
    example: 'acme-client/1.0',
  },
  'X-Client-Lang': {
    required: true,
    description:
      'The technology of the client: 1 to 64 printable characters. Encode characters outside ASCII in UTF-8.',
    schema: { type: 'string', pattern: asciiTechnologyPattern.source },
    example: 'PHP',
  },
  'Idempotency-Key': {
    ...extension,
    description:
      'Makes a retry safe. The same key with the same ids gets the first answer again. A new request needs a new key.',
    schema: { type: 'string', pattern: idempotencyKeyPattern.source },
    example: '2026-11-21/expired-offers',
  },
  Prefer: {
    ...extension,
    description:
      '`errors=all`: a refusal names every wrong entry, not only the first 100. Other preferences of RFC 7240 are ignored.',
    schema: { type: 'string' },
    example: 'errors=all',
  },
};

/** Returns all parameters of the API, by their names in the components. */
export function parameters(): JsonObject {
  const described = Object.entries(headers).flatMap(([name, header]) =>
    typeof header === 'string' ? [] : [[name, { name, in: 'header', ...header }] as const],
  );
  return {
    ...Object.fromEntries(described),
    'Deletion-Id': {
      name: 'Deletion-Id',
      in: 'path',
      required: true,
      description: 'The `Deletion-Id` of a 200.',
      schema: { type: 'string', pattern: deletionIdPattern.source },
      example: exampleDeletionId,
    },
    wait: {
      ...extension,
      name: 'wait',
      in: 'query',
      description: 'How many seconds to wait until the deletion is completed.',
      schema: { type: 'integer', minimum: 0, maximum: maxWaitSeconds, default: 0 },
      example: maxWaitSeconds,
    },
    after: {
      ...extension,
      name: 'after',
      in: 'query',
      description:
        'The `next` of the previous page. Absent for the first page. It need not be the id of a job.',
      schema: { type: 'string', pattern: afterPattern.source },
    },
    limit: {
      ...extension,
      name: 'limit',
      in: 'query',
      description: 'The most jobs of the page.',
      schema: { type: 'integer', minimum: 1, maximum: maxPageJobs, default: defaultPageJobs },
      example: maxPageJobs,
    },
  };
}

const common = ['Origin', 'Accept-Language', 'User-Agent', 'X-Client-Lang'];
export const deletionParameters = [...common, 'Content-Encoding', 'Idempotency-Key', 'Prefer'].map(
  toParameter,
);
const ofRead = [...common, 'Content-Encoding'];
export const whoamiParameters = ofRead.map(toParameter);
export const jobsParameters = ['after', 'limit', ...ofRead].map(toParameter);
export const statusParameters = ['Deletion-Id', 'wait', ...ofRead].map(toParameter);
export const cancellationParameters = ['Deletion-Id', ...ofRead].map(toParameter);

function toParameter(name: string): JsonObject {
  return ref('parameters', name);
}

/** Each request needs both. */
export const securitySchemes: JsonObject = {
  token: { type: 'http', scheme: 'bearer', description: 'An API token of the account.' },
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Usersecretkey',
    description: 'A secret key of the same account.',
  },
};
