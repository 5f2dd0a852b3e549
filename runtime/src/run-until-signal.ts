import { StartupError } from './startup-error.ts';

/**
 * The life of a process: start, run until SIGTERM or SIGINT, stop. A second signal ends it at once. What the
 * start refuses is said on stderr in one message, and the exit code tells.
 */
export async function runUntilSignal(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  try {
    const running = await start();
    const stop = (signal: NodeJS.Signals) => {
      process.once(signal, () => process.exit(130));
      void running.stop().then(() => process.exit(0));
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    exitWith(error);
  }
}

/** Says why and ends the process: a StartupError by its message alone, a defect with its stack. */
export function exitWith(error: unknown): never {
  const known = error instanceof StartupError;
  process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exit(known ? error.exitCode : 70);
}
