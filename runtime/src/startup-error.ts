/**
 * Why a process can't start, in words for the operator. The command line prints `message` alone, without a
 * stack, and exits with `exitCode`.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
