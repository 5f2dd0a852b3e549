import { acceptedBody } from '../../answer/send.ts';
import { escapeHtml, formatText } from '../public-document.ts';
import type { DocsContext } from './docs-page.ts';
import { callout, choices, codeBlock, codeOf, jsonBlock, namedCode, paragraph } from './elements.ts';
import {
  exampleJobIds,
  exampleLanguages,
  exampleVariables,
  formatChoices,
  formats,
  readExample,
  type ExampleLanguage,
  type Format,
} from './examples.ts';

export function renderStart(context: DocsContext): string {
  const { texts } = context;
  const { credentials, environment, sandbox, answer, live, looksLive } = texts.start;
  // The examples request English answers.
  const accepted: unknown = JSON.parse(acceptedBody(exampleJobIds, 'en'));
  const steps = [
    formatText(credentials),
    `${formatText(environment)}\n${originField(context)}\n${environmentBlock(context)}`,
    `${formatText(sandbox)}\n${callout(looksLive)}`,
    `${formatText(answer)}\n${jsonBlock(accepted)}`,
    formatText(live),
  ];
  return `<ol class="steps">\n${steps.map((step) => `<li>${step}</li>`).join('\n')}\n</ol>`;
}

/** The script of the page shows the field, and fills in the origin of the address's `?origin=`. */
function originField({ texts }: DocsContext): string {
  return `<form id="origin-choice" hidden>
<label class="field"><span>${escapeHtml(texts.yourOrigin)}</span>
<small>${escapeHtml(texts.yourOriginHint)}</small>
<input type="url" name="origin" placeholder="${exampleVariables.JOBS_DELETE_ORIGIN}" autocomplete="off" spellcheck="false"></label>
</form>`;
}

function environmentBlock({ texts, settings: { publicUrl, basePath } }: DocsContext): string {
  const api = publicUrl === '' ? exampleVariables.JOBS_DELETE_URL + basePath : publicUrl + basePath;
  const shown: Record<string, string> = {
    ...exampleVariables,
    // The script of the page fills in its own address where the service does not know it.
    JOBS_DELETE_URL:
      publicUrl === '' ? `<span data-address="api">${escapeHtml(api)}</span>` : escapeHtml(api),
    JOBS_DELETE_ORIGIN: ownOrigin,
  };
  const lines = Object.entries(shown).map(([name, value]) => `export ${name}='${value}'`);
  return namedCode('shell', codeOf(lines.join('\n')), texts.examples);
}

/** The caller's own origin, which the script of the page fills in. */
export const ownOrigin = `<span data-address="own">${exampleVariables.JOBS_DELETE_ORIGIN}</span>`;

export function renderExamples(context: DocsContext): string {
  const { introduction, language, format } = context.texts.examples;
  const languageChoices = exampleLanguages.map(({ id, name }) => ({ value: id, label: name }));
  const examples = exampleLanguages.flatMap((one) =>
    formats.map((each) => renderExample(context, one, each)),
  );
  return [
    paragraph(introduction),
    '<form id="example-choice" class="tabs">',
    choices('language', language, languageChoices),
    choices('format', format, formatChoices),
    '</form>',
    ...examples,
  ].join('\n');
}

/** The script of the page shows the selected example. */
function renderExample({ texts }: DocsContext, language: ExampleLanguage, format: Format): string {
  const { id, name, file, run } = language;
  const isFirst = language === exampleLanguages[0] && format === formats[0];
  return `<div class="example" id="example-${id}-${format}"${isFirst ? '' : ' hidden'}>
<h3>${escapeHtml(name)}, ${format.toUpperCase()}</h3>
${namedCode(file, codeBlock(readExample(language, format)), texts.examples)}
<p>${escapeHtml(texts.examples.run)} <code>${escapeHtml(run)}</code></p>
</div>`;
}

/** The script of the page sends the form. The policy of the page forbids an ordinary submission. */
export function renderSandboxForm({ texts: { sandbox: texts }, root, settings }: DocsContext): string {
  const { origin } = new URL(settings.publicUrl || exampleVariables.JOBS_DELETE_URL);
  return `${paragraph(texts.introduction)}
${paragraph(texts.memory)}
<p>${formatText(texts.origin)} <code data-address="page">${escapeHtml(origin)}</code></p>
<p class="without-script">${escapeHtml(texts.needsScript)}</p>
<form id="sandbox-form" method="post" autocomplete="off" data-root="${root}" data-sending="${escapeHtml(texts.sending)}" data-no-answer="${escapeHtml(texts.noAnswer)}">
<div class="tabs">
${choices('format', texts.format, formatChoices)}
</div>
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
