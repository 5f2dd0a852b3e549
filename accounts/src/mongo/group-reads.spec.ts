import { expect, test } from '@jest/globals';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import { within } from '@jobs-delete/runtime/testing/within';
import { groupReads } from './group-reads.ts';

const [gatherMs, lateMs] = [5, 250];

/** Records the keys of each read. A read waits for `answer`. */
function setUp() {
  const clock = createVirtualClock();
  const reads: string[] = [];
  const answers: ((failure?: Error) => void)[] = [];
  const read = groupReads<string>(
    (keys) => {
      reads.push(keys.join(' '));
      return new Promise((resolve, reject) => {
        const known = keys.filter((key) => key !== 'unknown');
        answers.push((failure) => {
          if (failure === undefined) resolve(new Map(known.map((key) => [key, key.toUpperCase()])));
          else reject(failure);
        });
      });
    },
    { gatherMs, lateMs, clock },
  );
  const valuesOf = async (values: readonly Promise<string | undefined>[]) => {
    const hung = () => `every value; the reads were: ${reads.join(', ')}`;
    const outcomes = await within(Promise.allSettled(values), hung);
    return outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)));
  };
  return {
    clock,
    read,
    reads,
    valuesOf,
    answer: (index: number, failure?: Error) => answers[index]?.(failure),
  };
}

const down = new Error('down');

test('the keys of one turn share a read, and each caller gets its own value', async () => {
  const { clock, read, reads, valuesOf, answer } = setUp();
  const values = ['a', 'b', 'unknown', 'a'].map(read);
  expect(reads).toEqual([]);
  await clock.settle();
  expect(reads).toEqual(['a b unknown']);
  answer(0);
  expect(await valuesOf(values)).toEqual(['A', 'B', undefined, 'A']);
});

test('while a read runs, keys wait for others', async () => {
  const { clock, read, reads, valuesOf, answer } = setUp();
  const values = [read('a')];
  await clock.settle();
  values.push(read('b'));
  await clock.advance(gatherMs - 1);
  values.push(read('c'));
  answer(0);
  expect(await valuesOf(values.slice(0, 1))).toEqual(['A']);
  expect(reads).toEqual(['a']);
  await clock.advance(1);
  expect(reads).toEqual(['a', 'b c']);
  answer(1);
  expect(await valuesOf(values)).toEqual(['A', 'B', 'C']);
});

test('a read has up to 100 keys', async () => {
  const { clock, read, reads, valuesOf, answer } = setUp();
  const keys = Array.from({ length: 101 }, (_, index) => `k${String(index)}`);
  const values = keys.map(read);
  await clock.settle();
  expect(reads.map((each) => each.split(' ').length)).toEqual([100, 1]);
  answer(0);
  answer(1);
  expect(await valuesOf(values)).toEqual(keys.map((key) => key.toUpperCase()));
});

test('a key that fails costs the others one repetition, and is read alone until it is read', async () => {
  const { clock, read, reads, valuesOf, answer } = setUp();
  const values = ['a', 'b'].map(read);
  await clock.settle();
  answer(0, down);
  await clock.settle();
  expect(reads).toEqual(['a b', 'a', 'b']);
  answer(1);
  answer(2, down);
  expect(await valuesOf(values)).toEqual(['A', down]);

  const again = ['a', 'c', 'b'].map(read);
  await clock.settle();
  expect(reads.slice(3)).toEqual(['b', 'a c']);
  answer(3);
  answer(4);
  expect(await valuesOf(again)).toEqual(['A', 'C', 'B']);
  void Promise.all(['a', 'b'].map(read));
  await clock.settle();
  expect(reads.slice(5)).toEqual(['a b']);
});

test('the keys of a read that hangs are read alone', async () => {
  const { clock, read, reads, valuesOf, answer } = setUp();
  const values = ['a', 'b'].map(read);
  await clock.advance(lateMs - 1);
  expect(reads).toEqual(['a b']);
  await clock.advance(1);
  expect(reads).toEqual(['a b', 'a', 'b']);
  answer(1);
  answer(2);
  expect(await valuesOf(values)).toEqual(['A', 'B']);
});

test('a read that throws at once rejects each of its keys', async () => {
  const clock = createVirtualClock();
  const fail = () => {
    throw down;
  };
  const read = groupReads<string>(fail, { clock });
  const values = Promise.allSettled(['a', 'b'].map(read));
  await clock.settle();
  expect(await within(values, () => 'both keys')).toMatchObject([{ reason: down }, { reason: down }]);
});
