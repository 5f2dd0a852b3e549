import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { root } from '../readme/readme.ts';
import { cachedFolder } from './programs.ts';
import { runCommand } from './child-process.ts';
import { recordedReleases, recordings } from '../releases/recording.ts';

/**
 * Returns a folder with the newest recorded release, built as in its image. Builds it at first use. Before the first
 * release, this version takes its place. Throws OptionalNeed if this checkout lacks the release's commit.
 */
export function previousRelease(): Promise<string> {
  const newest = newestRelease();
  return newest === undefined ? Promise.resolve(root) : builtRelease(newest.version, newest.commit);
}

/** Returns a folder with the commit, built as in its image. */
export async function builtRelease(version: string, commit: string): Promise<string> {
  await git('cat-file', '-e', `${commit}^{commit}`).catch((error: unknown) => {
    throw new OptionalNeed(
      `commit ${commit} of ${version} is not in this checkout; run git fetch --unshallow\n${String(error)}`,
    );
  });
  return cachedFolder(`release-${version}-${commit}`, async (folder) => {
    const archive = join(folder, 'release.tar');
    await git('archive', '--output', archive, commit);
    await runCommand('tar', ['-xf', archive, '-C', folder]);
    await runCommand('sh', ['deploy/build-tree.sh'], { cwd: folder });
  });
}

async function git(...args: readonly string[]): Promise<string> {
  return (await runCommand('git', args, { cwd: root })).trim();
}

interface Release {
  /** The name of its tag, such as v0.2.0. */
  readonly version: string;
  /** Its commit. Clones may lack the tag. */
  readonly commit: string;
}

/** Returns the newest release with a recording in this checkout; undefined before the first one. */
function newestRelease(): Release | undefined {
  const byVersion = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
  const version = recordedReleases.toSorted(byVersion).at(-1);
  if (version === undefined) return undefined;
  return { version, commit: readFileSync(join(recordings, version, 'commit'), 'utf8').trim() };
}

/** Thrown when an optional program is missing. Its suites are skipped even if REQUIRE_SERVERS is 1. */
export class OptionalNeed extends Error {}
