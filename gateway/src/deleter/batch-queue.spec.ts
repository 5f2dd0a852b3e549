import { expect, test } from '@jest/globals';
import { createBatchQueue } from './batch-queue.ts';

const queueOf = (items: readonly string[], maxWeight = 4) => {
  const queue = createBatchQueue<string>({ keyOf: ([key = '']) => key, weigh: () => 1, maxWeight });
  for (const item of items) queue.push(item);
  return queue;
};

test('accounts take turns, so a flood of one does not delay the calls of another', () => {
  const queue = queueOf(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1']);
  expect(queue.take()).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(queue.take()).toEqual(['a3', 'a4', 'a5']);
  expect(queue.isEmpty()).toBe(true);
  expect(queue.take()).toEqual([]);
});

test('an item that was put back leaves before all others', () => {
  const queue = queueOf(['a1', 'b1', 'a2', 'b2'], 2);
  const [first = ''] = queue.take();
  queue.putBack(first);
  expect(queue.take()).toEqual(['a1']);
  expect(queue.take()).toEqual(['a2', 'b2']);
});
