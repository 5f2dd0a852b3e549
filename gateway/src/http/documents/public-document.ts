import { createHash } from 'node:crypto';
import type { Language } from '../../messages/messages.ts';

/** A document that needs no credentials. */
export interface PublicDocument {
  /** Without the base path. */
  readonly path: string;
  /** The only language of the document. Default: every language. */
  readonly language?: Language;
  render(language: Language): RenderedDocument;
}

export interface RenderedDocument {
  readonly mediaType: string;
  readonly body: string;
  readonly language: Language;
  /** Lets a caller keep the document and check whether it has changed. Default: no cache may keep it. */
  readonly etag?: string;
  /** Default: the policy of every other answer, which allows nothing. */
  readonly contentSecurityPolicy?: string;
}

/** The settings of the gateway that a document may state. */
export interface DocumentSettings {
  /** Empty, or a path such as `/api`. */
  readonly basePath: string;
  /** The address of the API without the base path, such as `https://api.example.com`. Empty if unknown. */
  readonly publicUrl: string;
  /** Lets pages of other origins call the API. Default: false. */
  readonly cors?: boolean;
  readonly maxJobsPerRequest: number;
  readonly maxBodyBytes: number;
}

/** Returns the start of the `type` of every problem, with its final slash. */
export function typeBaseOf({ publicUrl, basePath }: DocumentSettings): string {
  return `${publicUrl}${basePath}/problems/`;
}

/** Returns the `etag` of a body. */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

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

/** The style of every public page: one column, from 360 px to wide screens, in light and dark. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --text: #1c2024;
  --muted: #5a626b;
  --back: #fff;
  --panel: #f2f4f6;
  --line: #d5dade;
  --link: #0b57b3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ec;
    --muted: #a3abb3;
    --back: #15181b;
    --panel: #22272c;
    --line: #3a4148;
    --link: #8ab8f5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--back);
  color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--link); }
code { background: var(--panel); border-radius: 4px; padding: 0.1em 0.3em; font: 0.9em ui-monospace, monospace; }
.facts { color: var(--muted); border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
`;
