import { type Language, languages } from '../../../messages/messages.ts';
import {
  escapeHtml,
  etagOf,
  formatText,
  renderPage,
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
} from '../public-document.ts';
import { readAsset } from './examples.ts';
import { renderExamples, renderSandboxForm, renderStart } from './render-first-steps.ts';
import {
  renderClients,
  renderErrors,
  renderKeys,
  renderLimits,
  renderPermanent,
  renderRehearsal,
  renderRetries,
} from './render-guides.ts';
import { renderReference } from './render-reference.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';

/** The texts of the documentation page. Backticks enclose code. */
export type DocsTexts = typeof en;

const docsTexts: Readonly<Record<Language, DocsTexts>> = { fr, en, es };

/** Input of every part of the page. */
export interface DocsContext {
  readonly language: Language;
  readonly texts: DocsTexts;
  readonly settings: DocumentSettings;
  /** The path from the page to the API. It is relative: a proxy may change the prefix. */
  readonly root: string;
}

/** The name of each language, in that language. */
const languageNames: Readonly<Record<Language, string>> = {
  fr: 'Français',
  en: 'English',
  es: 'Español',
};

/** The sections in their order. Each has its texts and its anchor under its name. */
const sections = {
  start: renderStart,
  examples: renderExamples,
  sandbox: renderSandboxForm,
  retries: renderRetries,
  errors: renderErrors,
  limits: renderLimits,
  keys: renderKeys,
  permanent: renderPermanent,
  clients: renderClients,
  rehearsal: renderRehearsal,
  reference: renderReference,
} as const satisfies Partial<Record<keyof DocsTexts, (context: DocsContext) => string>>;
const sectionNames = Object.keys(sections) as readonly (keyof typeof sections)[];

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
    header: pageHeader(context),
    main: [
      introduction(context),
      contents(texts),
      ...sectionNames.map((name) => section(name, context)),
    ].join('\n'),
  });
  return { ...page, etag: etagOf(page.body) };
}

function pageHeader({ language, texts, root }: DocsContext): string {
  const links = languages.map((other) => {
    const current = other === language ? ' aria-current="true"' : '';
    return `<li><a href="${root}/docs/${other}" lang="${other}" hreflang="${other}"${current}>${languageNames[other]}</a></li>`;
  });
  return `<header>\n<div>\n<strong translate="no">jobs-delete</strong>\n<nav aria-label="${escapeHtml(texts.languages)}"><ul>\n${links.join('\n')}\n</ul></nav>\n</div>\n</header>\n`;
}

function introduction({ texts, language, settings }: DocsContext): string {
  const lead = texts.introduction.replace('{jobs}', settings.maxJobsPerRequest.toLocaleString(language));
  const promises = Object.entries(texts.promises).map(
    ([name, promise]) => `<li><strong>${escapeHtml(name)}</strong> ${formatText(promise)}</li>`,
  );
  return `<div class="lead">
<h1>${escapeHtml(texts.title)}</h1>
<p>${formatText(lead)}</p>
<ul>\n${promises.join('\n')}\n</ul>
</div>`;
}

function contents(texts: DocsTexts): string {
  const links = sectionNames.map(
    (name) => `<li><a href="#${name}">${escapeHtml(texts[name].heading)}</a></li>`,
  );
  return `<nav class="contents" aria-label="${escapeHtml(texts.contents)}"><ul>\n${links.join('\n')}\n</ul></nav>`;
}

function section(name: keyof typeof sections, context: DocsContext): string {
  const heading = escapeHtml(context.texts[name].heading);
  return `<section aria-labelledby="${name}">\n<h2 id="${name}">${heading}</h2>\n${sections[name](context)}\n</section>`;
}
