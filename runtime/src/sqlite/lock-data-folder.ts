import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { sqliteReason } from './open-sqlite.ts';
import { createPrivateFile, createPrivateFolder, requireOwnFolder } from '../files/private-files.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Locks the folder for this process. The operating system releases the lock when the process ends, so there is no
 * stale lock. Returns a function that releases it.
 * @throws StartupError when another process has the lock, the folder is not writable, or others may write to it
 */
export function lockDataFolder(dataDir: string): () => void {
  requireOwnFolder(dataDir);
  return lock(dataDir);
}

function lock(dataDir: string): () => void {
  const path = lockPath(dataDir);
  let database: Database.Database | undefined;
  try {
    createPrivateFolder(dataDir);
    createPrivateFile(path);
    // SQLite reports no error when it cannot lock a read-only file.
    accessSync(path, constants.W_OK);
    database = new Database(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const held = database;
    return () => held.close();
  } catch (error) {
    database?.close();
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
    lock(dataDir)();
    return false;
  } catch {
    return true;
  }
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'serve.lock');
}
