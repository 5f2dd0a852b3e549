import { createHash } from 'node:crypto';
import type { Language } from '../../messages/messages.ts';
import { pageStyle } from './page-style.ts';
import type { RenderedDocument } from './public-document.ts';

export interface Page {
  readonly language: Language;
  readonly title: string;
  /** The content of the `main` element, as HTML. */
  readonly main: string;
  /** Elements before `main`, as HTML. */
  readonly header?: string;
  /** Added to the style of every page. */
  readonly style?: string;
  /** May send requests to this API. Default: none. */
  readonly script?: string;
}

/** Lays out a public page. */
export function renderPage({
  language,
  title,
  main,
  header = '',
  style = '',
  script,
}: Page): RenderedDocument {
  const completeStyle = pageStyle + style;
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${completeStyle}</style>
</head>
<body>
${header}<main>
${main}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
  const contentSecurityPolicy = policyOf(completeStyle, script);
  return { mediaType: 'text/html; charset=utf-8', body, contentSecurityPolicy, language };
}

/** Returns a policy that allows the style, the script and the empty icon of a page. A page loads no other file. */
function policyOf(style: string, script: string | undefined): string {
  const ofScript = script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"];
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    'img-src data:',
    ...ofScript,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** Formats a text of the messages: each part between backticks becomes a `code` element. */
export function formatText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
