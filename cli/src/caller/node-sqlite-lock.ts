import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { createPrivateFile, createPrivateFolder } from '@jobs-delete/runtime/files/private-files';
import type { Io } from '../io.ts';

/** The used part of `node:sqlite`. The types for Node 20 lack the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
}

/** Returns the SQLite of Node 22.13 and later; undefined for earlier releases. */
export function openNodeSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  // Node 22 warns that the module is experimental. No lock depends on what may change.
  process.emitWarning = () => undefined;
  try {
    // The types name only the modules of Node 20.
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns a lock that excludes, and is excluded by, `lockFile` of the runtime: both are SQLite's lock on the file. */
export function sqliteLock({ DatabaseSync }: NodeSqlite): Io['lockFile'] {
  return (path) => {
    createPrivateFolder(dirname(path));
    createPrivateFile(path);
    // SQLite reports no error when it cannot lock a read-only file.
    accessSync(path, constants.W_OK);
    const lock = new DatabaseSync(path);
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      return () => lock.close();
    } catch (error) {
      lock.close();
      // The primary result codes SQLITE_BUSY and SQLITE_LOCKED.
      if ([5, 6].includes((error as { errcode?: number }).errcode ?? 0)) return 'locked';
      throw error;
    }
  };
}
