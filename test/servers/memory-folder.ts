import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const gibibyte = 2 ** 30;

/**
 * Creates a folder, in memory if possible. Killing a process loses no data there, and a sync is fast: on a busy disk it
 * can take longer than a request may.
 */
export function newMemoryFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? inMemory : tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= 6 * gibibyte && freemem() >= 10 * gibibyte;
  } catch {
    return false;
  }
}
