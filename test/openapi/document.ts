import type { Json, JsonObject } from '@jobs-delete/gateway/http/openapi/schemas';

/** The parts of an OpenAPI document that its readers here need, with all references resolved. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: {
    readonly mediaType: string;
    readonly example: Json;
    /** The name of the root element, for XML. */
    readonly rootName: string;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required?: boolean;
  readonly example?: string | number;
  readonly examples?: Readonly<Record<string, { readonly value: string }>>;
}

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}
interface Content {
  readonly schema: { readonly xml?: { readonly name: string } };
  readonly examples: Examples;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;
type Examples = Readonly<Record<string, { readonly value: Json }>>;

/** Returns the operations of the document, in its order. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  // The validators check the form of the document.
  const paths = resolve(document.paths ?? {}, document) as Paths;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => !method.startsWith('x-'))
      .map(([method, described]) => operationOf(path, method, described)),
  );
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, tags, summary, description, parameters, requestBody } = described;
  const [content] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(content?.[1].examples ?? {});
  return {
    method: method.toUpperCase(),
    path,
    operationId,
    tag: tags[0] ?? '',
    summary,
    description,
    parameters,
    ...(content !== undefined && {
      body: {
        mediaType: content[0],
        example: example?.value ?? null,
        rootName: content[1].schema.xml?.name ?? '',
      },
    }),
  };
}

/** Replaces every reference by its target. The document has no cycle. */
function resolve(value: Json, document: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item: Json) => resolve(item, document));
  if (value === null || typeof value !== 'object') return value;
  const object = value as JsonObject;
  if (typeof object.$ref === 'string') return resolve(target(object.$ref, document), document);
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, resolve(member, document)]),
  );
}

function target(reference: string, document: JsonObject): Json {
  let value: Json = document;
  for (const name of reference.split('/').slice(1)) value = (value as JsonObject)[name] ?? null;
  return value;
}
