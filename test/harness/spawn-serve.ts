import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { freePorts, reapChildren, spawnChild } from './spawn-child.ts';
import { handOver, testedPrograms } from './programs.ts';
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

/** Starts `jobs-delete serve` as a process, on free ports of loopback. */
export function spawnServe(dataDir: string, options: SpawnServeOptions = {}): ServeProcess {
  assertTestIsOn();
  const { root, user } = testedPrograms();
  // TEST_COMMAND names another file, such as that of an installed package.
  const { TEST_COMMAND: command = join(root, 'cli/bin/jobs-delete.js') } = process.env;
  const { args = ['--json'], env = {}, wrapper = [], uid = user?.uid, gid = user?.gid } = options;
  if (user !== undefined) handOver(dataDir, user);
  const { child, text } = spawnChild([...wrapper, process.execPath, command, 'serve', ...args], {
    env: { ...freePorts, LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...env },
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
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

/** Reads the URL from the JSON line, or from the text output. */
function readBaseUrl(stdout: string): string | undefined {
  return /^(?:\{"base_url":"|.* is ready on )(https?:\/\/[^",\s]+)[^]*\n/m.exec(stdout)?.[1];
}
