import { expect, test } from '@jest/globals';
import { createFairSemaphore } from './fair-semaphore.ts';

const turn = () => new Promise(setImmediate);

/** Tasks that end when the test says so. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
    await turn();
  };
  return { started, task, end };
}

test('no more tasks run at the same time than allowed, and keys are served round-robin', async () => {
  const semaphore = createFairSemaphore({ maxWaiting: 10, maxRunning: 1, maxPerTurn: 10 });
  const { started, task, end } = controlled();
  const names = ['a1', 'a2', 'a3', 'b1', 'c1'];
  const all = names.map((name) => semaphore.run(name.slice(0, 1), task(name)));
  expect(started).toEqual(['a1']);
  expect(semaphore.state()).toEqual({ running: 1, waiting: 4 });
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  expect(await Promise.all(all)).toEqual(names);
  expect(semaphore.state()).toEqual({ running: 0, waiting: 0 });
});

test('a full semaphore refuses at once, first the key with the most waiting tasks', async () => {
  const semaphore = createFairSemaphore({ maxWaiting: 2, maxRunning: 1 });
  const { started, task, end } = controlled();
  const first = semaphore.run('a', task('a1'));
  const second = semaphore.run('a', task('a2'));
  const third = semaphore.run('a', task('a3'));
  const other = semaphore.run('b', task('b1'));
  expect(await third).toBe('full');
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
  expect(started).not.toContain('a3');
});

test('few tasks start in one turn of the event loop', async () => {
  const semaphore = createFairSemaphore({ maxWaiting: 100, maxPerTurn: 2 });
  let started = 0;
  const task = () => Promise.resolve(started++);
  const all = Array.from({ length: 7 }, () => semaphore.run('a', task));
  expect(started).toBe(2);
  await turn();
  expect(started).toBeLessThanOrEqual(4);
  await Promise.all(all);
  expect(started).toBe(7);
});

test('a task that fails frees its permit', async () => {
  const semaphore = createFairSemaphore({ maxWaiting: 10, maxRunning: 1 });
  const failed = semaphore.run('a', () => Promise.reject(new Error('down')));
  const next = semaphore.run('a', () => Promise.resolve('next'));
  await expect(failed).rejects.toThrow('down');
  expect(await next).toBe('next');
});
