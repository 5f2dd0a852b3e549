import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testedPrograms } from './programs.ts';
import { reapChildren, spawnChild } from './spawn-child.ts';

/** A service of this repository, or a command line that runs in its root. */
export type Program = 'gateway' | 'deleter-service' | { readonly commandLine: string };

export interface ReplicaOptions {
  /** The name in messages, such as `api 1`. */
  readonly name: string;
  readonly program: Program;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of another version. Default: the programs under test. */
  readonly root?: string;
}

/** A process that is restarted after each exit, like under an orchestrator. */
export interface Replica {
  readonly name: string;
  /** Undefined while no process runs. */
  pid(): number | undefined;
  /** Resolves when it is ready, or killed. Restarts it after each exit, until `kill` or `stop`. */
  start(): Promise<void>;
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGSTOP. */
  freeze(): void;
  /** Sends SIGCONT. */
  resume(): void;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Log lines of level warn and above, and non-log output, of all its processes. */
  warnings(): readonly string[];
  /** Exits after it was ready, or with a code other than 1, without `kill` or `stop`. Each is a defect. */
  crashes(): readonly string[];
  /** Log lines of faults with the code `internal`. Each is a defect: outages have other codes. */
  internalFaults(): readonly string[];
}

const replicas = new Set<Replica>();

/** Creates a replica without starting it. Call `reapReplicas` in afterAll. */
export function createReplica(options: ReplicaOptions): Replica {
  const state: ReplicaState = { warnings: [], crashes: [], child: undefined };
  let supervision: { wanted: boolean; done: Promise<number | null> } | undefined;
  const isWanted = () => supervision?.wanted === true;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (supervision === undefined) return null;
    supervision.wanted = false;
    state.child?.kill(signal);
    return supervision.done;
  };
  const replica: Replica = {
    name: options.name,
    pid: () => state.child?.pid,
    start: () =>
      new Promise((resolve) => {
        supervision = {
          wanted: true,
          done: supervise(options, state, { isWanted, onReady: resolve }).finally(resolve),
        };
      }),
    kill: async () => {
      await end('SIGKILL');
    },
    freeze: () => void state.child?.kill('SIGSTOP'),
    resume: () => void state.child?.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    warnings: () => state.warnings,
    crashes: () => state.crashes,
    internalFaults: () => state.warnings.filter((line) => line.includes('"code":"internal"')),
  };
  replicas.add(replica);
  return replica;
}

/** The log of all processes of one replica, and the process that runs now. */
interface ReplicaState {
  readonly warnings: string[];
  readonly crashes: string[];
  child: ChildProcess | undefined;
}

interface Supervision {
  isWanted(): boolean;
  onReady(): void;
}

/** Restarts the process until it is stopped. Resolves with its last exit code. */
async function supervise(
  options: ReplicaOptions,
  state: ReplicaState,
  { isWanted, onReady }: Supervision,
): Promise<number | null> {
  const { warnings, crashes } = state;
  for (;;) {
    const since = warnings.length;
    const { code, wasReady } = await runOnce(options, state, onReady);
    if (!isWanted()) return code;
    if (wasReady || code !== 1) {
      const lastLines = warnings.slice(since).slice(-20).join('\n');
      crashes.push(`${options.name} ended with ${String(code)}: ${lastLines}`);
    }
    await delay(250);
    if (!isWanted()) return code;
  }
}

/** Runs the process to its end. */
async function runOnce({ program, env, root }: ReplicaOptions, state: ReplicaState, onReady: () => void) {
  const { child } = spawnProgram(commandOf(program, root), env);
  state.child = child;
  let wasReady = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    const { level = 99, msg = '' } = parseLogLine(line);
    if (level >= 40) state.warnings.push(line);
    if (!msg.endsWith(' is ready')) return;
    wasReady = true;
    onReady();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  state.child = undefined;
  return { code, wasReady };
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

/** Runs the `jobs-delete` command to its end. */
export function runJobsDelete(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root?: string,
): Promise<CommandOutcome> {
  return run(nodeOn('cli/bin/jobs-delete.js', args, root), env);
}

/** Runs a program that is expected to exit. */
export function runReplica({ program, env, root }: Omit<ReplicaOptions, 'name'>): Promise<CommandOutcome> {
  return run(commandOf(program, root), env);
}

function commandOf(program: Program, root?: string): readonly string[] {
  if (typeof program === 'string') return nodeOn(`${program}/dist/main.js`, [], root);
  // `exec` replaces the shell, which would not forward signals. `env` accepts assignments.
  return ['bash', '--norc', '-c', `exec env ${program.commandLine}`];
}

/** @param entry a path from the root of the programs */
function nodeOn(
  entry: string,
  args: readonly string[] = [],
  root = testedPrograms().root,
): readonly string[] {
  return [process.execPath, join(root, entry), ...args];
}

async function run(command: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandOutcome> {
  const { child, text } = spawnProgram(command, env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

function spawnProgram(command: readonly string[], env: NodeJS.ProcessEnv) {
  const { root, user } = testedPrograms();
  const all = { HOST: '127.0.0.1', ADMIN_PORT: '0', DATA_DIR: '/nonexistent', ...env };
  return spawnChild(command, { env: all, cwd: root, ...user });
}

/** Kills all running replicas and commands. */
export async function reapReplicas(): Promise<void> {
  await Promise.all([...replicas].map((replica) => replica.kill()));
  await reapChildren();
}
