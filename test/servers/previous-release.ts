import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../readme/readme.ts';
import { cachedFolder } from './cached-folder.ts';
import { OptionalNeed } from './optional-need.ts';
import { runCommand } from './run-command.ts';

/**
 * The programs of the newest release in this checkout's history, as they are in its image: of the form of a checkout that
 * is built. Built at first use.
 * @throws OptionalNeed where the checkout knows of none
 */
export async function previousRelease(): Promise<string> {
  const tag = await newestTag();
  const commit = await git('rev-parse', `${tag}^{commit}`);
  return cachedFolder(`release-${tag}-${commit}`, async (folder) => {
    const archive = join(folder, 'release.tar');
    await git('archive', '--output', archive, commit);
    await runCommand('tar', ['-xf', archive, '-C', folder]);
    await runCommand('sh', ['deploy/build-tree.sh'], { cwd: folder });
  });
}

async function newestTag(): Promise<string> {
  // Not what a repository around it has.
  if (!existsSync(join(root, '.git')))
    throw new OptionalNeed(`${root} is no clone, so no release is known of it`);
  return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*').catch((error: unknown) => {
    throw new OptionalNeed(
      `no release in this clone's history; git fetch --tags --unshallow gets both\n${String(error)}`,
    );
  });
}

async function git(...args: readonly string[]): Promise<string> {
  return (await runCommand('git', args, { cwd: root })).trim();
}
