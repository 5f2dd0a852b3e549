import { docsPages } from './docs-page/docs-page.ts';
import { openapiFile } from './openapi-file.ts';
import { problemPages } from './problem-pages.ts';
import type { DocumentSettings, PublicDocument } from './public-document.ts';

/** Returns every public document of the API. */
export function publicDocuments(settings: DocumentSettings): readonly PublicDocument[] {
  return [openapiFile(settings), ...docsPages(settings), ...problemPages()];
}
