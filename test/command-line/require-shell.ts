import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Packages of Debian with a shell, and with the files that it needs. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zsh: ['zsh', 'zsh-common', 'libcap2', 'libtinfo6'],
  fish: ['fish', 'fish-common', 'libpcre2-32-0', 'libtinfo6'],
};

export interface Shell {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns a shell of this machine, or downloads it to the cache. @throws Error when neither is possible */
export function requireShell(name: string): Shell {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
  if (spawnSync(name, ['--version']).status === 0) return { file: name, env };
  const folder = join(homedir(), '.cache', 'jobs-delete', `shell-${name}`);
  if (!existsSync(folder)) download(name, folder);
  const libraries = readdirSync(join(folder, 'usr/lib')).map((entry) => join(folder, 'usr/lib', entry));
  const file = ['usr/bin', 'bin'].map((bin) => join(folder, bin, name)).find(existsSync) ?? name;
  return { file, env: { ...env, LD_LIBRARY_PATH: libraries.join(':') } };
}

function download(name: string, folder: string): void {
  const temporary = `${folder}.${String(process.pid)}`;
  mkdirSync(temporary, { recursive: true });
  try {
    execFileSync('apt-get', ['download', ...(packages[name] ?? [])], { cwd: temporary, stdio: 'pipe' });
    for (const file of readdirSync(temporary).filter((entry) => entry.endsWith('.deb')))
      execFileSync('dpkg-deb', ['--extract', file, '.'], { cwd: temporary, stdio: 'pipe' });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw new Error(`Install ${name}: it is not on this machine, and apt-get cannot download it.`, {
      cause: error,
    });
  }
}
