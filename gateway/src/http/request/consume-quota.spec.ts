import { expect, test } from '@jest/globals';
import { sentence } from '../../messages/messages.ts';
import { tooManyRequests } from './consume-quota.ts';

test.each([
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [59_999, 60],
])('when the window ends in %d ms, Retry-After is %d s', (resetMs, seconds) => {
  expect(tooManyRequests('requests', resetMs, { quota: 5, window: 60 })).toEqual({
    code: 'too_many_requests',
    retryAfterSeconds: seconds,
    limit: 'requests',
    detail: [sentence('requests_exceeded', { quota: 5, window: 60, seconds })],
  });
});
