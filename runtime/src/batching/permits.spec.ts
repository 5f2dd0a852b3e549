import { expect, test } from '@jest/globals';
import { createPermits, createFairPermits, createFairSemaphore } from './permits.ts';

test('a key holds at most its number of permits, and takes none of another key', () => {
  const permits = createPermits({ perKey: 2 });
  expect(['a', 'a', 'a', 'b'].map(permits.take)).toEqual([true, true, false, true]);
});

test('all keys together hold at most the total', () => {
  const permits = createPermits({ perKey: 2, total: 3 });
  expect(['a', 'a', 'a', 'b', 'c'].map(permits.take)).toEqual([true, true, false, true, false]);
  permits.give('a');
  expect(['c', 'b'].map(permits.take)).toEqual([true, false]);
});

test('a permit that was given back can be taken once', () => {
  const permits = createPermits({ perKey: 2 });
  for (const key of ['a', 'a', 'a']) permits.take(key);
  permits.give('a');
  expect(['a', 'a'].map(permits.take)).toEqual([true, false]);
  for (const key of ['a', 'a']) permits.give(key);
  expect(['a', 'a', 'a'].map(permits.take)).toEqual([true, true, false]);
});

function takeAll(permits: ReturnType<typeof createFairPermits>, key: string): number {
  let taken = 0;
  while (permits.take(key)) taken += 1;
  return taken;
}

test('one key alone gets three quarters, and another key still finds free permits', () => {
  const permits = createFairPermits({ total: () => 1_000 });
  expect(takeAll(permits, 'flood')).toBe(750);
  expect(permits.take('other')).toBe(true);
});

test('keys that take in rotation get equal shares', () => {
  const permits = createFairPermits({ total: () => 1_000 });
  const keys = ['a', 'b', 'c'];
  while (keys.filter((key) => permits.take(key)).length > 0);
  for (const key of keys) expect(Math.abs(permits.held(key) - 300)).toBeLessThan(5);
});

test('a key gets what is free, and no more', () => {
  const permits = createFairPermits({ total: () => 10 });
  permits.take('a', 5);
  expect(permits.take('b', 6)).toBe(false);
  expect(permits.take('b', 5)).toBe(true);
  expect(permits.held()).toBe(10);
});

test('permits that a key keeps count for it', () => {
  const permits = createFairPermits({ total: () => 4 });
  expect(takeAll(permits, 'a')).toBe(3);
  permits.give('a');
  expect([permits.held('a'), permits.held()]).toEqual([2, 2]);
  expect(takeAll(permits, 'a')).toBe(1);
});

test('returned permits can be taken again, and a key without permits is forgotten', () => {
  const permits = createFairPermits({ total: () => 4 });
  expect(takeAll(permits, 'a')).toBe(3);
  permits.give('a', 3);
  expect([permits.held('a'), permits.held()]).toEqual([0, 0]);
  expect(takeAll(permits, 'a')).toBe(3);
});

test('a weight larger than all permits is taken only while nothing is held', () => {
  const permits = createFairPermits({ total: () => 10 });
  expect(permits.take('a', 100)).toBe(true);
  expect(permits.take('b')).toBe(false);
  permits.give('a', 100);
  expect(permits.take('b')).toBe(true);
});

test('without permits, none is given out', () => {
  expect(createFairPermits({ total: () => 0 }).take('a')).toBe(false);
});

test('none is given out while fewer permits exist than are held', () => {
  let total = 8;
  const permits = createFairPermits({ total: () => total });
  permits.take('a', 6);
  total = 4;
  expect(permits.take('b')).toBe(false);
  total = 8;
  expect(permits.take('b')).toBe(true);
});

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
