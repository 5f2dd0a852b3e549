import type { Language } from '../../messages/messages.ts';
import { openapiDocument } from '../openapi/openapi-document.ts';
import {
  etagOf,
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
} from './public-document.ts';

/** Returns the OpenAPI document of this gateway, with its address and its limits. */
export function openapiFile(settings: DocumentSettings): PublicDocument {
  return { path: '/openapi.json', language: 'en', render: (language) => render(language, settings) };
}

function render(language: Language, settings: DocumentSettings): RenderedDocument {
  const body = JSON.stringify(openapiDocument(settings));
  return { mediaType: 'application/json', language, body, etag: etagOf(body) };
}
