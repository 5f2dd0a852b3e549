import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the checkout, wherever this file runs from. */
export const root = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../..' : '../..', import.meta.url),
);

export const readme = readFileSync(`${root}/README.md`, 'utf8');

/** The text under a heading, up to the next one. */
export function section(heading: string): string {
  return readme.split(/^## /m).find((candidate) => candidate.startsWith(heading)) ?? '';
}

/** The fenced blocks of a language, in their order. */
export function codeBlocks(language: string, text = readme): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map((match) => match[1] ?? '');
}

/** The cells of the table under a heading, without its head. */
export function tableUnder(heading: string): string[][] {
  const rows = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
