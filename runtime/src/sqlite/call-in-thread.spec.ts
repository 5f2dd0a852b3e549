import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { callInThread } from './call-in-thread.ts';
import { Fault } from '../fault.ts';
import type { SqliteCalls } from './sqlite-calls.ts';
import { StartupError } from '../startup-error.ts';

const compiled = new URL('../../dist/startup-error.js', import.meta.url);
const source = `
  import { StartupError } from ${JSON.stringify(compiled.href)};
  export const open = (greeting) => ({
    greet: (name) => greeting + ' ' + name,
    fail: (code) => { throw Object.assign(new Error('no'), { code }) },
    giveFunction: () => () => undefined,
    breakDown: () => { setTimeout(() => { throw new Error('a defect') }) },
    close: () => undefined,
  });
  export const refuse = () => { throw new StartupError('Cannot open the database') };`;
const module = new URL(`data:text/javascript,${encodeURIComponent(source)}`);

interface Calls extends SqliteCalls {
  readonly greet: (name: unknown) => string;
  readonly fail: (code: string) => void;
  readonly giveFunction: () => () => void;
}
type Open = (greeting: string) => Calls;

test('what is asked is answered, each with its own', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const names = ['a', 'b', 'c'];
  expect(await Promise.all(names.map((name) => calls.greet(name)))).toEqual([
    'hello a',
    'hello b',
    'hello c',
  ]);
  await calls.close();
});

test('what fails is rejected with a Fault, and the next is answered all the same', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const failed = [calls.fail('SQLITE_BUSY'), calls.fail('SQLITE_ERROR')];
  const faults: unknown[] = await Promise.all(
    failed.map((call): Promise<unknown> => call.catch((error: unknown) => error)),
  );
  expect(faults.map((fault) => fault instanceof Fault && fault.code)).toEqual(['unavailable', 'internal']);
  expect((faults[0] as Fault).cause).toMatch(/^Error: no\n/);
  expect(await calls.greet('again')).toBe('hello again');
  await calls.close();
});

test('what can not be sent there or back fails alone', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const sent = calls.greet(() => 'a function');
  const next = calls.greet('next');
  await expect(sent).rejects.toThrow(/could not be cloned/);
  expect(await next).toBe('hello next');
  await expect(calls.giveFunction()).rejects.toBeInstanceOf(Fault);
  expect(await calls.greet('last')).toBe('hello last');
  await calls.close();
});

test('once closed it answers with a Fault, whenever that is asked, and closing it again is harmless', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const closing = calls.close();
  await expect(calls.greet('too late')).rejects.toBeInstanceOf(Fault);
  await closing;
  await calls.close();
  await expect(calls.greet('later')).rejects.toBeInstanceOf(Fault);
});

test('what opening refuses is thrown as it is', async () => {
  const refusal = callInThread<Open>(module, 'refuse', '');
  await expect(refusal).rejects.toThrow(StartupError);
  await expect(refusal).rejects.toThrow('Cannot open the database');
});

/** What a process of its own makes of it, on the compiled program. */
const run = (body: string) => {
  const program = `import('@jobs-delete/runtime/sqlite/call-in-thread').then(async ({ callInThread }) => {
    const calls = await callInThread(new URL(${JSON.stringify(module.href)}), 'open', 'hello');
    ${body}
  })`;
  return spawnSync(process.execPath, ['--eval', program], { cwd: import.meta.dirname, encoding: 'utf8' });
};

test('holds the process while somebody waits, and no longer', () => {
  expect(run(`calls.greet('you').then(console.log)`)).toMatchObject({ status: 0, stdout: 'hello you\n' });
});

test('a defect in the thread ends the process', () => {
  const { status, stderr } = run(`await calls.breakDown(); setInterval(() => undefined, 1_000)`);
  expect(status).not.toBe(0);
  expect(stderr).toContain('a defect');
});
