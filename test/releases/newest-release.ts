import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedReleases, recordings } from './recording.ts';

export interface Release {
  /** The name of its tag, such as v0.2.0. */
  readonly version: string;
  /** Its commit. Clones may lack the tag. */
  readonly commit: string;
}

/** Returns the newest release with a recording in this checkout; undefined before the first one. */
export function newestRelease(): Release | undefined {
  const byVersion = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
  const version = recordedReleases.toSorted(byVersion).at(-1);
  if (version === undefined) return undefined;
  return { version, commit: readFileSync(join(recordings, version, 'commit'), 'utf8').trim() };
}
