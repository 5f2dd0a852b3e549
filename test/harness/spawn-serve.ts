import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { freePorts } from './free-ports.ts';
import { handOver, testedPrograms } from './programs.ts';
import { expectNothingLeaked, keepSecretsOf, watchStream } from './watch-log.ts';
import { assertTestIsOn } from './until.ts';
import { watchTestEnd } from './watch-test-end.ts';

export interface SpawnServeOptions {
  /** Arguments after `serve`. Default: `--json`. */
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A command that ends with `exec` of its arguments, such as `bash -c 'ulimit …; exec "$@"' --`. */
  readonly wrapper?: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServeProcess {
  readonly pid: number;
  /** Resolves with its URL when it is ready. Rejects with its stderr if it exits before. */
  readonly ready: Promise<string>;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  stdout(): string;
  stderr(): string;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `jobs-delete serve` as a process, on free ports of loopback. */
export function spawnServe(dataDir: string, options: SpawnServeOptions = {}): ServeProcess {
  assertTestIsOn();
  const { root, user } = testedPrograms();
  // TEST_COMMAND names another file, such as that of an installed package.
  const { TEST_COMMAND: command = join(root, 'cli/bin/jobs-delete.js') } = process.env;
  const { args = ['--json'], env = {}, wrapper = [], uid = user?.uid, gid = user?.gid } = options;
  if (user !== undefined) handOver(dataDir, user);
  const [file = process.execPath, ...rest] = [...wrapper, process.execPath, command, 'serve', ...args];
  const child = spawn(file, rest, {
    env: {
      PATH: process.env.PATH,
      ...freePorts,
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  children.add(child);
  keepSecretsOf(env);
  watchStream(child.stderr);
  const text = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));

  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal });
    });
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text.stdout += chunk;
      const baseUrl = readBaseUrl(text.stdout);
      if (baseUrl !== undefined) resolve(baseUrl);
    });
    exited.then(({ code, signal }) => {
      reject(new Error(`serve ended with ${String(code ?? signal)} before it was ready:\n${text.stderr}`));
    }, reject);
  });
  // Without a listener, a rejection would end the process.
  ready.catch(() => undefined);

  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    kill: (signal) => void child.kill(signal),
    stdout: () => text.stdout,
    stderr: () => text.stderr,
  };
}

/** Kills remaining processes after each test. Call it once per file. */
export function reapAfterEach(): void {
  watchTestEnd();
  afterEach(reapChildren);
}

export async function reapChildren(): Promise<void> {
  await Promise.all(
    [...children].map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await closed;
    }),
  );
  expectNothingLeaked();
}

/** Reads the URL from the JSON line, or from the text output. */
function readBaseUrl(stdout: string): string | undefined {
  return /^(?:\{"base_url":"|.* is ready on )(https?:\/\/[^",\s]+)[^]*\n/m.exec(stdout)?.[1];
}
