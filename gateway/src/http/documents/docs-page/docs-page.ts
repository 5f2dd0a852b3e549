import { type Language, languages } from '../../../messages/messages.ts';
import { acceptedBody } from '../../answer/success-bodies.ts';
import { escapeHtml, formatText, renderPage } from '../page.ts';
import {
  type DocumentSettings,
  type PublicDocument,
  type RenderedDocument,
  etagOf,
} from '../public-document.ts';
import type { DocsContext } from './docs-context.ts';
import { choices, codeBlock, jsonBlock, paragraph } from './elements.ts';
import {
  type ExampleLanguage,
  type Format,
  exampleJobIds,
  exampleLanguages,
  exampleVariables,
  formatChoices,
  formats,
  readAsset,
  readExample,
} from './examples.ts';
import { renderReference } from './render-reference.ts';
import { type DocsTexts, docsTexts } from './texts/docs-texts.ts';

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

export function renderStart(context: DocsContext): string {
  const { texts } = context;
  const { credentials, environment, sandbox, answer, live, demo } = texts.start;
  // The examples request English answers.
  const accepted: unknown = JSON.parse(acceptedBody(exampleJobIds, 'en'));
  const steps = [
    formatText(credentials),
    `${formatText(environment)}\n${environmentBlock(context)}\n${formatText(demo)}`,
    formatText(sandbox),
    `${formatText(answer)}\n${jsonBlock(accepted)}`,
    formatText(live),
  ];
  return `<ol>\n${steps.map((step) => `<li>${step}</li>`).join('\n')}\n</ol>`;
}

function environmentBlock({ settings: { publicUrl, basePath } }: DocsContext): string {
  const values = { ...exampleVariables, JOBS_DELETE_URL: publicUrl + basePath };
  const lines = Object.entries(values).map(([name, value]) => {
    const isUnknown = name === 'JOBS_DELETE_URL' && publicUrl === '';
    // The script of the page fills in its own address.
    const shown = isUnknown
      ? `<span data-address="api">${escapeHtml(exampleVariables.JOBS_DELETE_URL + basePath)}</span>`
      : escapeHtml(value);
    return `export ${name}='${shown}'`;
  });
  return `<pre translate="no"><code>${lines.join('\n')}</code></pre>`;
}

/** The script of the page sends the form. The policy of the page forbids an ordinary submission. */
export function renderSandboxForm({ texts: { sandbox: texts }, root, settings }: DocsContext): string {
  const { origin } = new URL(settings.publicUrl || exampleVariables.JOBS_DELETE_URL);
  const command = `jobs-delete origins allow --account ACCOUNT <span data-address="origin">${escapeHtml(origin)}</span>`;
  return `${paragraph(texts.introduction)}
${paragraph(texts.memory)}
${paragraph(texts.origin)}
<pre translate="no"><code>${command}</code></pre>
<p class="without-script">${escapeHtml(texts.needsScript)}</p>
<form id="sandbox-form" method="post" autocomplete="off" data-root="${root}" data-sending="${escapeHtml(texts.sending)}" data-no-answer="${escapeHtml(texts.noAnswer)}">
${choices('format', texts.format, formatChoices)}
${credentialField('token', texts.token)}
${credentialField('secret-key', texts.secretKey)}
<label class="field"><span>${escapeHtml(texts.jobIds)}</span>
<small>${escapeHtml(texts.jobIdsHint)}</small>
<textarea name="job-ids" rows="3" required spellcheck="false">${exampleJobIds.join('\n')}</textarea></label>
<button type="submit">${escapeHtml(texts.send)}</button>
</form>
<div role="status" aria-label="${escapeHtml(texts.answer)}"><pre id="sandbox-answer" translate="no"></pre></div>`;
}

function credentialField(name: string, label: string): string {
  return `<label class="field"><span>${escapeHtml(label)}</span>
<input type="password" name="${name}" required autocomplete="off" spellcheck="false"></label>`;
}

export function renderExamples(context: DocsContext): string {
  const { introduction, language, format } = context.texts.examples;
  const languageChoices = exampleLanguages.map(({ id, name }) => ({ value: id, label: name }));
  const examples = exampleLanguages.flatMap((one) =>
    formats.map((each) => renderExample(context, one, each)),
  );
  return [
    paragraph(introduction),
    '<form id="example-choice">',
    choices('language', language, languageChoices),
    choices('format', format, formatChoices),
    '</form>',
    ...examples,
  ].join('\n');
}

/** The script of the page shows the selected example. */
function renderExample({ texts }: DocsContext, language: ExampleLanguage, format: Format): string {
  const { copy, copied, run } = texts.examples;
  const { id, name, file } = language;
  const isFirst = language === exampleLanguages[0] && format === formats[0];
  return `<div class="example" id="example-${id}-${format}"${isFirst ? '' : ' hidden'}>
<h3>${escapeHtml(name)}, ${format.toUpperCase()}: <code>${file}</code></h3>
<button type="button" class="copy" data-copy="${escapeHtml(copy)}" data-copied="${escapeHtml(copied)}" hidden>${escapeHtml(copy)}</button>
${codeBlock(readExample(language, format))}
<p>${escapeHtml(run)} <code>${escapeHtml(language.run)}</code></p>
</div>`;
}
