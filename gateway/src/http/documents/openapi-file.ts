import { createHash } from 'node:crypto';
import { openapiDocument } from '../openapi/openapi-document.ts';
import type { DocumentSettings, PublicDocument, RenderedDocument } from './public-document.ts';

/** Returns the OpenAPI document of this gateway, with its address and its limits. */
export function openapiFile(settings: DocumentSettings): PublicDocument {
  let rendered: RenderedDocument | undefined;
  return { path: '/openapi.json', render: () => (rendered ??= render(settings)) };
}

function render(settings: DocumentSettings): RenderedDocument {
  const body = JSON.stringify(openapiDocument(settings));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { mediaType: 'application/json', language: 'en', body, etag };
}
