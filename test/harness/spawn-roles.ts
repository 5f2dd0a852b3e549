import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testedPrograms } from './programs.ts';
import { expectNothingLeaked, keepSecretsOf, watchStream } from './watch-log.ts';

/** Of this repository, or a command line to be run as it is, in the root of it. */
export type Program = 'gateway' | 'deleter-service' | { readonly commandLine: string };

export interface ReplicaOptions {
  /** For messages, such as `api 1`. */
  readonly name: string;
  readonly program: Program;
  readonly env: NodeJS.ProcessEnv;
  /** Where the programs stand: those under test, unless it is another version. */
  readonly root?: string;
}

/** One replica of a service, as a process of its own that an orchestrator looks after. */
export interface Replica {
  readonly name: string;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /**
   * Resolves once it says that it is ready, or is killed. One that refuses to start, or ends by itself, is started
   * again until it is killed.
   */
  start(): Promise<void>;
  /** As a power cut does; it stays down until it is started again. Resolves once it is reaped. */
  kill(): Promise<void>;
  /** Stops without closing anything, until it is resumed or killed. */
  freeze(): void;
  resume(): void;
  /** In good order. @returns the exit code */
  stop(): Promise<number | null>;
  /** What it has logged as a warning or worse, or written otherwise, through all its lives. */
  warnings(): readonly string[];
  /** Ends that nobody has asked for, but for refused starts: each is a defect. */
  crashes(): readonly string[];
  /** What it has logged of faults that no outage explains: each is a defect. */
  internalFaults(): readonly string[];
}

const children = new Set<ChildProcess>();
const replicas = new Set<Replica>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A replica that is not started yet. For afterAll: reapReplicas. */
export function createReplica({ name, program, env, root }: ReplicaOptions): Replica {
  const warnings: string[] = [];
  const crashes: string[] = [];
  let child: ChildProcess | undefined;
  let supervision: { wanted: boolean; done: Promise<number | null> } | undefined;

  const isWanted = () => supervision?.wanted === true;

  /** One life. @returns how it has ended, and whether it had been ready */
  const live = async (onReady: () => void) => {
    const spawned = spawnChild(commandOf(program, root), env);
    child = spawned;
    spawned.stdout.resume();
    let wasReady = false;
    createInterface({ input: spawned.stderr }).on('line', (line) => {
      const { level = 99, msg = '' } = parseLogLine(line);
      if (level >= 40) warnings.push(line);
      if (!msg.endsWith(' is ready')) return;
      wasReady = true;
      onReady();
    });
    const [code] = (await once(spawned, 'close')) as [number | null];
    child = undefined;
    return { code, wasReady };
  };

  const supervise = async (onReady: () => void): Promise<number | null> => {
    for (;;) {
      const since = warnings.length;
      const { code, wasReady } = await live(onReady);
      if (!isWanted()) return code;
      if (wasReady || code !== 1)
        crashes.push(`${name} ended with ${String(code)}: ${warnings.slice(since).slice(-20).join('\n')}`);
      await delay(250);
      if (!isWanted()) return code;
    }
  };

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (supervision === undefined) return null;
    supervision.wanted = false;
    child?.kill(signal);
    return supervision.done;
  };

  const replica: Replica = {
    name,
    pid: () => child?.pid,
    start: () =>
      new Promise((resolve) => {
        supervision = { wanted: true, done: supervise(resolve).finally(resolve) };
      }),
    kill: async () => {
      await end('SIGKILL');
    },
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    warnings: () => warnings,
    crashes: () => crashes,
    internalFaults: () => warnings.filter((line) => line.includes('"code":"internal"')),
  };
  replicas.add(replica);
  return replica;
}

function parseLogLine(line: string): { level?: number; msg?: string } {
  try {
    return JSON.parse(line) as { level?: number; msg?: string };
  } catch {
    return {};
  }
}

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One run of the `jobs-delete` command. */
export function runJobsDelete(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root?: string,
): Promise<CommandOutcome> {
  return run(nodeOn('cli/bin/jobs-delete.js', args, root), env);
}

/** A replica that is not expected to live: what it says and how it ends. */
export function runReplica({ program, env, root }: Omit<ReplicaOptions, 'name'>): Promise<CommandOutcome> {
  return run(commandOf(program, root), env);
}

function commandOf(program: Program, root?: string): readonly string[] {
  if (typeof program === 'string') return nodeOn(`${program}/dist/main.js`, [], root);
  // In place of the shell, which would not pass signals on; `env` takes assignments, as a shell does.
  return ['bash', '--norc', '-c', `exec env ${program.commandLine}`];
}

/** @param entry from the root of the tree that the programs stand in */
function nodeOn(
  entry: string,
  args: readonly string[] = [],
  root = testedPrograms().root,
): readonly string[] {
  return [process.execPath, join(root, entry), ...args];
}

async function run(command: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandOutcome> {
  const child = spawnChild(command, env);
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

function spawnChild(command: readonly string[], env: NodeJS.ProcessEnv) {
  const { root, user } = testedPrograms();
  const [file = '', ...rest] = [...endWithParent(), ...command];
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ADMIN_PORT: '0', DATA_DIR: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: root,
    ...user,
  });
  children.add(child);
  keepSecretsOf(env);
  watchStream(child.stderr);
  child.once('close', () => children.delete(child));
  return child;
}

/** Linux ends the process even when this one has no time for its exit listeners. */
let wrapper: readonly string[] | undefined;
function endWithParent(): readonly string[] {
  const setpriv = ['setpriv', '--pdeathsig', 'KILL', '--'];
  wrapper ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0 ? setpriv : [];
  return wrapper;
}

/** Ends every replica and command that is left running. */
export async function reapReplicas(): Promise<void> {
  await Promise.all([...replicas].map((replica) => replica.kill()));
  await Promise.all(
    [...children].map(async (child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }),
  );
  expectNothingLeaked();
}
