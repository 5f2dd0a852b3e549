import { expect, test } from '@jest/globals';
import { tooManyRequests } from './consume-from-limit.ts';

test.each([
  [0, 1],
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [59_999, 60],
])('with %d ms left of a window, Retry-After is %d s, and never too early', (resetMs, seconds) => {
  expect(tooManyRequests('requests', resetMs)).toEqual({
    code: 'too_many_requests',
    retryAfterSeconds: seconds,
    limit: 'requests',
  });
});
