import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cached-folder.ts';
import { runCommand } from './run-command.ts';

/** Returns the path of promtool. Downloads Debian's package at first use. Throws if apt-get fails. */
export async function promtoolBinary(): Promise<string> {
  return join(await cachedFolder('promtool', download), 'promtool');
}

/** Downloads with separate package lists, so it needs neither root nor existing lists. */
async function download(folder: string): Promise<void> {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
  const unpacked = join(folder, 'unpacked');
  for (const path of [lists, cache]) await mkdir(path);
  const apt = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User='];
  await runCommand('apt-get', [...apt, 'update'], { cwd: folder });
  await runCommand('apt-get', [...apt, 'download', 'prometheus'], { cwd: folder });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get download left no package');
  await runCommand('dpkg', ['-x', archive, unpacked], { cwd: folder });
  await rename(join(unpacked, 'usr/bin/promtool'), join(folder, 'promtool'));
  for (const path of [lists, cache, unpacked, join(folder, archive)]) await rm(path, { recursive: true });
}
