import { beforeEach, expect, test } from '@jest/globals';
import { createReadCache } from './read-cache.ts';

type Value = { readonly text: string };
let nowMs: number;
let stored: Map<string, Value>;
let reads: string[];

beforeEach(() => {
  nowMs = 1_000_000;
  stored = new Map(['a', 'b', 'c', 'd'].map((key) => [key, { text: key }]));
  reads = [];
});

const newCache = (maxEntries = 3, read = (key: string) => Promise.resolve(stored.get(key))) =>
  createReadCache({
    now: () => nowMs,
    maxAgeMs: 5_000,
    maxEntries,
    read: (key) => {
      reads.push(key);
      return read(key);
    },
  });

/** Reads that answer when the test says so. */
const controlled = () => {
  const answers: ((value: Value | undefined | Error) => void)[] = [];
  const read = () =>
    new Promise<Value | undefined>((resolve, reject) => {
      answers.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
    });
  return { answers, read };
};

test('a value is answered from memory until its maximum age', async () => {
  const cache = newCache();
  expect(await cache('a')).toEqual({ text: 'a' });
  stored.set('a', { text: 'changed' });
  nowMs += 4_999;
  expect(await cache('a')).toEqual({ text: 'a' });
  nowMs += 1;
  expect(await cache('a')).toEqual({ text: 'changed' });
  expect(reads).toEqual(['a', 'a']);
});

test('reading an entry does not extend its age', async () => {
  const cache = newCache();
  for (let step = 0; step < 12; step++) {
    await cache('a');
    nowMs += 1_000;
  }
  expect(reads).toHaveLength(3);
});

test('the age counts from the start of the read, not from its end', async () => {
  const { answers, read } = controlled();
  const cache = newCache(3, read);
  const first = cache('a');
  nowMs += 4_000;
  answers[0]?.({ text: 'old' });
  expect(await first).toEqual({ text: 'old' });
  nowMs += 1_000;
  const second = cache('a');
  answers[1]?.({ text: 'new' });
  expect(await second).toEqual({ text: 'new' });
});

test('a clock that is set back makes entries old', async () => {
  const cache = newCache();
  await cache('a');
  nowMs -= 3_600_000;
  await cache('a');
  expect(reads).toEqual(['a', 'a']);
});

test('concurrent callers share one read', async () => {
  const cache = newCache();
  const answers = await Promise.all([cache('a'), cache('a'), cache('b'), cache('a')]);
  expect(answers.map((value) => value?.text)).toEqual(['a', 'a', 'b', 'a']);
  expect(reads).toEqual(['a', 'b']);
});

test('a read that hangs is shared until the maximum age only, and does not overwrite a later one', async () => {
  const { answers, read } = controlled();
  const cache = newCache(3, read);
  const hanging = cache('a');
  nowMs += 5_000;
  const later = cache('a');
  answers[1]?.({ text: 'new' });
  expect(await later).toEqual({ text: 'new' });
  answers[0]?.({ text: 'old' });
  expect(await hanging).toEqual({ text: 'old' });
  expect(await cache('a')).toEqual({ text: 'new' });
  expect(reads).toHaveLength(2);
});

test('a key without a value is remembered for its own maximum age, and drops no entry', async () => {
  const cache = createReadCache({
    now: () => nowMs,
    maxAgeMs: 5_000,
    maxUnknownAgeMs: 1_000,
    maxEntries: 3,
    read: (key) => (reads.push(key), Promise.resolve(stored.get(key))),
  });
  await cache('a');
  for (const key of ['x', 'y', 'z', 'z', 'z']) expect(await cache(key)).toBeUndefined();
  expect(reads).toEqual(['a', 'x', 'y', 'z']);
  stored.set('z', { text: 'made since' });
  nowMs += 999;
  expect(await cache('z')).toBeUndefined();
  nowMs += 1;
  expect(await cache('z')).toEqual({ text: 'made since' });
  expect(await cache('a')).toEqual({ text: 'a' });
  expect(reads).toEqual(['a', 'x', 'y', 'z', 'z']);
});

test('a hit is a value or a lack of one in memory, or a read that other callers share', async () => {
  const hits: boolean[] = [];
  const cache = createReadCache({
    now: () => nowMs,
    maxAgeMs: 5_000,
    maxUnknownAgeMs: 1_000,
    maxEntries: 3,
    read: (key) => Promise.resolve(stored.get(key)),
    onGet: (isHit) => hits.push(isHit),
  });
  await Promise.all([cache('a'), cache('a')]);
  await cache('a');
  expect(hits).toEqual([false, true, true]);
  await cache('x');
  await cache('x');
  expect(hits.slice(3)).toEqual([false, true]);
});

test('by default, a missing value is read each time, and drops no entry', async () => {
  const cache = newCache();
  await cache('a');
  for (let guess = 0; guess < 100; guess++) expect(await cache(`unknown-${guess}`)).toBeUndefined();
  expect(await cache('unknown-0')).toBeUndefined();
  await cache('a');
  expect(reads).toHaveLength(102);
  stored.set('unknown-0', { text: 'made since' });
  expect(await cache('unknown-0')).toEqual({ text: 'made since' });
});

test('a failed read fails for all its callers, and is not cached', async () => {
  const { answers, read } = controlled();
  const cache = newCache(3, read);
  const both = Promise.allSettled([cache('a'), cache('a')]);
  answers[0]?.(new Error('down'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = cache('a');
  answers[1]?.({ text: 'up' });
  expect(await again).toEqual({ text: 'up' });
});

test('the least recently used entry is dropped', async () => {
  const cache = newCache(3);
  for (const key of ['a', 'b', 'c', 'a', 'd']) await cache(key);
  expect(reads).toEqual(['a', 'b', 'c', 'd']);
  reads = [];
  for (const key of ['a', 'c', 'd']) await cache(key);
  expect(reads).toEqual([]);
  await cache('b');
  expect(reads).toEqual(['b']);
});

test('callers still share the new read after the slow one it replaced ends', async () => {
  const { answers, read } = controlled();
  const cache = newCache(3, read);
  const slow = cache('a');
  nowMs += 5_000;
  const next = cache('a');
  answers[0]?.({ text: 'old' });
  expect(await slow).toEqual({ text: 'old' });
  await new Promise(setImmediate);
  const shared = cache('a');
  expect(reads).toHaveLength(2);
  answers[1]?.({ text: 'new' });
  expect(await Promise.all([next, shared])).toEqual([{ text: 'new' }, { text: 'new' }]);
});
