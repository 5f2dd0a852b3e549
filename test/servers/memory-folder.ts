import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';

/**
 * Creates a folder, in memory if there is room for it. Killing a process loses no data there, and a sync is fast: on a busy
 * disk it can take longer than a request may. Removes what killed processes have left in memory.
 */
export function newMemoryFolder(prefix: string, gibibytes: number): string {
  removeLeftFolders(prefix);
  const parent = hasRoom(gibibytes * 2 ** 30) ? inMemory : tmpdir();
  return mkdtempSync(join(parent, `${prefix}${String(process.pid)}-`));
}

function removeLeftFolders(prefix: string): void {
  for (const name of namesInMemory().filter((each) => each.startsWith(prefix))) {
    const pid = Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(inMemory, name), { recursive: true, force: true });
  }
}

function namesInMemory(): readonly string[] {
  try {
    return readdirSync(inMemory);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasRoom(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= bytes && freemem() >= bytes + 4 * 2 ** 30;
  } catch {
    return false;
  }
}
