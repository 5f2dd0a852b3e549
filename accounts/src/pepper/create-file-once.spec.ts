import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createFileOnce } from './read-or-create-pepper.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-once-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('only the owner can read the file, and no other file stays in the folder', () => {
  createFileOnce(join(folder, 'secret'), 'content');
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('content');
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
});

test('an existing file keeps its content', () => {
  createFileOnce(join(folder, 'secret'), 'first');
  createFileOnce(join(folder, 'secret'), 'second');
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('first');
});

test('after a failure no file stays', () => {
  mkdirSync(join(folder, 'inner'));
  expect(() => createFileOnce(join(folder, 'missing', 'secret'), 'content')).toThrow(/ENOENT/);
  expect(() => createFileOnce(join(folder, `inner/${'x'.repeat(240)}`), 'content')).toThrow(/ENAMETOOLONG/);
  expect(readdirSync(join(folder, 'inner'))).toEqual([]);
});
