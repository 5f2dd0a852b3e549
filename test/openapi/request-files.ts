import type { JsonObject } from '@jobs-delete/gateway/http/openapi/schemas';
import {
  deletingSample,
  deletionVariable,
  type SampleRequest,
  sampleRequests,
  variables,
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

/** Returns a Postman collection, format 2.1, with a folder for each tag and a request for each operation. */
export function postmanCollection(document: JsonObject): JsonObject {
  const { title, summary } = document.info as { readonly title: string; readonly summary: string };
  const samples = sampleRequests(document);
  const tags = [...new Set(samples.map(({ tag }) => tag))];
  return {
    info: {
      name: title,
      description: `${summary} Fill in the variables of the collection from \`data/demo.json\`. Run the requests in their order.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries({ ...variables, [deletionVariable]: '' }).map(([key, value]) => ({
      key,
      value,
    })),
    item: tags.map((tag) => ({
      name: tag,
      item: samples.filter((sample) => sample.tag === tag).map(itemOf),
    })),
  };
}

function itemOf(sample: SampleRequest): JsonObject {
  const { method, path, headers, body, summary, description } = sample;
  return {
    name: summary,
    request: {
      method,
      description,
      header: headers.map(([key, value]) => ({ key, value })),
      url: urlOf(path),
      ...(body !== undefined && { body: { mode: 'raw', raw: body } }),
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testsOf(sample) } }],
    response: [],
  };
}

/** Postman reads the parts, people read `raw`. */
function urlOf(path: string): JsonObject {
  const raw = `{{base_url}}${path}`;
  const [pathname = '', query] = path.split('?');
  const parameters = new URLSearchParams(query ?? '');
  return {
    raw,
    host: ['{{base_url}}'],
    path: pathname.split('/').slice(1),
    ...(query !== undefined && { query: [...parameters].map(([key, value]) => ({ key, value })) }),
  };
}

function testsOf({ operationId }: SampleRequest): string[] {
  const keep = `pm.collectionVariables.set('${deletionVariable}', pm.response.headers.get('Deletion-Id'));`;
  return [
    "pm.test('the status is 200', () => pm.response.to.have.status(200));",
    ...(operationId === deletingSample ? [keep] : []),
  ];
}
