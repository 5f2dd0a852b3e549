import { openapiDocument } from '../openapi/openapi-document.ts';
import {
  etagOf,
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
} from './public-document.ts';

/** Returns the OpenAPI document of this gateway, with its address and its limits. */
export function openapiFile(settings: DocumentSettings): PublicDocument {
  let rendered: RenderedDocument | undefined;
  return { path: '/openapi.json', render: () => (rendered ??= render(settings)) };
}

function render(settings: DocumentSettings): RenderedDocument {
  const body = JSON.stringify(openapiDocument(settings));
  return { mediaType: 'application/json', language: 'en', body, etag: etagOf(body) };
}
