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
