import { closeSync, mkdirSync, openSync } from 'node:fs';

/** Creates the folder and its parents, where they are missing, for the owner only. Keeps the mode of an existing one. */
export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Creates an empty file for the owner only. Keeps an existing one. SQLite gives the mode of a database to the files
 * that it puts beside it (https://www.sqlite.org/src/file/src/os_unix.c, findCreateFileMode).
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
