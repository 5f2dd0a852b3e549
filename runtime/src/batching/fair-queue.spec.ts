import { expect, test } from '@jest/globals';
import { createFairQueue } from './fair-queue.ts';

interface Item {
  readonly key: string;
  readonly name: string;
  readonly weight: number;
}

function queueOf(...names: readonly string[]) {
  const queue = createFairQueue<Item>(
    ({ key }) => key,
    ({ weight }) => weight,
  );
  for (const name of names)
    queue.push({ key: name.charAt(0), name, weight: Number(name.split(':')[1] ?? 1) });
  const take = (maxWeight: number) => queue.take(maxWeight).map(({ name }) => name);
  return { queue, take };
}

test('take returns items of one key in order', () => {
  const { take } = queueOf('a1', 'a2', 'a3');
  expect(take(2)).toEqual(['a1', 'a2']);
  expect(take(2)).toEqual(['a3']);
  expect(take(2)).toEqual([]);
});

test('keys are served round-robin, whatever the length of their backlogs', () => {
  const { take } = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2');
  expect(take(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(take(4)).toEqual(['b2', 'a3', 'a4']);
});

test('the next take continues the rotation', () => {
  const { queue, take } = queueOf('a1', 'a2', 'b1', 'b2');
  expect(take(1)).toEqual(['a1']);
  queue.push({ key: 'a', name: 'a3', weight: 1 });
  expect(take(4)).toEqual(['b1', 'a2', 'b2', 'a3']);
});

test('an item over the maximum weight is taken alone', () => {
  const { take } = queueOf('a1', 'b1:9', 'a2');
  expect(take(5)).toEqual(['a1']);
  expect(take(5)).toEqual(['b1:9']);
  expect(take(5)).toEqual(['a2']);
});

test('takeOf returns items of one key that may be taken, and keys are still served round-robin', () => {
  const { queue, take } = queueOf('a1', 'a2', 'b1', 'b2:3', 'b3', 'c1');
  const takeOf = (maxWeight: number, ...keys: readonly string[]) =>
    queue.takeOf(maxWeight, (key) => keys.includes(key)).map(({ name }) => name);
  expect(takeOf(9, 'z')).toEqual([]);
  expect(takeOf(4, 'b', 'c')).toEqual(['b1', 'b2:3']);
  expect(takeOf(4, 'b', 'c')).toEqual(['c1']);
  expect(takeOf(1, 'a')).toEqual(['a1']);
  expect([queue.weight(), queue.keys()]).toEqual([2, 2]);
  expect(take(1)).toEqual(['b3']);
  queue.push({ key: 'a', name: 'a3', weight: 1 });
  expect(take(1)).toEqual(['a2']);
  expect(takeOf(9, 'a')).toEqual(['a3']);
});

test('removed items are not served and weigh nothing', () => {
  const { queue, take } = queueOf('a1', 'a2:5', 'b1', 'c1');
  queue.remove(({ name }) => name !== 'a1' && name !== 'c1');
  expect([queue.weight(), queue.weight('a'), queue.keys()]).toEqual([2, 1, 2]);
  expect(take(9)).toEqual(['a1', 'c1']);
});

test('an item that was taken is not removed again', () => {
  const { queue, take } = queueOf('a1', 'a2', 'a3', 'a4');
  take(1);
  queue.remove(({ name }) => name !== 'a3');
  expect([queue.weight(), queue.keys()]).toEqual([1, 1]);
  expect(take(9)).toEqual(['a3']);
});

test('the newest item of the heaviest key is dropped', () => {
  const { queue, take } = queueOf('a1', 'a2', 'b1:3', 'b2:4', 'a3');
  expect(queue.dropFromLongest()?.name).toBe('b2:4');
  expect(queue.weight()).toBe(6);
  expect(queue.weight('b')).toBe(3);
  expect(queue.dropFromLongest()?.name).toBe('a3');
  expect(take(9)).toEqual(['a1', 'b1:3', 'a2']);
  expect(queue.dropFromLongest()).toBeUndefined();
  expect([queue.weight(), queue.weight('a'), queue.keys()]).toEqual([0, 0, 0]);
});

test('a key that is skipped keeps its rank, and the others go on', () => {
  const { queue, take } = queueOf('a1', 'a2', 'b1', 'c1', 'b2');
  const taken = queue.take(9, ({ key }) => (key === 'a' ? 'skip' : 'take'));
  expect(taken.map(({ name }) => name)).toEqual(['b1', 'c1', 'b2']);
  expect(take(9)).toEqual(['a1', 'a2']);
});

test('an item that is skipped takes no weight from the others', () => {
  const { queue } = queueOf('a1:5', 'b1', 'c1');
  const taken = queue.take(2, ({ key }) => (key === 'a' ? 'skip' : 'take'));
  expect(taken.map(({ name }) => name)).toEqual(['b1', 'c1']);
});

test('an item that ends the take is the next one', () => {
  const { queue, take } = queueOf('a1', 'b1', 'c1');
  const taken = queue.take(9, ({ key }) => (key === 'b' ? 'end' : 'take'));
  expect(taken.map(({ name }) => name)).toEqual(['a1']);
  expect(take(9)).toEqual(['b1', 'c1']);
});

test('a long backlog stays in order', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `a${String(index)}`);
  const { queue, take } = queueOf(...names.slice(0, 4_000));
  const first = take(3_000);
  for (const name of names.slice(4_000)) queue.push({ key: 'a', name, weight: 1 });
  expect([...first, ...take(9_999)]).toEqual(names);
  expect(queue.weight()).toBe(0);
});
