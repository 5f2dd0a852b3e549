import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';

const text = readFileSync(join(root, 'docs/threat-model.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (?:STRIDE|Risk|Row|-)/.test(line));
const pathsIn = (line: string) =>
  [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g)].map(([, path = '']) => path);
/** The parts of test titles that follow their file. */
const titlesIn = (line: string) =>
  [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)` "([^"]+)"/g)].map(
    ([, path = '', title = '']) => [path, title] as const,
  );
const sourceOf = (path: string) =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

test('every test that the threat model names exists', () => {
  expect(rows.length).toBeGreaterThan(130);
  expect(pathsIn(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every title that the threat model names is in its file', () => {
  const titles = titlesIn(text);
  expect(titles.length).toBeGreaterThan(90);
  expect(titles.filter(([path, title]) => !sourceOf(path).includes(title))).toEqual([]);
});

test('every row of the threat model has a test, a reason, or a duty of the operator', () => {
  expect(rows.filter((row) => pathsIn(row).length === 0 && !/reason: |operator/.test(row))).toEqual([]);
});

test('every category of STRIDE and every risk of the OWASP list is there', () => {
  for (const name of ['Spoofing', 'Tampering', 'Repudiation', 'Information', 'Denial', 'Elevation'])
    expect(text).toContain(`| ${name}`);
  for (let risk = 1; risk <= 10; risk++) expect(text).toContain(`| API${String(risk)} `);
});
