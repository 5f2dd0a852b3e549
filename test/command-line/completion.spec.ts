import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homedir } from 'node:os';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../readme/readme.ts';
import { temporaryFiles } from './temporary-files.ts';

const newFile = temporaryFiles();

function run({ file, env }: Shell, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: 'utf8', env });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

/** Returns the file with the script for this shell. */
function scriptFor(shell: string): string {
  const path = newFile(`completion.${shell}`);
  writeFileSync(
    path,
    run({ file: process.execPath, env: {} }, [join(root, 'cli/bin/jobs-delete.js'), 'completion', shell]),
  );
  return path;
}

/** Completes a command line, whose last word may be empty. Returns the words that the shell offers. */
const shells: Record<string, (shell: Shell, script: string, words: readonly string[]) => string[]> = {
  bash: (shell, script, words) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const program = `source "$1"; COMP_WORDS=(${line}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      $(complete -p jobs-delete | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return offered(run(shell, ['--norc', '-c', program, '--', script]));
  },
  zsh: (shell, script, words) => {
    // A terminal would show the words. These two functions print them instead.
    const program = `
      _describe() { local list=$argv[-1]; local item; for item in "\${(@P)list}"; do
        [[ $item == $words[CURRENT]* ]] && print -r -- "\${item%%:*}"; done }
      _files() { print FILES }; _message() { : }
      source "$1"; shift; words=("$@"); CURRENT=$#words; _jobs_delete; true`;
    return offered(run(shell, ['-f', '-c', program, 'zsh', script, ...words]));
  },
  fish: (shell, script, words) => {
    const line = words.join(' ');
    const listed = run(shell, ['--no-config', '-c', `source $argv[1]; complete -C $argv[2]`, script, line]);
    return offered(listed).map((entry) => entry.split('\t')[0] ?? '');
  },
};

function offered(text: string): string[] {
  return text.split('\n').filter(Boolean).sort();
}

describe.each(Object.keys(shells))('%s', (name) => {
  let shell: Shell;
  let script: string;
  beforeAll(() => {
    shell = requireShell(name);
    script = scriptFor(name);
  });
  const complete = (...words: string[]) => shells[name]?.(shell, script, ['jobs-delete', ...words]) ?? [];

  test('completes commands', () => {
    expect(complete('de')).toEqual(['dead-letters', 'delete', 'deletions']);
    expect(complete('accounts', '')).toEqual(expect.arrayContaining(['create', 'list', 'show']));
    expect(complete('accounts', '')).not.toContain('issue');
  });

  test('completes options of the command', () => {
    expect(complete('delete', '--jo')).toEqual(['--jobs-per-request', '--journal']);
    expect(complete('tokens', 'issue', '--ex')).toEqual(['--expires']);
    expect(complete('tokens', 'list', '--ex')).toEqual([]);
  });

  test('completes values that are known', () => {
    expect(complete('deletions', 'list', '--state', 'p')).toEqual(['published']);
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
  });

  test('continues after the value of an option', () => {
    expect(complete('delete', 'x.csv', '--format', 'csv', '--sand')).toEqual(['--sandbox']);
  });
});

/** Packages of Debian with a shell, and with the files that it needs. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zsh: ['zsh', 'zsh-common', 'libcap2', 'libtinfo6'],
  fish: ['fish', 'fish-common', 'libpcre2-32-0', 'libtinfo6'],
};

interface Shell {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns a shell of this machine, or downloads it to the cache. @throws Error when neither is possible */
function requireShell(name: string): Shell {
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
