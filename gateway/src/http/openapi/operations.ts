import { deletionEndpoint, endpoints, jobsEndpoint, whoamiEndpoint, type Endpoint } from '../endpoints.ts';
import { maxWaitSeconds } from '../request/read-query.ts';
import { extension, ref, type JsonObject } from './json.ts';
import {
  cancellationParameters,
  deletionParameters,
  jobsParameters,
  statusParameters,
  whoamiParameters,
} from './parameters.ts';
import { responsesOf } from './responses.ts';

export interface Limits {
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** Returns the paths of the API, without the base path. HEAD, OPTIONS and the public documents are not described. */
export function paths(limits: Limits): JsonObject {
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
  { maxJobsPerRequest, maxBodyBytes }: Limits,
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
