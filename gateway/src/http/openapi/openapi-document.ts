import { languages } from '../../messages/messages.ts';
import { typeBaseOf, type DocumentSettings } from '../documents/public-document.ts';
import { problemTable } from '../answer/problem-table.ts';
import { examples } from './examples.ts';
import { fromNames, type JsonObject } from './json.ts';
import { paths } from './operations.ts';
import { parameters, securitySchemes } from './parameters.ts';
import { componentHeaders } from './response-headers.ts';
import { componentResponses } from './responses.ts';
import { schemas } from './schemas.ts';

/** Returns the OpenAPI document of the public API. It is built from the tables that the gateway runs on. */
export function openapiDocument({ cors = false, ...settings }: DocumentSettings): JsonObject {
  const options = { ...settings, cors };
  const url = options.publicUrl + options.basePath;
  const typeBase = typeBaseOf(options);
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
    paths: paths(options),
    components: {
      securitySchemes,
      parameters: parameters(),
      headers: componentHeaders(options),
      responses: componentResponses(options),
      schemas: schemas(options),
      examples: examples(typeBase),
    },
    'x-problems': problems(typeBase),
  };
}

const description = `A request names jobs of the caller's account. The service deletes all of them, or refuses the request and changes nothing.

Every request needs a token, a secret key and an Origin of the same account.

The first failed check decides the answer. The order is: path, method, token, secret key, Origin, headers, size of the body, form of the body, ids, owner of the jobs.

A refusal is a problem of RFC 9457 in French, English or Spanish. \`x-problems\` lists every code, with its meaning and what to do.

\`x-extension: true\` marks what this service adds to the reference of the API.

The HTTP server itself refuses what is not valid HTTP, and requests that arrive too slowly. It answers 400, 408, 431 or 505 without a problem, and closes the connection.

Pages of other origins may call the API only where the operator has set \`CORS=allowed-domains\`. Otherwise OPTIONS is 405.`;

const tags = [
  { name: 'Deletion', description: 'Deletes jobs permanently.' },
  { name: 'Sandbox', description: 'Checks a request and deletes nothing.' },
  { name: 'Status', description: 'Says how far a deletion is.' },
  { name: 'Browsers', description: 'Preflight requests, where `CORS=allowed-domains` is set.' },
  { name: 'Documents', description: 'Public documents. They need no credentials.' },
];

/** Returns every problem, by its code, with its texts in all languages. */
function problems(typeBase: string): JsonObject {
  const all = problemTable.map(({ code, name, status, texts }) => {
    const byLanguage = fromNames(languages, (language) => ({ ...texts[language] }));
    return [code, { type: typeBase + name, status, ...byLanguage }] as const;
  });
  return Object.fromEntries(all);
}
