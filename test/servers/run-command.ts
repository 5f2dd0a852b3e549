import { execFile } from 'node:child_process';

export interface RunCommandOptions {
  readonly cwd?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs a program to its end. Returns its stdout, or throws with its output. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000 }: RunCommandOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: timeoutMs, maxBuffer: 2 ** 24 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message.trim()}\n${stderr || stdout}`.trim(), { cause: error }));
    });
  });
}
