import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { replacePrivateFile, requireOwnFolder, writePrivateFile } from './private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const own = process.getuid?.() ?? 0;

test('a folder of this user or of root is accepted, and a missing one', () => {
  expect(() => requireOwnFolder(folder)).not.toThrow();
  expect(() => requireOwnFolder('/usr', own + 1)).not.toThrow();
  expect(() => requireOwnFolder(join(folder, 'missing'))).not.toThrow();
});

test('a folder of another user is refused, with its owner', () => {
  // The folder belongs to this user, so the check runs as another one. Root may open every folder.
  const [owner, message] =
    own === 0 ? [65_534, /belongs to another user \(uid 65534\)/] : [own, /belongs to/];
  if (own === 0) chownSync(folder, owner, owner);
  expect(() => requireOwnFolder(folder, owner + 1)).toThrow(message);
  expect(() => requireOwnFolder(folder, owner)).not.toThrow();
  expect(() => requireOwnFolder(folder, 0)).not.toThrow();
});

test('no database is opened in a folder that others may write', () => {
  chmodSync(folder, 0o777);
  const path = join(folder, 'jobs.db');
  expect(() => openSqlite(path, { name: 'test', migrations: [] })).toThrow(
    `Other users of this machine may write to the data folder ${folder}. Run chmod o-w ${folder}, or set DATA_DIR.`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('a file is replaced as a whole, and only its owner may read it', () => {
  const path = join(folder, 'new', 'plan.json');
  for (const content of ['a first, longer content', 'a second']) replacePrivateFile(path, content);
  expect(readFileSync(path, 'utf8')).toBe('a second');
  expect(readdirSync(join(folder, 'new'))).toEqual(['plan.json']);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => writePrivateFile(path, 'a third', 'wx')).toThrow('EEXIST');
});
