import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where the folder of that name is, or will be: outside of the checkout, for all that there are. */
export function cachePath(name: string): string {
  const { XDG_CACHE_HOME: cacheHome = '' } = process.env;
  return join(cacheHome === '' ? join(homedir(), '.cache') : cacheHome, 'jobs-delete', name);
}

/**
 * A folder of the user's cache that is filled once and then only read. It appears whole or not at all: of several
 * processes that fill it at the same time, one wins and the others use what it has made.
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = cachePath(name);
  const cache = dirname(folder);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, `.${name}-`));
  try {
    await fill(draft);
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
