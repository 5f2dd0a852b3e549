import { closeSync, mkdirSync, openSync } from 'node:fs';

/** Creates the folder and its missing parents with owner-only permissions. Does not change an existing folder. */
export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Creates an empty file with owner-only permissions, unless it exists. SQLite copies the permissions to its -wal and
 * -shm files (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode).
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
