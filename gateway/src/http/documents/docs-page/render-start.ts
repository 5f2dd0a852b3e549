import { acceptedBody } from '../../answer/success-bodies.ts';
import { escapeHtml, formatText } from '../page.ts';
import type { DocsContext } from './docs-context.ts';
import { jsonBlock } from './elements.ts';
import { exampleJobIds, exampleVariables } from './examples.ts';

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
