import { expect, test } from '@jest/globals';
import { acceptRequest, aDeletion, jobIds } from '../testing/deletions.ts';
import { outcomeOfUsedKey } from './accept-outcomes.ts';

test('a deletion that is found by its key, but not yet by its id, repeats its own request and replays none', () => {
  const request = acceptRequest(jobIds(2), { idempotencyKey: 'key' });
  const own = aDeletion(request.jobIds, { id: request.deletionId });
  expect(outcomeOfUsedKey(own, request)).toEqual({ kind: 'accepted', deletion: own, isRepeated: true });
  const earlier = aDeletion(request.jobIds);
  expect(outcomeOfUsedKey(earlier, request)).toEqual({ kind: 'replayed', deletion: earlier });
});
