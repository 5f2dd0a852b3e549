import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { sqliteReason } from './open-sqlite.ts';
import { createPrivateFile, createPrivateFolder } from '../files/private-files.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Locks the folder for this process. The operating system releases the lock when the process ends, so there is no
 * stale lock. Returns a function that releases it.
 * @throws StartupError when another process has the lock, or the folder is not writable
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = lockPath(dataDir);
  let lock: Database.Database | undefined;
  try {
    createPrivateFolder(dataDir);
    createPrivateFile(path);
    // SQLite reports no error when it cannot lock a read-only file.
    accessSync(path, constants.W_OK);
    lock = new Database(path, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    const reason = sqliteReason(error);
    if (/locked|busy/i.test(reason)) {
      throw new StartupError(
        `Another process is already serving from the data folder ${dataDir}. Stop it, or set DATA_DIR.`,
        {
          cause: error,
        },
      );
    }
    throw new StartupError(
      `Cannot lock the data folder with ${path}: ${reason}. DATA_DIR must name a folder that can be written.`,
      {
        cause: error,
      },
    );
  }
}

/** Returns whether another process has the lock. Creates no file. */
export function isDataFolderLocked(dataDir: string): boolean {
  if (!existsSync(lockPath(dataDir))) return false;
  try {
    lockDataFolder(dataDir)();
    return false;
  } catch {
    return true;
  }
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'serve.lock');
}
