import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testIf } from '@jobs-delete/runtime/testing/test-if';
import { useCommandLine } from './program.fixture.ts';

const cli = useCommandLine();
const bin = fileURLToPath(new URL('../bin/jobs-delete.js', import.meta.url));
const children = new Set<ChildProcess>();
beforeEach(() => cli.run('accounts', 'create', 'acme'));
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** Runs the built command in another process. */
function start(args: readonly string[], stdout: 'pipe' | number = 'pipe') {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: cli.dataDir() },
    stdio: ['pipe', stdout, 'pipe'],
  });
  children.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    ...output,
  }));
  return { child, ended };
}

test('a secret may come from a pipe, which has it once', async () => {
  const line = 'printf %064d 0 | exec "$0" "$1" accounts list --json';
  const env = { PATH: process.env.PATH, DATA_DIR: cli.dataDir(), CREDENTIAL_PEPPER_FILE: '/dev/stdin' };
  const { stdout } = await promisify(execFile)('sh', ['-c', line, process.execPath, bin], { env });
  expect(JSON.parse(stdout)).toMatchObject([{ account_id: 'acme' }]);
});

test('the command prints one JSON value and exits 0', async () => {
  const { exitCode, stdout, stderr } = await start(['accounts', 'list', '--json']).ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject([{ account_id: 'acme' }]);
});

test('the process exits with the code of the program', async () => {
  const runs = [
    ['jobs', 'show', 'NOPE'],
    ['jobs', 'show'],
    ['serve', '--nonsense'],
  ].map((args) => start(args).ended);
  expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([1, 2, 2]);
});

test('a closed output pipe is not an error', async () => {
  const { child, ended } = start(['accounts', 'list']);
  child.stdout?.destroy();
  expect(await ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

// Linux has a file that is always full.
testIf(existsSync('/dev/full'), 'output that cannot be written is an error', async () => {
  const full = openSync('/dev/full', 'w');
  const { exitCode, stderr } = await start(['tokens', 'issue', '--account', 'acme'], full).ended;
  closeSync(full);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Cannot write the output: ENOSPC/);
});

test('SIGINT during an import keeps whole batches and prints their lines', async () => {
  const { child, ended } = start(['jobs', 'import', '-', '--format', 'csv', '--account', 'acme']);
  const records = Array.from({ length: 1_500 }, (_, index) => `JOB${String(index).padStart(6, '0')}\n`);
  child.stdin?.write(`id\n${records.join('')}`);
  while ((await cli.withStore((store) => store.countJobs('acme'))) < 1_000) await delay(10);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({
    exitCode: 130,
    stdout: '',
    stderr: expect.stringMatching(
      /^Interrupted\. 1,000 jobs were imported \(lines 1 to 1,001\), and no later ones\. /,
    ),
  });
});

test('imports files and standard input', async () => {
  const { child, ended } = start(['jobs', 'import', '-', '--format', 'json', '--account', 'acme', '--json']);
  child.stdin?.end(JSON.stringify([{ id: 'ABC123', title: 'Dév' }]));
  expect(JSON.parse((await ended).stdout)).toEqual({ account_id: 'acme', imported: 1, existing: 0 });
  expect(existsSync(join(cli.dataDir(), 'events.db'))).toBe(false);
});
