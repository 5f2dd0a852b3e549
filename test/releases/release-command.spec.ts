import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { readDocument, root } from '../readme/readme.ts';

interface Manifest {
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { workspaces = [] } = JSON.parse(readDocument('package.json')) as Manifest;
const manifests = ['', ...workspaces, 'test', 'cli/caller'].map((folder) => join(folder, 'package.json'));
const newPath = temporaryFolder();
const changelog =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A part.\n\n## [0.0.9] - 2026-11-24\n\n- A fix.\n';
let folder: string;

beforeEach(() => {
  folder = newPath('checkout');
  for (const path of [...manifests, 'package-lock.json']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
});

test('sets the version everywhere, and only that', () => {
  expect(release('99.0.0')).toEqual({ status: 0, stderr: '' });
  for (const path of manifests) expect(textOf(path)).toBe(withVersion(readDocument(path), '99.0.0'));
  const lock = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Manifest> };
  for (const path of manifests) {
    const locked = lock.packages[dirname(path).replace('.', '')];
    const { version, dependencies } = JSON.parse(textOf(path)) as Manifest;
    if (locked !== undefined) expect({ version, dependencies }).toMatchObject(pick(locked));
  }
  expect(textOf('package-lock.json').split('\n')).toHaveLength(
    readDocument('package-lock.json').split('\n').length,
  );
});

test('gives the changes their version and date, and begins a new list', () => {
  expect(release('99.0.0').status).toBe(0);
  const date = /^## \[99\.0\.0\] - (\d{4}-\d\d-\d\d)$/m.exec(textOf('CHANGELOG.md'))?.[1] ?? '';
  expect(textOf('CHANGELOG.md')).toBe(
    changelog.replace('[Unreleased]', `[Unreleased]\n\n## [99.0.0] - ${date}`),
  );
});

test.each([
  ['no version', 'v3', /^'v3' is no version/],
  ['a lower version', '0.0.9', /^0\.0\.9 is lower than the current version/],
])('refuses %s and changes nothing', (_, version, message) => {
  const { status, stderr } = release(version);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
  expect(textOf('package.json')).toBe(readDocument('package.json'));
});

test('refuses a version without changes, and one that was released', () => {
  release('99.0.0');
  expect(release('99.1.0').stderr).toBe('CHANGELOG.md lists no change under [Unreleased].\n');
  writeFileSync(join(folder, 'CHANGELOG.md'), textOf('CHANGELOG.md').replace('ed]\n', 'ed]\n\n- A fix.\n'));
  expect(release('99.0.0').stderr).toBe('CHANGELOG.md has the version 99.0.0 already.\n');
  expect(release('99.1.0').status).toBe(0);
});

function release(version: string): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'deploy/release.js'), version], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stderr };
}

function textOf(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

function withVersion(manifest: string, version: string): string {
  return manifest.replace(/("version"|"@jobs-delete\/[\w-]+"): "[\d.]+"/g, `$1: "${version}"`);
}

function pick({ version, dependencies }: Manifest): Partial<Manifest> {
  return dependencies === undefined ? { version } : { version, dependencies };
}
