import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestAccount } from '../harness/service.ts';
import { root } from '../readme/readme.ts';

export interface DeleteProcess {
  readonly pid: number;
  readonly exited: Promise<{
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  /** Default: SIGKILL. */
  kill(signal?: NodeJS.Signals): void;
}

type Caller = Pick<TestAccount, 'token' | 'secretKey' | 'origin'>;

/** Starts `jobs-delete delete` as a process, without a terminal. */
export function spawnDelete(
  baseUrl: string,
  caller: Caller,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): DeleteProcess {
  return spawnCommand('delete', baseUrl, caller, args, { nodeOptions });
}

/** Starts a command that reads the caller from the environment. */
export function spawnCommand(
  name: string,
  baseUrl: string,
  caller: Caller,
  args: readonly string[],
  {
    nodeOptions = [],
    env = {},
  }: { readonly nodeOptions?: readonly string[]; readonly env?: NodeJS.ProcessEnv },
): DeleteProcess {
  const program = [...nodeOptions, join(root, 'cli/bin/jobs-delete.js')];
  const child = spawn(process.execPath, [...program, name, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      JOBS_DELETE_BASE_URL: baseUrl,
      JOBS_DELETE_TOKEN: caller.token,
      JOBS_DELETE_SECRET_KEY: caller.secretKey,
      JOBS_DELETE_ORIGIN: caller.origin,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  const exited = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
  return { pid: child.pid ?? 0, exited, kill: (signal = 'SIGKILL') => void child.kill(signal) };
}
