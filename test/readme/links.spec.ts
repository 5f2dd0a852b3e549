import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readDocument, root } from './readme.ts';

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  'cli/caller/README.md',
  'client/conformance/README.md',
  'client/python/README.md',
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

describe('every file and folder that is named by its path exists', () => {
  test.each(documents)('%s', (document) => {
    const paths = pathsIn(readDocument(document)).filter((path) => path.includes('/'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

test('every file that ARCHITECTURE.md names without a folder exists, and is the only one of that name', () => {
  const names = pathsIn(readDocument('ARCHITECTURE.md')).filter((path) => !path.includes('/'));
  expect(names.length).toBeGreaterThan(20);
  const sources = ['gateway/src', 'deleter-service/src', 'accounts/src', 'runtime/src', 'proto/jobs'];
  const files = sources.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
  );
  const countOf = (name: string) => files.filter((file) => file === name).length;
  expect(names.filter((name) => countOf(name) !== 1)).toEqual([]);
});

/** Returns the sources, documents and folders between backticks. */
function pathsIn(text: string): string[] {
  const named = text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.(?:ts|proto|md)|\/))`/g);
  return [...named].map(([, path = '']) => path);
}

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
