import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { createPrivateFile, createPrivateFolder, requireOwnFolder } from '../files/private-files.ts';
import { StartupError } from '../startup-error.ts';
import { sqliteReason } from './open-sqlite.ts';

/**
 * Locks the folder for this process. Returns a function that releases the lock.
 * @throws StartupError when another process has the lock, the folder is not writable, or others may write to it
 */
export function lockDataFolder(dataDir: string): () => void {
  requireOwnFolder(dataDir);
  const lock = tryLock(dataDir);
  if (lock !== 'locked') return lock;
  throw new StartupError(
    `Another process is already serving from the data folder ${dataDir}. Stop it, or set DATA_DIR.`,
  );
}

/** Returns whether another process has the lock. Creates no file. */
export function isDataFolderLocked(dataDir: string): boolean {
  if (!existsSync(lockPath(dataDir))) return false;
  try {
    const lock = tryLock(dataDir);
    if (lock === 'locked') return true;
    lock();
    return false;
  } catch {
    return true;
  }
}

function tryLock(dataDir: string): (() => void) | 'locked' {
  const path = lockPath(dataDir);
  try {
    return lockFile(path);
  } catch (error) {
    throw new StartupError(
      `Cannot lock the data folder with ${path}: ${sqliteReason(error)}. DATA_DIR must name a folder that can be written.`,
      { cause: error },
    );
  }
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'serve.lock');
}

/**
 * Locks a file for this process, and creates it. The operating system releases the lock when the process ends, so there is
 * no stale lock.
 * @returns a function that releases the lock, or `locked` when another process has it
 * @throws what the file system or SQLite throws
 */
export function lockFile(path: string): (() => void) | 'locked' {
  createPrivateFolder(dirname(path));
  createPrivateFile(path);
  // SQLite reports no error when it cannot lock a read-only file.
  accessSync(path, constants.W_OK);
  const lock = new Database(path, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (/locked|busy/i.test(sqliteReason(error))) return 'locked';
    throw error;
  }
}
