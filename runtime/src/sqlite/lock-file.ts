import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { createPrivateFile, createPrivateFolder } from '../files/private-files.ts';
import { sqliteReason } from './open-sqlite.ts';

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
