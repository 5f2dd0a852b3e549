import { constants } from 'node:os';
import { collectEarly } from './collect-early.ts';
import { Fault } from '../fault.ts';
import { StartupError } from '../startup-error.ts';

/**
 * The life of a process: start, run until SIGTERM or SIGINT, stop. A second signal, of either kind, ends it at
 * once. What the start refuses is said on stderr in one message, and the exit code tells.
 * @param announce called when a signal would already stop it in good order
 */
export async function runUntilSignal<Running extends { stop(): Promise<void> }>(
  start: () => Promise<Running>,
  announce?: (running: Running) => void,
): Promise<void> {
  collectEarly();
  let running: Running | undefined;
  let stopping = false;
  // From the beginning: the first process of a container gets no signal that it has not asked for, and a start may
  // wait for a minute. Until it is done there is nothing to finish.
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping || running === undefined) process.exit(128 + constants.signals[signal]);
    stopping = true;
    void running.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    running = await start();
    announce?.(running);
  } catch (error) {
    exitWith(error);
  }
}

/** Says why and ends the process: what the operator can set right by its message alone, a defect with its stack. */
export function exitWith(error: unknown): never {
  if (error instanceof StartupError) exitSaying(error.message, error.exitCode);
  if (error instanceof Fault && error.code !== 'internal') exitSaying(`Cannot start: ${error.message}`, 1);
  exitSaying(String(error instanceof Error ? error.stack : error), 70);
}

function exitSaying(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}
