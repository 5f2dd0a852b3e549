import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countCovered, type ClaimRange } from './removed-parts.ts';

test('the claims that recorded parts cover are counted once, in any order', () => {
  const total = 3_500;
  const range = fc
    .tuple(fc.integer({ min: 0, max: total - 1 }), fc.integer({ min: 1, max: total }))
    .map(([from, size]): ClaimRange => ({ from, to: Math.min(from + size, total) }));
  fc.assert(
    fc.property(fc.array(range), (ranges) => {
      const covered = new Set<number>();
      for (const { from, to } of ranges) for (let at = from; at < to; at++) covered.add(at);
      expect(countCovered(ranges, total)).toBe(covered.size);
    }),
  );
});
