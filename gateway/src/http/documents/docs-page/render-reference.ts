import { acceptedBody, deletionStatusBody, ownJobsBody, whoAmIBody } from '../../answer/send.ts';
import { deletionEndpoint, endpoints, jobsEndpoint, whoamiEndpoint } from '../../endpoints.ts';
import { completedDeletion, exampleCaller, lastPage } from '../../openapi/examples.ts';
import { escapeHtml, formatText } from '../public-document.ts';
import type { DocsContext } from './docs-page.ts';
import { codeBlock, definitions, heading, jsonBlock, paragraph, table } from './elements.ts';
import { exampleJobIds } from './examples.ts';

export function renderReference(context: DocsContext): string {
  const { texts, root } = context;
  return [
    `<p>${formatText(texts.reference.introduction)} <a href="${root}/openapi.json">openapi.json</a></p>`,
    renderDeletion(context),
    renderWhoAmI(context),
    renderStatus(context),
    renderOwnJobs(context),
  ].join('\n');
}

function renderDeletion(context: DocsContext): string {
  const { texts, language } = context;
  const { reference } = texts;
  const rows = endpoints.map(({ path, sandbox }) => [
    `<code>DELETE ${path}</code>`,
    escapeHtml(sandbox ? reference.checksOnly : reference.live),
  ]);
  return [
    heading(3, reference.deletion),
    table([reference.path, reference.effect], rows, reference.deletionPaths),
    heading(4, reference.requestHeaders),
    paragraph(reference.headers),
    definitions(requestHeaders(context)),
    heading(4, reference.body),
    paragraph(bodyRules(context)),
    jsonBlock({ jobs: { job: exampleJobIds.map((id) => ({ id })) } }),
    codeBlock(
      `<?xml version="1.0" encoding="UTF-8"?>\n<jobs><job><id>${exampleJobIds[0]}</id></job><job><id>${exampleJobIds[1]}</id></job></jobs>`,
    ),
    heading(4, reference.answer),
    paragraph(reference.answerRules),
    jsonBlock(JSON.parse(acceptedBody(exampleJobIds, language))),
    heading(4, reference.answerHeaders),
    definitions(Object.entries(texts.answerHeaders).map(([name, meaning]) => [`\`${name}\``, meaning])),
  ].join('\n');
}

const optionalHeaders = ['Content-Encoding', 'Idempotency-Key', 'Prefer'];

function requestHeaders({ texts }: DocsContext): readonly (readonly [string, string])[] {
  return Object.entries(texts.requestHeaders).map(([name, meaning]) => {
    const optional = optionalHeaders.includes(name) ? ` (${texts.reference.optional})` : '';
    return [`\`${name}\`${optional}`, meaning];
  });
}

function bodyRules({ texts, language, settings }: DocsContext): string {
  const { maxJobsPerRequest, maxBodyBytes } = settings;
  return texts.reference.bodyRules
    .replace('{jobs}', maxJobsPerRequest.toLocaleString(language))
    .replace('{bytes}', maxBodyBytes.toLocaleString(language));
}

function renderWhoAmI({ texts: { reference }, settings }: DocsContext): string {
  const { maxJobsPerRequest, maxBodyBytes } = settings;
  return [
    heading(3, reference.whoami),
    codeBlock(`GET ${whoamiEndpoint.path}`),
    paragraph(reference.whoamiRules),
    jsonBlock(whoAmIBody({ ...exampleCaller, maxJobsPerRequest, maxBodyBytes })),
  ].join('\n');
}

function renderStatus({ texts: { reference } }: DocsContext): string {
  return [
    heading(3, reference.status),
    codeBlock(`GET ${deletionEndpoint.path}`),
    paragraph(reference.statusRules),
    jsonBlock(deletionStatusBody(completedDeletion)),
  ].join('\n');
}

function renderOwnJobs({ texts: { reference } }: DocsContext): string {
  return [
    heading(3, reference.ownJobs),
    codeBlock(`GET ${jobsEndpoint.path}?after=ID&limit=N`),
    paragraph(reference.ownJobsRules),
    jsonBlock(JSON.parse(ownJobsBody(lastPage))),
  ].join('\n');
}
