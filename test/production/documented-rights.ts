import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';

/** The rights of each column: what it may do with each row. */
export type Rights = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads a table of docs/least-privilege.md, by the title of its first column. */
export function documentedRights(title: string): Rights {
  const page = readFileSync(join(root, 'docs/least-privilege.md'), 'utf8');
  const [header = [], , ...rows] = page
    .slice(page.search(new RegExp(`^\\| ${title} `, 'm')))
    .split('\n\n', 1)
    .flatMap((table) => table.split('\n').map(cellsOf));
  return new Map(
    header
      .slice(1)
      .map((column, index) => [
        column,
        new Map(rows.map(([row = '', ...cells]) => [row, cells[index]?.split(', ').filter(Boolean) ?? []])),
      ]),
  );
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
