import { languages } from '../../messages/messages.ts';
import { problemTable } from '../answer/problem-table.ts';
import { extension, type JsonObject } from './json.ts';
import { commonHeaders, type CorsOption } from './response-headers.ts';
import { responsesOf } from './responses.ts';

/** A document of the gateway that needs no credentials. */
interface Description {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly JsonObject[];
  /** The answers to GET, without the refusals. */
  readonly responses: Readonly<Record<string, JsonObject>>;
}

/** Returns the paths of the public documents, without the base path. */
export function documentPaths(option: CorsOption): JsonObject {
  const documents = [openapiFile(option), docsPage(option), docsPageIn(option), problemPage(option)];
  return Object.fromEntries(documents.map((document) => [document.path, pathItem(document)]));
}

function openapiFile(option: CorsOption): Description {
  return {
    path: '/openapi.json',
    operationId: 'readOpenapi',
    summary: 'This document',
    parameters: [ifNoneMatch],
    responses: versioned(option, {
      description: 'The document, with the address and the limits of this gateway.',
      content: { 'application/json': { schema: { type: 'object' } } },
    }),
  };
}

function docsPage(option: CorsOption): Description {
  return {
    path: '/docs',
    operationId: 'readDocs',
    summary: 'The documentation, in the language of the caller',
    parameters: [ifNoneMatch, acceptLanguage],
    responses: versioned(option, page),
  };
}

function docsPageIn(option: CorsOption): Description {
  return {
    path: '/docs/{language}',
    operationId: 'readDocsIn',
    summary: 'The documentation, in one language',
    parameters: [
      ifNoneMatch,
      {
        ...{ name: 'language', in: 'path', required: true, example: 'en' },
        schema: { type: 'string', enum: languages },
      },
    ],
    responses: versioned(option, page),
  };
}

const page = { description: 'A page for people.', content: { 'text/html': { schema: { type: 'string' } } } };
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the version that the caller has.',
  schema: { type: 'string' },
};

/** Returns the answers with a document that callers may keep. */
function versioned(option: CorsOption, document: JsonObject): Description['responses'] {
  const headers = {
    ...documentHeaders(option),
    ETag: {
      ...extension,
      required: true,
      description: 'The version of the document.',
      schema: { type: 'string' },
    },
    'Cache-Control': { required: true, schema: { type: 'string', const: 'no-cache' } },
  };
  return {
    200: { ...document, headers },
    304: { description: 'The caller has this version already.', headers },
  };
}

function problemPage(option: CorsOption): Description {
  return {
    path: '/problems/{name}',
    operationId: 'readProblem',
    summary: 'What a problem means, and what to do',
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'The code of the problem, with hyphens.',
        schema: { type: 'string', enum: problemTable.map(({ name }) => name) },
        example: 'job-not-found',
      },
      acceptLanguage,
    ],
    responses: { 200: { ...page, headers: documentHeaders(option) } },
  };
}

const acceptLanguage: JsonObject = {
  name: 'Accept-Language',
  in: 'header',
  description: 'The language of the page. Default: French.',
  schema: { type: 'string' },
  examples: Object.fromEntries(languages.map((value) => [value, { value }])),
};

/** Returns the common headers without the security policy. Each document has its own policy. */
function documentHeaders(option: CorsOption): JsonObject {
  return Object.fromEntries(
    Object.entries(commonHeaders(option)).filter(([name]) => name !== 'content-security-policy'),
  );
}

function pathItem({ operationId, summary, parameters, responses }: Description): JsonObject {
  const operation = {
    ...extension,
    tags: ['Documents'],
    description: 'Needs no credentials. Where the operator has set `DOCS=off`, the path is 404.',
    security: [],
    parameters,
  };
  const withoutContent = Object.entries(responses).map(
    ([status, { content: _, ...response }]) => [status, response] as const,
  );
  return {
    ...extension,
    get: {
      ...operation,
      operationId,
      summary,
      responses: { ...responses, ...responsesOf('document') },
    },
    head: {
      ...operation,
      operationId: `${operationId}Head`,
      summary: `${summary}: headers only`,
      responses: {
        ...Object.fromEntries(withoutContent),
        ...responsesOf('document', 'HEAD'),
      },
    },
  };
}
