import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Returns the path of a folder in the user's cache, which all checkouts share. */
export function cachePath(name: string): string {
  const { XDG_CACHE_HOME: cacheHome = '' } = process.env;
  return join(cacheHome === '' ? join(homedir(), '.cache') : cacheHome, 'jobs-delete', name);
}

/**
 * Returns a folder of the user's cache. Fills it at first use, then only reads it. The folder appears when complete. If
 * several processes fill it, the first one wins, and all use its folder.
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
