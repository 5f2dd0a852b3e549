import { deletionEndpoint, endpoints, type Endpoint } from '../endpoints.ts';
import { maxWaitSeconds } from '../request/read-wait-seconds.ts';
import { documentPaths } from './documents.ts';
import { extension, ref, type JsonObject } from './json.ts';
import { deletionParameters, preflightParameters, statusParameters } from './parameters.ts';
import { headersOfPreflight, type CorsOption } from './response-headers.ts';
import { responsesOf } from './responses.ts';

export interface PathOptions extends CorsOption {
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** Returns the paths of the API, without the base path. */
export function paths(options: PathOptions): JsonObject {
  const deletions = endpoints.map((endpoint) => [endpoint.path, deletionPath(endpoint, options)] as const);
  return {
    ...Object.fromEntries(deletions),
    [deletionEndpoint.path]: statusPath(options),
    ...documentPaths(options),
  };
}

function deletionPath(endpoint: Endpoint, options: PathOptions): JsonObject {
  return {
    delete: deleteOperation(endpoint, options),
    ...(options.cors && { options: preflightOperation(`${operationIdOf(endpoint)}Preflight`, [], options) }),
  };
}

function deleteOperation(endpoint: Endpoint, { maxJobsPerRequest, maxBodyBytes }: PathOptions): JsonObject {
  const { mediaType, sandbox } = endpoint;
  const format = formatOf(endpoint);
  const limits = `At most ${String(maxJobsPerRequest)} jobs and ${String(maxBodyBytes)} bytes.`;
  const schema = mediaType === 'application/json' ? 'DeletionRequest' : 'Jobs';
  return {
    operationId: operationIdOf(endpoint),
    tags: [sandbox ? 'Sandbox' : 'Deletion'],
    summary: sandbox ? `Check a deletion, as ${format}` : `Delete jobs, as ${format}`,
    description: sandbox
      ? '**Deletes nothing, but its answer looks live: only the header `Sandbox: true` marks it.** Runs every check of the deletion. Stores nothing, and keeps no idempotency keys.'
      : 'Deletes the jobs permanently: all jobs of the request, or none. 200 means that the deletion is stored durably.',
    parameters: deletionParameters,
    requestBody: {
      required: true,
      description: `Send a Content-Length header. ${limits}`,
      content: {
        [mediaType]: { schema: ref('schemas', schema), examples: { two: ref('examples', format) } },
      },
    },
    responses: responsesOf(sandbox ? 'sandbox' : 'deletion'),
  };
}

function formatOf({ mediaType }: Endpoint): 'JSON' | 'XML' {
  return mediaType === 'application/json' ? 'JSON' : 'XML';
}

function operationIdOf(endpoint: Endpoint): string {
  return `${endpoint.sandbox ? 'checkJobs' : 'deleteJobs'}${formatOf(endpoint) === 'JSON' ? 'Json' : 'Xml'}`;
}

function statusPath(options: PathOptions): JsonObject {
  const operation = {
    ...extension,
    tags: ['Status'],
    description: `Says whether the jobs are removed. \`wait\` waits up to ${String(maxWaitSeconds)} seconds for the removal. An unknown or expired deletion, and one of another account, is 404.`,
    parameters: statusParameters,
  };
  return {
    get: {
      ...operation,
      operationId: 'readDeletion',
      summary: 'Read the status of a deletion',
      responses: responsesOf('status'),
    },
    head: {
      ...operation,
      operationId: 'readDeletionHead',
      summary: 'Read the headers of a status',
      responses: responsesOf('status', 'HEAD'),
    },
    ...(options.cors && { options: preflightOperation('readDeletionPreflight', [anyDeletionId], options) }),
  };
}

/** A preflight request looks at no deletion. */
const anyDeletionId: JsonObject = {
  name: 'Deletion-Id',
  in: 'path',
  required: true,
  description: 'Any id: it is not looked up.',
  schema: { type: 'string', minLength: 1 },
};

function preflightOperation(
  operationId: string,
  pathParameters: readonly JsonObject[],
  options: PathOptions,
): JsonObject {
  return {
    ...extension,
    operationId,
    tags: ['Browsers'],
    summary: 'Preflight request of a browser',
    description: 'Needs no credentials. The request itself decides whether the Origin is allowed.',
    security: [],
    parameters: [...pathParameters, ...preflightParameters],
    responses: {
      204: { description: 'The browser may send the request.', headers: headersOfPreflight(options) },
      405: responsesOf('deletion')['405'] ?? null,
    },
  };
}
