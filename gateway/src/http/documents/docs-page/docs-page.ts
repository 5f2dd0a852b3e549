import { languages, type Language } from '../../../messages/messages.ts';
import { escapeHtml, renderPage } from '../page.ts';
import {
  etagOf,
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
} from '../public-document.ts';
import type { DocsContext } from './docs-context.ts';
import { paragraph } from './elements.ts';
import { readAsset } from './examples.ts';
import { renderExamples } from './render-examples.ts';
import { renderReference } from './render-reference.ts';
import { renderSandboxForm } from './render-sandbox-form.ts';
import { renderStart } from './render-start.ts';
import { docsTexts, type DocsTexts } from './texts/docs-texts.ts';

/** The name of each language, in that language. */
const languageNames: Readonly<Record<Language, string>> = {
  fr: 'Français',
  en: 'English',
  es: 'Español',
};

/** Returns the documentation page: at `/docs` in the caller's language, and at a path for each language. */
export function docsPages(settings: DocumentSettings): readonly PublicDocument[] {
  return [
    { path: '/docs', render: (language) => renderDocs(language, '.', settings) },
    ...languages.map((language) => ({
      path: `/docs/${language}`,
      language,
      render: () => renderDocs(language, '..', settings),
    })),
  ];
}

function renderDocs(language: Language, root: string, settings: DocumentSettings): RenderedDocument {
  const texts = docsTexts[language];
  const context: DocsContext = { language, texts, settings, root };
  const page = renderPage({
    language,
    title: texts.title,
    style: readAsset('public/docs-page.css'),
    script: readAsset('public/docs-page.js'),
    header: languageLinks(context),
    main: [
      `<h1>${escapeHtml(texts.title)}</h1>`,
      paragraph(texts.introduction),
      contents(texts),
      section('start', texts.start.heading, renderStart(context)),
      section('examples', texts.examples.heading, renderExamples(context)),
      section('sandbox', texts.sandbox.heading, renderSandboxForm(context)),
      section('reference', texts.reference.heading, renderReference(context)),
    ].join('\n'),
  });
  return { ...page, etag: etagOf(page.body) };
}

function languageLinks({ language, texts, root }: DocsContext): string {
  const links = languages.map((other) => {
    const current = other === language ? ' aria-current="true"' : '';
    return `<li><a href="${root}/docs/${other}" lang="${other}" hreflang="${other}"${current}>${languageNames[other]}</a></li>`;
  });
  return `<header>\n<nav aria-label="${escapeHtml(texts.languages)}"><ul>\n${links.join('\n')}\n</ul></nav>\n</header>\n`;
}

function contents({ contents: label, start, examples, sandbox, reference }: DocsTexts): string {
  const parts = Object.entries({ start, examples, sandbox, reference });
  const links = parts.map(([id, { heading }]) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  return `<nav aria-label="${escapeHtml(label)}"><ul>\n${links.join('\n')}\n</ul></nav>`;
}

function section(id: string, heading: string, content: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escapeHtml(heading)}</h2>\n${content}\n</section>`;
}
