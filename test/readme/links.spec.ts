import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDocument, root } from './readme.ts';

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'deploy/monitoring/README.md',
  ...inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`),
];

describe('every relative link leads to a file, and to a heading of it', () => {
  test.each(documents)('%s', (document) => {
    const links = [...readDocument(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const relative = links.filter((link) => !/^https?:/.test(link));
    expect(relative.filter((link) => !leadsSomewhere(document, link))).toEqual([]);
  });
});

test('every file and folder that ARCHITECTURE.md names exists', () => {
  const named = [...readDocument('ARCHITECTURE.md').matchAll(/`([\w.*/-]+(?:\.(?:ts|proto|md)|\/))`/g)];
  const paths = named.map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(readDocument(target)).includes(anchor);
}

/** Returns the anchors that GitHub gives the headings of a document. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
