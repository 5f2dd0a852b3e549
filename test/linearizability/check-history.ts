import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';
import { runCommand } from '../servers/child-process.ts';
import { cachedFolder } from '../servers/programs.ts';

const sources = join(root, 'test/linearizability');

/** Returns the path of the checker. Builds it with Go, once for each version of its sources. Throws if the build fails. */
export async function historyChecker(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(sources)
    .filter((file) => /\.go$|^go\./.test(file))
    .sort())
    hash.update(readFileSync(join(sources, name)));
  const folder = await cachedFolder(`history-checker-${hash.digest('hex').slice(0, 12)}`, async (draft) => {
    await runCommand('go', ['build', '-trimpath', '-o', join(draft, 'check'), '.'], { cwd: sources });
  });
  return join(folder, 'check');
}

/** The report of the checker (`main.go`). */
export interface Verdict {
  readonly operations: number;
  readonly unknown: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly partitions: number;
  readonly largest: number;
  readonly undecided: number;
  readonly violations: number;
  readonly seconds: number;
  /** The shortest wrong partition in plain words. */
  readonly story: readonly string[];
}

/**
 * Checks a history for linearizability.
 * @param options picture: a file for Porcupine's picture of a violation, as HTML; timeout: the longest time for a partition
 */
export function checkHistory(
  checker: string,
  history: string,
  { picture = '', timeout = '30s' } = {},
): Promise<Verdict> {
  const options = ['-picture', picture, '-timeout', timeout];
  return new Promise((resolve, reject) => {
    execFile(checker, [...options, history], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // It ends with 1 after a violation.
      if (error !== null && error.code !== 1) reject(new Error(stderr || error.message, { cause: error }));
      else resolve(JSON.parse(stdout) as Verdict);
    });
  });
}
