import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';

/**
 * Creates a folder, in memory if there is room for it. Killing a process loses no data there, and a sync is fast: on a busy
 * disk it can take longer than a request may.
 */
export function newMemoryFolder(prefix: string, gibibytes: number): string {
  return mkdtempSync(join(hasRoom(gibibytes * 2 ** 30) ? inMemory : tmpdir(), prefix));
}

function hasRoom(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= bytes && freemem() >= bytes + 4 * 2 ** 30;
  } catch {
    return false;
  }
}
