import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../startup-error.ts';

/**
 * Creates the folder and its missing parents with owner-only permissions. Does not change an existing folder. Node's
 * `recursive` never ends where mkdir reports ENOENT below an existing folder, such as /proc.
 */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    createPrivateFolder(dirname(path));
    createPrivateFolder(path);
  }
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

interface SqliteFile {
  exec(sql: string): unknown;
  close(): unknown;
}

/**
 * Locks a file for this process, and creates it. The lock is SQLite's own, so programs with different drivers exclude each
 * other. The operating system releases it when the process ends, so there is no stale lock.
 * @param isLocked returns whether an error means that another process has the lock
 * @returns a function that releases the lock, or `locked` when another process has it
 * @throws what the file system or the driver throws
 */
export function lockPrivateFile(
  path: string,
  open: () => SqliteFile,
  isLocked: (error: unknown) => boolean,
): (() => void) | 'locked' {
  createPrivateFolder(dirname(path));
  createPrivateFile(path);
  // SQLite reports no error when it cannot lock a read-only file.
  accessSync(path, constants.W_OK);
  const lock = open();
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => void lock.close();
  } catch (error) {
    lock.close();
    if (isLocked(error)) return 'locked';
    throw error;
  }
}

/**
 * Refuses an existing folder that every user may write to, or that belongs to another user than this one and root: they
 * could replace the database or the pepper. Root may open every user's folder, as an operator. A group may write, as on a
 * Kubernetes volume with `fsGroup`; `doctor` warns of it.
 * @throws StartupError
 */
export function requireOwnFolder(path: string, uid = process.getuid?.()): void {
  const found = statOf(path);
  // Windows has no file modes.
  if (found === undefined || uid === undefined) return;
  if ((found.mode & 0o002) !== 0)
    throw new StartupError(
      `Other users of this machine may write to the data folder ${path}. Run chmod o-w ${path}, or set DATA_DIR.`,
    );
  if (uid !== 0 && found.uid !== uid && found.uid !== 0)
    throw new StartupError(
      `The data folder ${path} belongs to another user (uid ${String(found.uid)}). Run this command as that user, ` +
        `run chown ${String(uid)} ${path}, or set DATA_DIR.`,
    );
}

/** Returns undefined for a path that cannot be read. Its user reports why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Replaces a file as a whole, with owner-only permissions. On return, its content and its name are durable. */
export function replacePrivateFile(path: string, content: string): void {
  const temporary = `${path}.new`;
  createPrivateFolder(dirname(path));
  writePrivateFile(temporary, content, 'w');
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Writes a file with owner-only permissions. Its content is durable, its name is not. `wx` refuses an existing file. */
export function writePrivateFile(path: string, content: string, flag: 'w' | 'wx'): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable. Windows cannot open a folder; NTFS journals the names. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
