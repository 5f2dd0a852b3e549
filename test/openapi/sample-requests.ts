import type { Json, JsonObject } from '@jobs-delete/gateway/http/openapi/schemas';
import { operationsOf, type Operation, type Parameter } from './document.ts';

/** A request that the examples of an operation describe. Its texts have variables such as `{{token}}`. */
export interface SampleRequest extends Pick<
  Operation,
  'method' | 'operationId' | 'tag' | 'summary' | 'description'
> {
  /** With the query, without the address of the service. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** The variables of the samples, with their first values. The demo account has the others. */
export const variables = {
  base_url: 'http://localhost:8080',
  token: '',
  secret_key: '',
  origin: '',
} as const;

/** The request whose answer has the id for the samples of the status. */
export const deletingSample = 'deleteJobsJson';
export const deletionVariable = 'deletion_id';

/** The sandbox comes before the deletion: it checks the jobs that the samples after it delete. */
const tags = ['Account', 'Sandbox', 'Deletion', 'Status', 'Jobs'];

/** Returns a request for each operation that the demo account can call. */
export function sampleRequests(document: JsonObject): readonly SampleRequest[] {
  const operations = operationsOf(document);
  // The demo account has no delay, so it can't cancel.
  const samples = operations.filter(({ operationId }) => operationId !== 'cancelDeletion');
  return tags.flatMap((tag) => samples.filter((operation) => operation.tag === tag)).map(sampleOf);
}

function sampleOf(operation: Operation): SampleRequest {
  const { method, operationId, tag, summary, description, body } = operation;
  return {
    method,
    operationId,
    tag,
    summary,
    description,
    path: pathOf(operation),
    headers: headersOf(operation),
    ...(body && {
      body:
        body.mediaType === 'application/xml'
          ? `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf(body.rootName, body.example)}`
          : JSON.stringify(body.example, null, 2),
    }),
  };
}

/** Each item of a list is an element with the name of the list, as OpenAPI defines it for lists that are not wrapped. */
function xmlOf(name: string, value: Json): string {
  if (Array.isArray(value)) return value.map((item: Json) => xmlOf(name, item)).join('');
  const isObject = typeof value === 'object' && value !== null;
  const content = isObject
    ? Object.entries(value)
        .map(([member, of]) => xmlOf(member, of))
        .join('')
    : String(value);
  return `<${name}>${content}</${name}>`;
}

function pathOf({ path, parameters }: Operation): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map((parameter) => `${parameter.name}=${valueOf(parameter)}`);
  const filled = path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return name === 'Deletion-Id' ? `{{${deletionVariable}}}` : valueOf(parameter);
  });
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function headersOf({ parameters, body }: Operation): (readonly [string, string])[] {
  const credentials = [
    ['Authorization', 'Bearer {{token}}'],
    ['Usersecretkey', '{{secret_key}}'],
  ] as const;
  const others = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(
      (parameter) =>
        [parameter.name, parameter.name === 'Origin' ? '{{origin}}' : valueOf(parameter)] as const,
    );
  return [...credentials, ...(body ? [['Content-Type', body.mediaType] as const] : []), ...others];
}

/** Returns the English example where there is one for each language. */
function valueOf(parameter: Parameter | undefined): string {
  return String(parameter?.example ?? parameter?.examples?.en?.value ?? '');
}
