import { problemPages } from './problem-pages.ts';
import type { DocumentSettings, PublicDocument } from './public-document.ts';

/** Returns every public document of the API. */
export function publicDocuments(_settings: DocumentSettings): readonly PublicDocument[] {
  return [...problemPages()];
}
