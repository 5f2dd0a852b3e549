import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isDataFolderLocked, lockDataFolder } from './lock-data-folder.ts';

describe('lockDataFolder', () => {
  let parent: string;
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'lock-'));
    folder = join(parent, 'deep', 'data');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(parent, { recursive: true, force: true });
  });

  /** Another process that has the lock. */
  const lockElsewhere = async (): Promise<ChildProcess> => {
    const libsql = createRequire(import.meta.url).resolve('libsql');
    const code = `
      const Database = require(${JSON.stringify(libsql)});
      const lock = new Database(${JSON.stringify(join(folder, 'serve.lock'))});
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      process.stdout.write('locked');
      setInterval(() => lock, 1000);`;
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return child;
  };

  test.each([0o777, 0o1777, 0o702])('refuses a folder that others may write: mode %o', (mode) => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    expect(() => lockDataFolder(folder)).toThrow(
      `Other users of this machine may write to the data folder ${folder}. Run chmod o-w ${folder}, or set DATA_DIR.`,
    );
    expect(readdirSync(folder)).toEqual([]);
    chmodSync(folder, 0o2775);
    lockDataFolder(folder)();
  });

  test('creates the folder and locks it once', () => {
    const unlock = lockDataFolder(folder);
    expect(existsSync(folder)).toBe(true);
    expect(() => lockDataFolder(folder)).toThrow(/Another process is already serving from the data folder/);
    unlock();
    lockDataFolder(folder)();
  });

  test('creates folder and file with owner-only permissions, whatever the umask', () => {
    const before = process.umask(0);
    try {
      lockDataFolder(folder)();
    } finally {
      process.umask(before);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['serve.lock']);
    expect(statSync(join(folder, 'serve.lock')).mode & 0o777).toBe(0o600);
  });

  test('locks only that folder', () => {
    const unlock = lockDataFolder(folder);
    lockDataFolder(join(parent, 'other'))();
    unlock();
  });

  test('refuses other processes until the owner ends, even if it is killed', async () => {
    lockDataFolder(folder)();
    const child = await lockElsewhere();
    expect(isDataFolderLocked(folder)).toBe(true);
    expect(() => lockDataFolder(folder)).toThrow(folder);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(isDataFolderLocked(folder)).toBe(false);
    lockDataFolder(folder)();
  });

  test('can be asked about without leaving a trace', () => {
    expect(isDataFolderLocked(folder)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    const unlock = lockDataFolder(folder);
    expect(isDataFolderLocked(folder)).toBe(true);
    unlock();
    expect(isDataFolderLocked(folder)).toBe(false);
  });

  test('refuses a folder that cannot be one, naming the variable', () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    expect(() => lockDataFolder(file)).toThrow(/DATA_DIR must name a folder that can be written/);
  });
});
