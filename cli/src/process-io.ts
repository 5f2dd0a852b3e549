import type { Io } from './io.ts';

/** Returns the parts of this process. Call it once. */
export function processIo(lockFile: Io['lockFile']): Io {
  // EPIPE is not a failure: the reader, such as `head`, has exited.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    process.stderr.write(`Cannot write the output: ${error.message}\n`);
  });
  process.stderr.on('error', () => undefined);
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: () => Date.now(),
    onInterrupt: (callback) => {
      // A scheduler or a container sends SIGTERM.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, callback);
      return () => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, callback);
      };
    },
    lockFile,
    exitCode: 0,
  };
}
