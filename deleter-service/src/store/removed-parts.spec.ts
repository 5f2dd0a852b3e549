import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countCovered, toRecordedPart, type ClaimRange } from './removed-parts.ts';

test('a part of 1,000 claims is recorded by its number, as earlier releases do', () => {
  expect(toRecordedPart({ from: 0, to: 1_000 }, 2_500)).toBe(0);
  expect(toRecordedPart({ from: 1_000, to: 2_000 }, 2_500)).toBe(1);
  expect(toRecordedPart({ from: 2_000, to: 2_500 }, 2_500)).toBe(2);
});

test('any other part is recorded by its range', () => {
  expect(toRecordedPart({ from: 0, to: 999 }, 2_500)).toEqual({ from: 0, to: 999 });
  expect(toRecordedPart({ from: 1_000, to: 2_500 }, 2_500)).toEqual({ from: 1_000, to: 2_500 });
  expect(toRecordedPart({ from: 1_500, to: 2_500 }, 2_500)).toEqual({ from: 1_500, to: 2_500 });
});

test('the claims that recorded parts cover are counted once, in any order', () => {
  const total = 3_500;
  const range = fc
    .tuple(fc.integer({ min: 0, max: total - 1 }), fc.integer({ min: 1, max: total }))
    .map(([from, size]): ClaimRange => ({ from, to: Math.min(from + size, total) }));
  fc.assert(
    fc.property(fc.array(range), fc.array(fc.nat(3)), (some, numbers) => {
      const covered = new Set<number>();
      const add = ({ from, to }: ClaimRange) => {
        for (let at = from; at < to; at++) covered.add(at);
      };
      for (const each of some) add(each);
      for (const number of numbers) add({ from: number * 1_000, to: Math.min(total, (number + 1) * 1_000) });
      const recorded = [...some.map((each) => toRecordedPart(each, total)), ...numbers];
      expect(countCovered(recorded, total)).toBe(covered.size);
    }),
  );
});
