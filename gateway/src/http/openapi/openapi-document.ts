import { deletionEndpoint, endpoints, jobsEndpoint, whoamiEndpoint, type Endpoint } from '../endpoints.ts';
import { maxWaitSeconds } from '../request/read-query.ts';
import {
  cancellationParameters,
  deletionParameters,
  jobsParameters,
  parameters,
  securitySchemes,
  statusParameters,
  whoamiParameters,
} from './parameters.ts';
import { componentHeaders, componentResponses, responsesOf } from './responses.ts';
import { typeBaseOf, type DocumentSettings } from '../documents/public-document.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import { examples } from './examples.ts';
import { extension, ref, schemas, type JsonObject } from './schemas.ts';

/** Returns the OpenAPI document of the public API. It is built from the tables that the gateway runs on. */
export function openapiDocument(settings: DocumentSettings): JsonObject {
  const url = settings.publicUrl + settings.basePath;
  return {
    openapi: '3.1.1',
    info: {
      title: 'jobs-delete',
      version: '1.0.0',
      summary: 'Deletes job postings in bulk, permanently.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: url === '' ? '/' : url }],
    security: [{ token: [], secretKey: [] }],
    tags,
    paths: paths(settings),
    components: {
      securitySchemes,
      parameters: parameters(),
      headers: componentHeaders,
      responses: componentResponses(),
      schemas: schemas(settings),
      examples: examples(typeBaseOf(settings)),
    },
  };
}

const description = `A request names jobs of the caller's account. The service deletes all of them, or refuses the request and changes nothing.

Every request needs a token, a secret key and an Origin of the same account.

The first failed check decides the answer. The order is: path, method, token, secret key, Origin, headers, size of the body, form of the body, ids, owner of the jobs.

A refusal is a problem of RFC 9457 in French, English or Spanish. The examples have the names of the codes. The \`type\` of a problem leads to a page with its meaning and what to do, in these languages.

\`x-extension: true\` marks what this service adds to the reference of the API.

Every answer has the headers ${securityHeaders.map(([name]) => name).join(', ')}.

The HTTP server itself refuses what is not valid HTTP, and requests that arrive too slowly. It answers 400, 408, 431 or 505 without a problem, and closes the connection.

Pages of other origins may call the API only where the operator has set \`CORS=allowed-domains\`.`;

const tags = [
  { name: 'Deletion', description: 'Deletes jobs permanently.' },
  { name: 'Sandbox', description: 'Checks a request and deletes nothing.' },
  { name: 'Account', description: 'Says whose credentials the caller has.' },
  { name: 'Jobs', description: 'Lists the jobs of the account.' },
  { name: 'Status', description: 'Says how far a deletion is.' },
];

/** Returns the paths of the API, without the base path. HEAD, OPTIONS and the public documents are not described. */
function paths(limits: DocumentSettings): JsonObject {
  const deletions = endpoints.map(
    (endpoint) => [endpoint.path, { delete: deleteOperation(endpoint, limits) }] as const,
  );
  return {
    ...Object.fromEntries(deletions),
    [whoamiEndpoint.path]: { ...extension, get: whoamiOperation },
    [jobsEndpoint.path]: { ...extension, get: listOperation },
    [deletionEndpoint.path]: { ...extension, get: readOperation, delete: cancelOperation },
  };
}

function deleteOperation(
  { mediaType, sandbox }: Endpoint,
  { maxJobsPerRequest, maxBodyBytes }: DocumentSettings,
): JsonObject {
  const format = mediaType === 'application/json' ? 'JSON' : 'XML';
  const limits = `At most ${String(maxJobsPerRequest)} jobs and ${String(maxBodyBytes)} bytes.`;
  const schema = ref('schemas', format === 'JSON' ? 'DeletionRequest' : 'Jobs');
  return {
    operationId: `${sandbox ? 'checkJobs' : 'deleteJobs'}${format === 'JSON' ? 'Json' : 'Xml'}`,
    tags: [sandbox ? 'Sandbox' : 'Deletion'],
    summary: sandbox ? `Check a deletion, as ${format}` : `Delete jobs, as ${format}`,
    description: sandbox
      ? '**Deletes nothing, but its answer looks live: only the header `Sandbox: true` marks it.** Runs every check of the deletion. Stores nothing, and keeps no idempotency keys.'
      : 'Deletes the jobs permanently: all jobs of the request, or none. 200 means that the deletion is stored durably.',
    parameters: deletionParameters,
    requestBody: {
      required: true,
      description: `Send a Content-Length header. ${limits}`,
      content: { [mediaType]: { schema, examples: { two: ref('examples', format) } } },
    },
    responses: responsesOf(sandbox ? 'sandbox' : 'deletion'),
  };
}

const whoamiOperation: JsonObject = {
  ...extension,
  operationId: 'whoami',
  tags: ['Account'],
  summary: 'Check the credentials',
  description:
    'Names the account of the credentials, when they expire, and the largest request. Changes nothing.',
  parameters: whoamiParameters,
  responses: responsesOf('whoami'),
};

const listOperation: JsonObject = {
  ...extension,
  operationId: 'listJobs',
  tags: ['Jobs'],
  summary: 'List the jobs of the account',
  description:
    'Lists ids in the order of their bytes: digits, upper case, lower case. Jobs that are queued for deletion are left out. A page may have fewer jobs than `limit`: only `next` says if there are more.',
  parameters: jobsParameters,
  responses: responsesOf('jobs'),
};

const readOperation: JsonObject = {
  ...extension,
  operationId: 'readDeletion',
  tags: ['Status'],
  summary: 'Read the status of a deletion',
  description: `Says whether the jobs are removed. \`wait\` waits up to ${String(maxWaitSeconds)} seconds for the removal. An unknown or expired deletion, and one of another account, is 404.`,
  parameters: statusParameters,
  responses: responsesOf('status'),
};

const cancelOperation: JsonObject = {
  ...extension,
  operationId: 'cancelDeletion',
  tags: ['Status'],
  summary: 'Cancel a waiting deletion',
  description:
    'For an account with a delay: cancels the deletion as a whole until its removal begins. Its jobs stay, and can be deleted again. Cancelling twice answers the same.',
  parameters: cancellationParameters,
  responses: responsesOf('cancellation'),
};
