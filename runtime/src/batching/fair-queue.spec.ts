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
