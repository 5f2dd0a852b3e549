import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';

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
