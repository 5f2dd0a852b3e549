/** Why a process cannot start. The command prints `message` without a stack and exits with `exitCode`. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
  readonly exitCode: number;
  /** True if a dependency is unreachable: a retry may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, options: { exitCode?: number; cause?: unknown; isTransient?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
    this.isTransient = options.isTransient ?? false;
  }
}

/** All problems of the environment, one per line, each naming its variable. */
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
