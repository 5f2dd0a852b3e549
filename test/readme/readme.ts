import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the checkout, wherever this file runs from. */
export const root = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../..' : '../..', import.meta.url),
);

/** Returns a document, by its path from the root. */
export function readDocument(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}

/** Returns the text under a second-level heading, up to the next one. */
export function section(document: string, heading: string): string {
  return document.split(/^## /m).find((candidate) => candidate.startsWith(`${heading}\n`)) ?? '';
}

/** Returns the fenced blocks of a language, in their order. */
export function codeBlocks(language: string, text: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map((match) => match[1] ?? '');
}

/** Returns the cells of all tables in a text, without their heads. */
export function tableRows(text: string): string[][] {
  const tables = text.match(/(?:^\|.*\n?)+/gm) ?? [];
  return tables.flatMap((table) => {
    const rows = table.trimEnd().split('\n').slice(2);
    return rows.map((row) => {
      return row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    });
  });
}
