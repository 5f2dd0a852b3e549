import { expect, test } from '@jest/globals';
import { createSharedReads, inTime } from './late-value.ts';

/** A slow read, whose answers come when the test says so. */
function slowReads() {
  const reads: PromiseWithResolvers<string>[] = [];
  const shared = createSharedReads<string>();
  const read = (key: string) =>
    shared(key, () => {
      const one = withResolvers();
      reads.push(one);
      return one.promise;
    });
  return { reads, read };
}

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: Error): void;
}

function withResolvers(): PromiseWithResolvers<string> {
  let [resolve, reject]: [(value: string) => void, (error: Error) => void] = [() => 0, () => 0];
  const promise = new Promise<string>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

test('concurrent calls with one key share a read, and a later call reads again', async () => {
  const { reads, read } = slowReads();
  const calls = [read('acme'), read('acme')];
  void read('other');
  expect(reads).toHaveLength(2);
  reads[0]?.resolve('first');
  expect(await Promise.all(calls)).toEqual(['first', 'first']);
  void read('acme');
  expect(reads).toHaveLength(3);
});

test('a failed read is not remembered', async () => {
  const { reads, read } = slowReads();
  const failed = read('acme');
  reads[0]?.reject(new Error('no answer'));
  await expect(failed).rejects.toThrow('no answer');
  const again = read('acme');
  reads[1]?.resolve('second');
  expect(await again).toBe('second');
});

test('a page does not wait for a slow read, and a later call shares it', async () => {
  const { reads, read } = slowReads();
  expect(await inTime(read('acme'), 0)).toBeUndefined();
  const late = read('acme');
  reads[0]?.resolve('first');
  expect(await late).toBe('first');
  expect(reads).toHaveLength(1);
});

test('a read that fails after the page has left it hurts nothing', async () => {
  const { reads, read } = slowReads();
  expect(await inTime(read('acme'), 0)).toBeUndefined();
  reads[0]?.reject(new Error('no answer'));
  // An unhandled rejection would end the process.
  await new Promise(setImmediate);
  void read('acme');
  expect(reads).toHaveLength(2);
});
