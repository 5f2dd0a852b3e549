import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterEach, beforeEach } from '@jest/globals';
import type { Accounts } from '@jobs-delete/accounts/accounts';
import { openSqliteAccounts } from '@jobs-delete/accounts/sqlite/sqlite-accounts';
import { openSqliteStore } from '@jobs-delete/deleter-service/store/sqlite-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { lockFile } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import type { Io } from './io.ts';
import { runProgram } from './program.ts';

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  /** A data folder of this test's own. */
  readonly dataDir: () => string;
  /** Moves the clock that the commands read. */
  readonly setNow: (ms: number) => void;
  readonly run: (...args: readonly string[]) => Promise<Outcome>;
  readonly runWith: (overrides: Overrides, ...args: readonly string[]) => Promise<Outcome>;
  /** The value on stdout of a command that must succeed, which is given --json. */
  readonly json: (...args: readonly string[]) => Promise<unknown>;
  /** Actor, action and subject of every entry in an account's audit trail, newest first. */
  readonly listActions: (accountId: string) => Promise<readonly (readonly (string | undefined)[])[]>;
  readonly withAccounts: <Result>(use: (accounts: Accounts) => Promise<Result>) => Promise<Result>;
  readonly withStore: <Result>(use: (store: Store) => Promise<Result>) => Promise<Result>;
}

export interface Overrides {
  readonly stdin?: string | Buffer | PassThrough;
  readonly env?: NodeJS.ProcessEnv;
  readonly onInterrupt?: Io['onInterrupt'];
  /** Makes stderr a terminal, and stdin too unless it is a stream. */
  readonly terminal?: boolean;
}

/** The program as a process would run it, on a new data folder for each test. */
export function useCommandLine(): CommandLine {
  let dataDir = '';
  let nowMs = 0;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'cli-'));
    nowMs = Date.parse('2030-01-02T03:04:05Z');
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const runWith = async (overrides: Overrides, ...args: readonly string[]): Promise<Outcome> => {
    const { stdin = '', env = {}, onInterrupt = () => () => undefined, terminal: isTTY = false } = overrides;
    const stdout = capture();
    const stderr = capture();
    const bytes = typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
    const input = bytes instanceof PassThrough ? bytes : Readable.from([bytes]);
    const io: Io = {
      stdin: Object.assign(input, { isTTY: isTTY && !(stdin instanceof PassThrough) }),
      stdout: stdout.stream,
      stderr: Object.assign(stderr.stream, { isTTY }),
      env: { DATA_DIR: dataDir, HOME: dataDir, ...env },
      now: () => nowMs,
      onInterrupt,
      lockFile,
      exitCode: 0,
    };
    await runProgram(args, io);
    return { exitCode: io.exitCode, stdout: stdout.text(), stderr: stderr.text() };
  };
  const run = (...args: readonly string[]) => runWith({}, ...args);

  const databasePath = () => join(dataDir, 'jobs-delete.db');
  const withAccounts: CommandLine['withAccounts'] = (use) => closing(openSqliteAccounts(databasePath()), use);

  return {
    withAccounts,
    listActions: async (accountId) => {
      const entries = await withAccounts((accounts) => accounts.listActions({ accountId, pageSize: 100 }));
      return entries.map(({ actor, action, subject }) => [actor, action, subject]);
    },
    dataDir: () => dataDir,
    setNow: (ms) => (nowMs = ms),
    run,
    runWith,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await run(...args, '--json');
      if (exitCode !== 0 || stderr !== '')
        throw new Error(`${args.join(' ')}: ${String(exitCode)} ${stderr}`);
      return JSON.parse(stdout) as unknown;
    },
    withStore: (use) => closing(openSqliteStore(databasePath()), use),
  };
}

async function closing<Opened extends { close(): Promise<void> }, Result>(
  opened: Opened,
  use: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

function capture() {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      parts.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => parts.join('') };
}
