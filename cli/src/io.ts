/** All that a command touches of the process it runs in, so that a test can be that process. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { destroy(error?: Error): unknown };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Calls back, once, when the user interrupts. @returns how to call that off */
  readonly onInterrupt: (callback: () => void) => () => void;
  /** What the process will exit with: 0 done, 1 refused or failed, 2 wrong usage. */
  exitCode: number;
}

export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};
