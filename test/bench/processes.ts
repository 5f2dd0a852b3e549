import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithParent } from '../servers/child-process.ts';

export interface ProcessOptions {
  readonly name: string;
  /** Arguments of `node`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Folder of the output file `<name>.log`. */
  readonly logFolder: string;
  /** Pattern in the output of a ready process. Its first group is returned as `said`, such as the port. */
  readonly ready: RegExp;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** First group of `ready`. */
  readonly said: string;
  /** Stops the process gracefully, so it writes its CPU profile. */
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a Node process that logs to a file, as in production. Resolves when it is ready. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, args, env, logFolder, ready } = options;
  const logFile = join(logFolder, `${name.replaceAll(' ', '-')}.log`);
  const output = openSync(logFile, 'w');
  const [file = process.execPath, ...rest] = [...endWithParent(), process.execPath, ...args];
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', NODE_ENV: 'production', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  children.add(child);
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => {
      children.delete(child);
      resolve();
    });
  });
  const deadline = performance.now() + 60_000;
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const said = ready.exec(text);
    if (said !== null) {
      const stop = async () => {
        child.kill('SIGTERM');
        const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
        await exited;
        clearTimeout(late);
      };
      return { name, pid: child.pid ?? 0, said: said[1] ?? '', stop };
    }
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not become ready:\n${text.slice(-4_000)}`);
    }
    await delay(20);
  }
}

export async function stopAll(processes: readonly RunningProcess[]): Promise<void> {
  await Promise.all(processes.map((running) => running.stop()));
}

/** Unit of the CPU times in /proc, the same on all machines. */
const ticksPerSecond = 100;

/** Returns the user and system time of a process since its start. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // The name in parentheses may contain any character. utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Returns the peak resident memory of a process since resetPeak. */
export function peakMib(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
  return Number(kib) / 1_024;
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}
