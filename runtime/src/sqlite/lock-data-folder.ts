import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { lockPrivateFile, requireOwnFolder } from '../files/private-files.ts';
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

/** Locks a file: see `lockPrivateFile`. */
export function lockFile(path: string): (() => void) | 'locked' {
  const open = () => new Database(path, { timeout: 0 });
  return lockPrivateFile(path, open, (error) => /locked|busy/i.test(sqliteReason(error)));
}
