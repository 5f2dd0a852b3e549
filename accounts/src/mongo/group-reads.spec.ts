import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import { groupReads, type GroupReadsOptions } from './group-reads.ts';

/** Records the keys of each read. A read waits for `answer`. `begun(n)` resolves when the nth read has begun. */
function setUp(options?: GroupReadsOptions) {
  const reads: string[] = [];
  const onRead = new EventEmitter();
  const answers: ((failure?: Error) => void)[] = [];
  const read = groupReads<string>((keys) => {
    reads.push(keys.join(' '));
    onRead.emit(String(reads.length));
    return new Promise((resolve, reject) => {
      const known = keys.filter((key) => key !== 'unknown');
      answers.push((failure) => {
        if (failure === undefined) resolve(new Map(known.map((key) => [key, key.toUpperCase()])));
        else reject(failure);
      });
    });
  }, options);
  const begun = (count: number) => once(onRead, String(count));
  return { read, reads, begun, answer: (index: number, failure?: Error) => answers[index]?.(failure) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const down = new Error('down');

test('the keys of one turn share a read, and each caller gets its own value', async () => {
  const { read, reads, answer } = setUp();
  const values = Promise.all(['a', 'b', 'unknown', 'a'].map(read));
  expect(reads).toEqual([]);
  await turn();
  expect(reads).toEqual(['a b unknown']);
  answer(0);
  expect(await values).toEqual(['A', 'B', undefined, 'A']);
});

test('while a read runs, keys wait for others', async () => {
  const { read, reads, begun, answer } = setUp({ gatherMs: 1 });
  const values = [read('a')];
  await turn();
  const second = begun(2);
  values.push(read('b'));
  await turn();
  values.push(read('c'));
  answer(0);
  expect(await values[0]).toBe('A');
  await second;
  expect(reads).toEqual(['a', 'b c']);
  answer(1);
  expect(await Promise.all(values)).toEqual(['A', 'B', 'C']);
});

test('a read has up to 100 keys', async () => {
  const { read, reads, begun, answer } = setUp();
  const keys = Array.from({ length: 101 }, (_, index) => `k${String(index)}`);
  const values = Promise.all(keys.map(read));
  await begun(2);
  expect(reads.map((each) => each.split(' ').length)).toEqual([100, 1]);
  answer(0);
  answer(1);
  expect(await values).toEqual(keys.map((key) => key.toUpperCase()));
});

test('a key that fails costs the others one repetition, and is read alone until it is read', async () => {
  const { read, reads, answer } = setUp();
  const values = Promise.allSettled(['a', 'b'].map(read));
  await turn();
  answer(0, down);
  await turn();
  expect(reads).toEqual(['a b', 'a', 'b']);
  answer(1);
  answer(2, down);
  expect(await values).toEqual([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: down },
  ]);

  const again = Promise.all(['a', 'c', 'b'].map(read));
  await turn();
  expect(reads.slice(3)).toEqual(['b', 'a c']);
  answer(3);
  answer(4);
  expect(await again).toEqual(['A', 'C', 'B']);
  void Promise.all(['a', 'b'].map(read));
  await turn();
  expect(reads.slice(5)).toEqual(['a b']);
});

test('the keys of a read that hangs are read alone', async () => {
  const { read, reads, begun, answer } = setUp({ lateMs: 1 });
  const values = Promise.all(['a', 'b'].map(read));
  await begun(3);
  expect(reads).toEqual(['a b', 'a', 'b']);
  answer(1);
  answer(2);
  expect(await values).toEqual(['A', 'B']);
});
