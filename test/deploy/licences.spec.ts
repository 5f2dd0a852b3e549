import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';

/** Licences that put no condition on the programs that use a package, except to keep its notice. */
const permissive = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  // Of fonts: a program may contain them.
  'OFL-1.1',
];

const list = readFileSync(join(root, 'docs/licences.md'), 'utf8');

test('the list of licences is the one that npm run generate writes', () => {
  const script = join(root, 'deploy/list-licences.js');
  expect(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })).toBe(list);
});

test('every package of a production installation has a permissive licence', () => {
  const rows = [...list.matchAll(/^\| `(\S+)` +\| (\S+) +\| (\S+) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(100);
  const others = rows.filter(([, , , licence = '']) => !permissive.includes(licence));
  expect(others.map(([, name, , licence]) => `${String(name)}: ${String(licence)}`)).toEqual([]);
});

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly purl: string;
    readonly hashes?: readonly object[];
    readonly properties: readonly { readonly name: string }[];
  }[];
}

test('the bill of materials has exactly the listed packages, each with its hash', () => {
  // With --omit=dev, npm leaves out packages that a development package needs too.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' });
  const { bomFormat, components } = JSON.parse(text) as BillOfMaterials;
  expect(bomFormat).toBe('CycloneDX');
  const isOurs = (purl: string) =>
    purl.startsWith('pkg:npm/%40jobs-delete/') || purl.startsWith('pkg:npm/jobs-delete');
  const found = components.filter(
    ({ purl, properties }) =>
      !isOurs(purl) && !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  );
  const names = found.map(({ purl }) =>
    decodeURIComponent(purl.slice('pkg:npm/'.length)).replace(/@([^@]*)$/, ' $1'),
  );
  const listed = [...list.matchAll(/^\| `(\S+)` +\| (\S+) /gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect([...new Set(names)].sort()).toEqual(listed.sort());
  expect(found.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
});
