/** The parts of the process that commands use; tests replace them. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & {
    readonly isTTY?: boolean | undefined;
    destroy(error?: Error): unknown;
  };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Calls back on SIGINT and SIGTERM, once for each. Returns a function that cancels it. */
  readonly onInterrupt: (callback: () => void) => () => void;
  /**
   * Locks a file, and creates it. The operating system releases the lock when the process ends.
   * @returns a function that releases the lock, or `locked` when another process has it
   */
  readonly lockFile: (path: string) => (() => void) | 'locked';
  /** The exit code: 0 success, 1 failure, 2 wrong usage. */
  exitCode: number;
}

/** The user interrupted the command. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
}

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

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
