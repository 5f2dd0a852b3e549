import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithParent } from './end-with-parent.ts';

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
    signal: (signal) => void child.kill(signal),
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
