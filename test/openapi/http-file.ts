import type { JsonObject } from '@jobs-delete/gateway/http/openapi/json';
import {
  deletingSample,
  deletionVariable,
  sampleRequests,
  variables,
  type SampleRequest,
} from './sample-requests.ts';

const head = `# One request for each operation, generated from openapi.json.
# Open this file in an editor with the REST Client extension, such as Visual Studio Code.
# Fill in the variables from data/demo.json, and send the requests in their order.
`;

/** Returns the samples in the format of the REST Client extension. */
export function httpFile(document: JsonObject): string {
  const assignments = Object.entries(variables).map(([name, value]) => `@${name} = ${value}`.trimEnd());
  const requests = sampleRequests(document).map(textOf);
  return [head + '\n' + assignments.join('\n'), ...requests].join('\n\n###\n') + '\n';
}

function textOf({ operationId, summary, method, path, headers, body }: SampleRequest): string {
  const lines = [
    `# ${summary}`,
    `# @name ${operationId}`,
    `${method} {{base_url}}${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ];
  const after = `\n\n###\n# The id of this deletion, for the requests below.\n@${deletionVariable} = {{${deletingSample}.response.headers.Deletion-Id}}`;
  return lines.join('\n') + (operationId === deletingSample ? after : '');
}
