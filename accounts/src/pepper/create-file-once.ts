import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@jobs-delete/runtime/files/sync-folder';

/**
 * Creates a file with mode 0600, unless it exists. After a crash or a race of several processes, `path` is absent or has
 * the whole content of one caller: the content is durable before the name exists, and a hard link never replaces a file.
 * On return, the name is durable too.
 */
export function createFileOnce(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeDurably(temporary, content);
    linkUnlessExists(temporary, path);
  } finally {
    removeIfExists(temporary);
  }
  syncFolder(dirname(path));
}

function writeDurably(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function linkUnlessExists(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function removeIfExists(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** The code of a failed system call, such as `ENOENT`. `instanceof Error` fails for errors of another realm. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
