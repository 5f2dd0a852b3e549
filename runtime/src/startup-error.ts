/**
 * Why a process can't start, in words for the operator. The command line prints `message` alone, without a
 * stack, and exits with `exitCode`.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
  readonly exitCode: number;
  /** Whether another attempt may go well: what it depends on can't be reached now. */
  readonly isTransient: boolean;

  constructor(message: string, options: { exitCode?: number; cause?: unknown; isTransient?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
    this.isTransient = options.isTransient ?? false;
  }
}

/** What is wrong with the environment, all of it: one problem a line, each naming its variable. */
export class ConfigurationError extends StartupError {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'), {
      exitCode: 2,
    });
    this.problems = problems;
  }
}
