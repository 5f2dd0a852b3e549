import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Takes disk space from a running service, and releases it. */
export interface LimitedDisk {
  readonly dataDir: string;
  fill(pid: number): void;
  free(pid: number): void;
  remove(): void;
}

/** Mounts a small file system in memory. Returns the reason if that is not possible without root. */
export function mountSmallDisk(path: string, megabytes: number): LimitedDisk | string {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'none', path], {
      stdio: 'pipe',
    });
  } catch (error) {
    return `cannot mount a small disk: ${String(error)}`;
  }
  const ballast = join(path, 'ballast');
  return {
    dataDir: join(path, 'data'),
    fill: () => {
      try {
        writeFileSync(ballast, Buffer.alloc(megabytes * 1_048_576));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(ballast),
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

/** Limits the file sizes of the process, like a quota. Returns the reason if prlimit is missing. */
export function limitFileSizes(dataDir: string): LimitedDisk | string {
  const set = (pid: number, limit: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`], { stdio: 'pipe' });
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize'], { stdio: 'pipe' });
  } catch (error) {
    return `cannot limit the size of files: ${String(error)}`;
  }
  return {
    dataDir,
    fill: (pid) => set(pid, '4096:'),
    free: (pid) => {
      // An ended process has no limits to set.
      if (existsSync(`/proc/${String(pid)}`)) set(pid, 'unlimited:');
    },
    remove: () => undefined,
  };
}
