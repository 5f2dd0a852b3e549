import { escapeHtml } from '../page.ts';
import type { DocsContext } from './docs-context.ts';
import { choices, paragraph } from './elements.ts';
import { exampleJobIds, exampleVariables, formatChoices } from './examples.ts';

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
