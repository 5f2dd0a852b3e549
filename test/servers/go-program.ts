import { join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

export interface GoProgram {
  readonly name: string;
  /** Of the package that has its `main`. */
  readonly path: string;
  /** Without the `v`. */
  readonly version: string;
}

/** The path of a program, built from its Go module at first use. @throws Error where it can't be had */
export async function goProgram({ name, path, version }: GoProgram): Promise<string> {
  const build = async (folder: string) => {
    await runCommand('go', ['install', `${path}@v${version}`], { env: { GOBIN: folder } });
  };
  return join(await cachedFolder(`${name}-${version}`, build), name);
}
