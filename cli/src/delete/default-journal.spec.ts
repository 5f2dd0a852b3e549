import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { linesOf, numberedIds, useDelete } from '../commands/delete.fixture.ts';
import { useCommandLine } from '../program.fixture.ts';
import type { CountingServerOptions } from './counting-server.fixture.ts';

const command = useDelete(useCommandLine());
const { file } = command;
const ids = numberedIds(40);
const inTens = ['--jobs-per-request', '10', '--concurrency', '1', '--retry-for', '1s'];

test('without --journal, the journal is beside the file until the run is complete', async () => {
  let isDown = true;
  const { server, run } = await command.startServer({
    beforeRequest: (_request, index) => (isDown && index > 1 ? 'drop' : undefined),
  });
  const input = file('a.txt', linesOf(ids));
  const beside = `${input}.journal`;
  expect((await run([input, ...inTens])).exitCode).toBe(1);
  expect(existsSync(beside)).toBe(true);
  isDown = false;
  // Named or not: it must not stay, or it would refuse tomorrow's ids in the same file.
  expect((await run([input, ...inTens, '--journal', beside])).exitCode).toBe(0);
  expect(existsSync(beside)).toBe(false);
  expect(server.deleted.size).toBe(40);
});

test('the journal of other input is named at the start, and removed when a later run is complete', async () => {
  let isDown = true;
  const { server, run } = await command.startServer({
    beforeRequest: (_request, index) => (isDown && index > 1 ? 'drop' : undefined),
  });
  const stopped = await run([...ids, ...inTens]);
  expect(stopped.exitCode).toBe(1);
  const [, path = ''] = /^To continue after an interruption, add --journal (.*)\n/.exec(stopped.stderr) ?? [];
  expect(stopped.stderr).toContain(`To continue, run the same command again with --journal ${path}\n`);
  expect(existsSync(path)).toBe(true);
  isDown = false;
  expect(await run([...ids, ...inTens, '--journal', path])).toMatchObject({ exitCode: 0, stderr: '' });
  expect(existsSync(path)).toBe(false);
  expect(server.deleted.size).toBe(40);
});

describe('the next run of the same file with other ids', () => {
  const tomorrow = Array.from({ length: 3 }, (_, index) => `NEXT${String(index)}`);
  const startServer = (more: CountingServerOptions = {}) =>
    command.startServer({ exists: (jobId) => jobId !== 'JOB0004', ...more });
  const small = ['--jobs-per-request', '3', '--concurrency', '1', '--retry-for', '1s'];

  test('begins if a refusal has stopped the run before', async () => {
    const { server, run } = await startServer();
    // JOB0004 does not exist.
    expect((await run([file('a.txt', linesOf(ids)), ...small])).exitCode).toBe(1);
    expect(await run([file('a.txt', linesOf(tomorrow)), ...small])).toMatchObject({
      exitCode: 0,
      stderr: `${file('a.txt', '')} has other ids than the run that ended early, so a new run begins. That run has queued 3 jobs for deletion.\n`,
    });
    expect([...server.deleted]).toEqual([...ids.slice(0, 3), ...tomorrow]);
    expect(existsSync(`${file('a.txt', '')}.journal`)).toBe(false);
  });

  test('leaves the run before as it was if the user does not agree', async () => {
    const { run } = await startServer();
    const input = file('a.txt', linesOf(ids));
    expect((await run([input, ...small])).exitCode).toBe(1);
    const before = readFileSync(`${input}.journal`);
    const refused = await run([file('a.txt', linesOf(tomorrow)), ...small], { terminal: true, stdin: 'n\n' });
    expect(refused.stderr).toContain('Delete 3 jobs of the account');
    expect(refused.stderr).toContain('Nothing was sent.\n');
    expect(readFileSync(`${input}.journal`)).toEqual(before);
  });

  test('is refused while the run before has a request without an answer', async () => {
    let isDown = true;
    const { run } = await startServer({ beforeAnswer: () => (isDown ? 'drop' : undefined) });
    expect((await run([file('a.txt', linesOf(ids)), ...small])).exitCode).toBe(1);
    isDown = false;
    const { exitCode, stderr } = await run([file('a.txt', linesOf(tomorrow)), ...small]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/belongs to a run with other ids: 40 jobs, and the input has 3\./);
  });

  test('begins after a run in the sandbox, which deletes nothing', async () => {
    const { server, run } = await startServer();
    expect((await run([file('a.txt', linesOf(ids)), ...small, '--sandbox'])).exitCode).toBe(1);
    expect(await run([file('a.txt', linesOf(ids.slice(0, 3))), ...small])).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect([...server.deleted]).toEqual(ids.slice(0, 3));
  });
});
