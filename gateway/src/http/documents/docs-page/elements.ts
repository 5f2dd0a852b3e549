import { escapeHtml, formatText } from '../public-document.ts';

export function paragraph(text: string): string {
  return `<p>${formatText(text)}</p>`;
}

/** Returns a list whose items have code between backticks. */
export function list(items: readonly string[], tag: 'ul' | 'ol' = 'ul'): string {
  return `<${tag}>\n${items.map((item) => `<li>${formatText(item)}</li>`).join('\n')}\n</${tag}>`;
}

export function heading(level: 3 | 4, text: string): string {
  return `<h${String(level)}>${escapeHtml(text)}</h${String(level)}>`;
}

/** Returns a note that readers must not miss. */
export function callout(text: string): string {
  return `<p class="callout">${formatText(text)}</p>`;
}

export function codeBlock(text: string): string {
  return codeOf(highlight(text.trimEnd()));
}

/** @param html the code, as HTML */
export function codeOf(html: string): string {
  return `<pre translate="no"><code>${html}</code></pre>`;
}

export function jsonBlock(value: unknown): string {
  return codeBlock(JSON.stringify(value, undefined, 2));
}

export interface CopyTexts {
  readonly copy: string;
  readonly copied: string;
}

/** Returns code with its name and a button that copies it. The script of the page shows the button. */
export function namedCode(name: string, code: string, { copy, copied }: CopyTexts): string {
  return `<div class="code">
<div class="bar"><span>${escapeHtml(name)}</span>
<button type="button" class="copy" data-copy="${escapeHtml(copy)}" data-copied="${escapeHtml(copied)}" hidden>${escapeHtml(copy)}</button></div>
${code}
</div>`;
}

/** A comment or a string of any language of the examples. A comment starts its line, because `//` may be in a string. */
const token = /^([ \t]*(?:\/\/|# |\/\*\*).*)$|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*'|`[^`]*`)/gm;

/** Escapes code, and marks its comments and strings. */
export function highlight(code: string): string {
  let html = '';
  let end = 0;
  for (const { index, 0: text, 1: comment } of code.matchAll(token)) {
    const kind = comment === undefined ? 'string' : 'comment';
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(text)}</span>`;
    end = index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}

/** Returns a list of names and their meanings, both with code between backticks. */
export function definitions(entries: readonly (readonly [name: string, meaning: string])[]): string {
  const items = entries.map(
    ([name, meaning]) => `<dt>${formatText(name)}</dt><dd>${formatText(meaning)}</dd>`,
  );
  return `<dl>\n${items.join('\n')}\n</dl>`;
}

/** Returns a table. The cells are HTML. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  caption: string,
): string {
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table aria-label="${escapeHtml(caption)}">\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Returns radio buttons. The first one is selected. */
export function choices(name: string, legend: string, options: readonly Choice[]): string {
  const radios = options.map(({ value, label }, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="${name}" value="${value}"${checked}><span>${escapeHtml(label)}</span></label>`;
  });
  return `<fieldset>\n<legend>${escapeHtml(legend)}</legend>\n${radios.join('\n')}\n</fieldset>`;
}
