import { createHash } from 'node:crypto';
import type { Language } from '../../messages/messages.ts';
import { pageStyle } from './page-style.ts';
import type { RenderedDocument } from './public-document.ts';

export interface Page {
  readonly language: Language;
  readonly title: string;
  /** The content of the `main` element, as HTML. */
  readonly main: string;
}

/** Allows the style of the page and its empty icon. A page has no script and loads nothing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/** Lays out a public page. */
export function renderPage({ language, title, main }: Page): RenderedDocument {
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return { mediaType: 'text/html; charset=utf-8', body, contentSecurityPolicy };
}

/** Formats a text of the messages: each part between backticks becomes a `code` element. */
export function formatText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
