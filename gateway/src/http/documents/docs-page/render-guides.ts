import { problemTable, problemTitle } from '../../../messages/problems.ts';
import { deletionEndpoint } from '../../endpoints.ts';
import { exampleProblem, exampleRequestId } from '../../openapi/examples.ts';
import { escapeHtml, formatText, typeBaseOf } from '../public-document.ts';
import type { DocsContext } from './docs-page.ts';
import {
  callout,
  codeBlock,
  codeOf,
  heading,
  highlight,
  jsonBlock,
  list,
  namedCode,
  paragraph,
  table,
} from './elements.ts';
import { clientExamples, exampleVariables, readAsset, rehearsal } from './examples.ts';
import { ownOrigin } from './render-first-steps.ts';

export function renderRetries({ texts: { retries } }: DocsContext): string {
  const rows = Object.entries(retries.answers).map((row) => row.map(formatText));
  return [
    paragraph(retries.introduction),
    table([retries.got, retries.action], rows, retries.heading),
    list(retries.rules),
  ].join('\n');
}

const remedies = ['request', 'credentials', 'wait', 'support'] as const;

export function renderErrors({ texts: { errors }, language, root, settings }: DocsContext): string {
  const context = { language, requestId: exampleRequestId, typeBase: typeBaseOf(settings) };
  const groups = remedies.flatMap((remedy) => {
    const rows = problemTable
      .filter((kind) => kind.mendedBy === remedy)
      .map(({ code, name, status }) => [
        `<a href="${root}/problems/${name}"><code>${code}</code></a>`,
        String(status),
        escapeHtml(problemTitle(language, code)),
      ]);
    const { heading: title, text } = errors[remedy];
    const heads = [errors.code, errors.statusCode, errors.meaning];
    return [heading(3, title), paragraph(text), table(heads, rows, title)];
  });
  return [
    paragraph(errors.introduction),
    jsonBlock(exampleProblem('job_not_found', context)),
    ...groups,
  ].join('\n');
}

export function renderLimits({ texts: { limits } }: DocsContext): string {
  const headers = `RateLimit-Policy: "requests";q=100;w=60, "jobs";q=50000;qu="jobs";w=60
RateLimit: "requests";r=57;t=23, "jobs";r=49200;t=23`;
  return [paragraph(limits.introduction), codeBlock(headers), list(limits.rules)].join('\n');
}

export function renderKeys({ texts: { keys } }: DocsContext): string {
  return [
    paragraph(keys.introduction),
    list(keys.rules),
    paragraph(keys.rotation),
    list(keys.rotationSteps, 'ol'),
    callout(keys.forbidden),
  ].join('\n');
}

export function renderPermanent({ texts: { permanent } }: DocsContext): string {
  return [
    callout(permanent.warning),
    list(permanent.rules),
    heading(3, permanent.delayHeading),
    paragraph(permanent.delay),
    codeBlock(`DELETE ${deletionEndpoint.path}`),
    list(permanent.cancelRules),
  ].join('\n');
}

export function renderClients({ texts }: DocsContext): string {
  const { clients, examples } = texts;
  const parts = clientExamples.flatMap(({ name, install, file }) => {
    const code = highlight(readAsset(`examples/clients/${file}`).trimEnd());
    const filled = code.replaceAll(escapeHtml(exampleVariables.JOBS_DELETE_ORIGIN), ownOrigin);
    return [
      heading(3, name ?? clients.command),
      ...(name === undefined ? [paragraph(clients.commandHint)] : []),
      namedCode('shell', codeBlock(install), examples),
      namedCode(file, codeOf(filled), examples),
    ];
  });
  return [paragraph(clients.introduction), ...parts].join('\n');
}

export function renderRehearsal({ texts }: DocsContext): string {
  const { introduction, script, reset } = texts.rehearsal;
  return [
    paragraph(introduction),
    namedCode('shell', codeBlock('npm ci && npm start'), texts.examples),
    paragraph(script),
    namedCode(rehearsal, codeBlock(readAsset(`examples/${rehearsal}`)), texts.examples),
    paragraph(reset),
  ].join('\n');
}
