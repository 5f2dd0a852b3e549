import { escapeHtml, formatText } from '../page.ts';

export function paragraph(text: string): string {
  return `<p>${formatText(text)}</p>`;
}

export function codeBlock(text: string): string {
  return `<pre translate="no"><code>${escapeHtml(text.trimEnd())}</code></pre>`;
}

export function jsonBlock(value: unknown): string {
  return codeBlock(JSON.stringify(value, undefined, 2));
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
    return `<label class="choice"><input type="radio" name="${name}" value="${value}"${checked}>${escapeHtml(label)}</label>`;
  });
  return `<fieldset>\n<legend>${escapeHtml(legend)}</legend>\n${radios.join('\n')}\n</fieldset>`;
}
