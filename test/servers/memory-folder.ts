import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const gibibyte = 2 ** 30;

/**
 * A new folder, in memory where there is plenty of it. What tests kill is processes, and those lose nothing by it; a disk
 * that others use too may take longer for one sync than a caller waits for his answer.
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
