import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDocument, root } from '../readme/readme.ts';

const path = /`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g;

describe.each([
  { document: 'docs/threat-model.md', items: 70, titles: 35 },
  { document: 'docs/owasp.md', items: 100, titles: 55 },
])('$document', (expected) => {
  const text = readDocument(expected.document);
  /** The items of the sections, each in one line. */
  const items = text
    .slice(text.indexOf('\n## '))
    .split(/\n(?=- )|\n\n/)
    .filter((part) => part.startsWith('- **'))
    .map((part) => part.replace(/\s+/g, ' '));
  const withTest = (item: string) => item.search(path) >= 0;

  test('names only tests that exist', () => {
    const paths = [...text.matchAll(path)].map(([, name = '']) => name);
    expect(paths.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('names only titles that are in their file', () => {
    const titles = items.flatMap(titlesIn);
    expect(titles.length).toBeGreaterThan(expected.titles);
    expect(titles.filter(([name, title]) => !sourceOf(name).includes(title))).toEqual([]);
  });

  test('has a test, a reason, a document or a duty of the operator in every item', () => {
    expect(items.length).toBeGreaterThan(expected.items);
    const others = items.filter(
      (item) => !withTest(item) && !/Reason: |Documentation\.|Operator[.:]/.test(item),
    );
    expect(others).toEqual([]);
  });

  test('has no line that is too long to read', () => {
    expect(text.split('\n').filter((line) => line.length > 200)).toEqual([]);
  });
});

test('every category of STRIDE and every risk of the OWASP list is there', () => {
  const model = readDocument('docs/threat-model.md').toLowerCase();
  const categories = ['spoofing', 'tampering', 'repudiation', 'information disclosure'];
  for (const name of [...categories, 'denial of service', 'elevation of privilege'])
    expect(model).toContain(name);
  const risks = [...readDocument('docs/owasp.md').matchAll(/^- \*\*API(\d+) /gm)].map(([, risk]) =>
    Number(risk),
  );
  expect(risks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

/** Returns the parts of test titles that follow their file: `FILE` "TITLE" and "TITLE". */
function titlesIn(item: string): (readonly [string, string])[] {
  return [...item.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.ts)`((?: (?:and )?"[^"]+")+)/g)].flatMap(
    ([, name = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => [name, title] as const),
  );
}

function sourceOf(name: string): string {
  return existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : '';
}
