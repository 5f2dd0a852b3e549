import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithParent } from '../servers/child-process.ts';
import { expectNothingLeaked, keepSecretsOf, watchStream } from './watch-log.ts';

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface ChildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Spawns a program under test. It dies with this process. Watches its log for secrets. */
export function spawnChild(command: readonly string[], { env, ...options }: ChildOptions) {
  const [file = '', ...rest] = [...endWithParent(), ...command];
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  keepSecretsOf(env);
  watchStream(child.stderr);
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  return { child, text };
}

/** Kills all running children. */
export async function reapChildren(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }),
  );
  expectNothingLeaked();
}

/** Variables that make a service listen on free ports of loopback. */
export const freePorts = {
  HOST: '127.0.0.1',
  PORT: '0',
  DASHBOARD_PORT: '0',
  GRPC_PORT: '0',
  ADMIN_PORT: '0',
} as const;
