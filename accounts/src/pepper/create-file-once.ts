import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errno-of.ts';

/**
 * Creates the file, for its owner only, unless it is there. Whatever crashes and however many processes race,
 * `path` is absent or holds one caller's whole content: the content is on the disk before the name is, and a
 * hard link never replaces a file. On return the name is on the disk too, whoever has made it.
 */
export function createFileOnce(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeDurably(temporary, content);
    linkUnlessThere(temporary, path);
  } finally {
    removeIfThere(temporary);
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

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Windows can't open a folder, and NTFS journals its names. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
