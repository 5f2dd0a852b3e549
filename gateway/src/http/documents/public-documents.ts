import { problemTable, problemTexts, problemTitle } from '../../messages/problems.ts';
import type { Language } from '../../messages/messages.ts';
import { openapiDocument } from '../openapi/openapi-document.ts';
import { docsPages } from './docs-page/docs-page.ts';
import {
  escapeHtml,
  etagOf,
  formatText,
  renderPage,
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
} from './public-document.ts';

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

/** Returns the OpenAPI document of this gateway, with its address and its limits. */
function openapiFile(settings: DocumentSettings): PublicDocument {
  const render = (language: Language) => {
    const body = JSON.stringify(openapiDocument(settings));
    return { mediaType: 'application/json', language, body, etag: etagOf(body) };
  };
  return { path: '/openapi.json', language: 'en', render };
}

const pageLabels = {
  fr: { meaning: 'Signification', remedy: 'Que faire', status: 'Statut', code: 'Code' },
  en: { meaning: 'Meaning', remedy: 'What to do', status: 'Status', code: 'Code' },
  es: { meaning: 'Significado', remedy: 'Qué hacer', status: 'Estado', code: 'Código' },
} as const satisfies Record<Language, object>;

/** Returns the pages that the `type` of each problem refers to. */
function problemPages(): readonly PublicDocument[] {
  return problemTable.map(({ code, name, status }) => ({
    path: `/problems/${name}`,
    render: (language) => {
      const { meaning, remedy } = problemTexts(language, code);
      const title = problemTitle(language, code);
      const labels = pageLabels[language];
      return renderPage({
        language,
        title,
        main: `<h1>${escapeHtml(title)}</h1>
<p class="facts">${labels.status} ${String(status)} · ${labels.code} <code>${code}</code></p>
<h2>${labels.meaning}</h2>
<p>${formatText(meaning)}</p>
<h2>${labels.remedy}</h2>
<p>${formatText(remedy)}</p>`,
      });
    },
  }));
}
