import { join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

export interface GoProgram {
  readonly name: string;
  /** The import path of its main package. */
  readonly path: string;
  /** The version of its module, without `v`. */
  readonly version: string;
}

/** Returns the path of a program. Builds it from its Go module at first use. Throws if the build fails. */
export async function goProgram({ name, path, version }: GoProgram): Promise<string> {
  const build = async (folder: string) => {
    await runCommand('go', ['install', `${path}@v${version}`], { env: { GOBIN: folder } });
  };
  return join(await cachedFolder(`${name}-${version}`, build), name);
}
