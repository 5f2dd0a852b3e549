import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { sqliteReason } from './open-sqlite.ts';
import { createPrivateFile, createPrivateFolder } from '../files/private-files.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Makes this process the only one that serves from the folder. The lock is one that the operating system gives
 * back when the process ends, however it ends: there is no stale lock to clean up.
 * @returns how to give it back
 * @throws StartupError when another process has it, or the folder can't be written
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = lockPath(dataDir);
  let lock: Database.Database | undefined;
  try {
    createPrivateFolder(dataDir);
    createPrivateFile(path);
    // SQLite can't lock a read-only file exclusively, and reports no error.
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

/** Whether another process serves from the folder; leaves nothing behind. */
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
