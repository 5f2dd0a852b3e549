import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { callHere, callInThread, type SqliteCalls } from './sqlite-calls.ts';
import { Fault } from '../fault.ts';
import { StartupError } from '../startup-error.ts';

test('a call that throws returns a rejected promise', async () => {
  const { double, fail } = callHere({
    double: (value: number) => value * 2,
    fail: (): number => {
      throw new Error('no');
    },
    close: () => undefined,
  });
  expect(await double(21)).toBe(42);
  await expect(fail()).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
});

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

test('each call resolves with its own result', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const names = ['a', 'b', 'c'];
  expect(await Promise.all(names.map((name) => calls.greet(name)))).toEqual([
    'hello a',
    'hello b',
    'hello c',
  ]);
  await calls.close();
});

test('a failing call rejects with a Fault, and the next one resolves', async () => {
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

test('a value that cannot be cloned fails only its call', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const sent = calls.greet(() => 'a function');
  const next = calls.greet('next');
  await expect(sent).rejects.toThrow(/could not be cloned/);
  expect(await next).toBe('hello next');
  await expect(calls.giveFunction()).rejects.toBeInstanceOf(Fault);
  expect(await calls.greet('last')).toBe('hello last');
  await calls.close();
});

test('calls after close reject with a Fault, and a second close has no effect', async () => {
  const calls = await callInThread<Open>(module, 'open', 'hello');
  const closing = calls.close();
  await expect(calls.greet('too late')).rejects.toBeInstanceOf(Fault);
  await closing;
  await calls.close();
  await expect(calls.greet('later')).rejects.toBeInstanceOf(Fault);
});

test('an error while opening keeps its class and message', async () => {
  const refusal = callInThread<Open>(module, 'refuse', '');
  await expect(refusal).rejects.toThrow(StartupError);
  await expect(refusal).rejects.toThrow('Cannot open the database');
});

/** Runs a script in another process, on the compiled modules. */
const run = (body: string) => {
  const program = `import('@jobs-delete/runtime/sqlite/sqlite-calls').then(async ({ callInThread }) => {
    const calls = await callInThread(new URL(${JSON.stringify(module.href)}), 'open', 'hello');
    ${body}
  })`;
  return spawnSync(process.execPath, ['--eval', program], { cwd: import.meta.dirname, encoding: 'utf8' });
};

test('keeps the process alive only while a caller waits', () => {
  expect(run(`calls.greet('you').then(console.log)`)).toMatchObject({ status: 0, stdout: 'hello you\n' });
});

test('a defect in the thread ends the process', () => {
  const { status, stderr } = run(`await calls.breakDown(); setInterval(() => undefined, 1_000)`);
  expect(status).not.toBe(0);
  expect(stderr).toContain('a defect');
});
