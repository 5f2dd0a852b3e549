import { escapeHtml } from '../page.ts';
import type { DocsContext } from './docs-context.ts';
import { choices, codeBlock, paragraph } from './elements.ts';
import {
  exampleLanguages,
  formatChoices,
  formats,
  readExample,
  type ExampleLanguage,
  type Format,
} from './examples.ts';

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
