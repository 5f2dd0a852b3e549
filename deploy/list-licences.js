import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';

// Writes docs/licences.md: every package of a production installation, from package-lock.json. With --print, prints it.

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { packages } = JSON.parse(readFileSync(pathOf('package-lock.json'), 'utf8'));

/** The same version may be installed in several places. */
const rows = new Map();
for (const [path, { dev, link, version, license }] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || dev === true || link === true) continue;
  const name = path.split('node_modules/').at(-1);
  rows.set(`${name} ${version}`, [`\`${name}\``, version, license ?? 'unknown']);
}

const table = [
  ['Package', 'Version', 'Licence'],
  ...[...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
];
const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
const lineOf = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
const [head, ...body] = table.map(lineOf);
const text = [
  '# Licences',
  '',
  'Every package of a production installation, with the licence that it declares. `npm run generate` writes this list from',
  '`package-lock.json`. The licence of jobs-delete is [Apache-2.0](../LICENSE).',
  '',
  head,
  `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
  ...body,
  '',
].join('\n');

if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(pathOf('docs/licences.md'), text);
