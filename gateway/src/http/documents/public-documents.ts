import type { Language } from '../../messages/messages.ts';
import { docsPages } from './docs-page/docs-page.ts';
import { openapiFile } from './openapi-file.ts';
import { problemPages } from './problem-pages.ts';
import type { DocumentSettings, PublicDocument, RenderedDocument } from './public-document.ts';

/** Returns every public document of the API. */
export function publicDocuments(settings: DocumentSettings): readonly PublicDocument[] {
  return [openapiFile(settings), ...docsPages(settings), ...problemPages()].map(renderedOnce);
}

/** Renders the document once in each language, at the first request. */
function renderedOnce(document: PublicDocument): PublicDocument {
  const rendered = new Map<Language, RenderedDocument>();
  return {
    ...document,
    render: (requested) => {
      const language = document.language ?? requested;
      const result = rendered.get(language) ?? document.render(language);
      rendered.set(language, result);
      return result;
    },
  };
}
