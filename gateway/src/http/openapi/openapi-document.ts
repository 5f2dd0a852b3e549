import { typeBaseOf, type DocumentSettings } from '../documents/public-document.ts';
import { securityHeaders } from '../answer/security-headers.ts';
import { examples } from './examples.ts';
import type { JsonObject } from './json.ts';
import { paths } from './operations.ts';
import { parameters, securitySchemes } from './parameters.ts';
import { componentHeaders, componentResponses } from './responses.ts';
import { schemas } from './schemas.ts';

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
