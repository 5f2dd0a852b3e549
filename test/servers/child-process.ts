import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerProcess {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface ServerCommand {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The file for its output. A failed start quotes its last lines. */
  readonly outputFile: string;
  /** Resolves with true when the server is up. Otherwise resolves with false or rejects. */
  readonly isReady: () => Promise<boolean>;
  readonly timeoutMs?: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a server and waits until it is ready. It dies with this process. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const { child, exited } = spawnServer(command);
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    signal: (signal) => {
      child.kill(signal);
      // On a busy machine, a stop takes effect milliseconds later.
      if (signal === 'SIGSTOP') while (isRunning(child.pid));
    },
    kill: () => {
      child.kill('SIGKILL');
      return exited;
    },
  };
  const deadline = performance.now() + (command.timeoutMs ?? 300_000);
  let state = 'it is not ready';
  while (!(await command.isReady().catch((error: unknown) => isNotReady((state = String(error)))))) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended === null && performance.now() < deadline) {
      await delay(50);
      continue;
    }
    await server.kill();
    const end = ended === null ? `did not become ready in time (${state})` : `ended with ${String(ended)}`;
    throw new Error(`${command.name} ${end}:\n${lastLines(command.outputFile, 40)}`);
  }
  return server;
}

/** Reads the state of the process: see proc_pid_status(5). */
function isRunning(pid: number | undefined): boolean {
  try {
    return /^State:\s+[RS]/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function spawnServer({ file, args, outputFile }: ServerCommand) {
  const [program, ...rest] = [...endWithParent(), file, ...args];
  const output = openSync(outputFile, 'a');
  const child = spawn(program ?? file, rest, { stdio: ['ignore', output, output] });
  closeSync(output);
  running.add(child);
  const exited = new Promise<void>((resolve) => {
    const gone = () => {
      running.delete(child);
      resolve();
    };
    child.once('exit', gone);
    child.once('error', gone);
  });
  return { child, exited };
}

function isNotReady(_state: string): false {
  return false;
}

function lastLines(file: string, count: number): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

const setpriv = ['setpriv', '--pdeathsig', 'KILL', '--'];
let wrapper: readonly string[] | undefined;

/** Returns the start of a command line. On Linux, the kernel then kills the command when this process dies. */
export function endWithParent(): readonly string[] {
  wrapper ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0 ? setpriv : [];
  return wrapper;
}

export interface RunCommandOptions {
  readonly cwd?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs a program to its end. Returns its stdout, or throws with its output. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000 }: RunCommandOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: 2 ** 24 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message.trim()}\n${stderr || stdout}`.trim(), { cause: error }));
    });
  });
}

/** Below the range of outgoing connections, which could take a port before the server does. */
const [firstPort, lastPort] = [10_000, 30_000];

/** Returns a port of loopback on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
