import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';

/** Licences that put no condition on the programs that use a package, except to keep its notice. */
const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD'];

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
