import { execFile } from 'node:child_process';

/** Runs a program to its end. @throws Error with what it wrote */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, timeoutMs = 600_000 }: { readonly cwd?: string; readonly timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd, timeout: timeoutMs, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message.trim()}\n${stderr || stdout}`.trim(), { cause: error }));
    });
  });
}
