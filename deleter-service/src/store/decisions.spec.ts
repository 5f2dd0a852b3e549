import { expect, test } from '@jest/globals';
import { acceptRequest, aDeletion, jobIds } from '../testing/deletions.ts';
import { outcomeOfUsedKey, countCovered, type ClaimRange } from './decisions.ts';
import fc from 'fast-check';

test('a deletion that is found by its key, but not yet by its id, repeats its own request and replays none', () => {
  const request = acceptRequest(jobIds(2), { idempotencyKey: 'key' });
  const own = aDeletion(request.jobIds, { id: request.deletionId });
  expect(outcomeOfUsedKey(own, request)).toEqual({ kind: 'accepted', deletion: own, isRepeated: true });
  const earlier = aDeletion(request.jobIds);
  expect(outcomeOfUsedKey(earlier, request)).toEqual({ kind: 'replayed', deletion: earlier });
});

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
