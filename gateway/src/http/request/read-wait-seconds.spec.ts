import { expect, test } from '@jest/globals';
import { readWaitSeconds } from './read-wait-seconds.ts';

test.each([
  ['/v1/deletions/x', 0],
  ['/v1/deletions/x?', 0],
  ['/v1/deletions/x?other=1', 0],
  ['/v1/deletions/x?wait=0', 0],
  ['/v1/deletions/x?wait=7&other=1', 7],
  ['/v1/deletions/x?other=1&wait=30', 30],
])('%s waits for %i seconds', (url, seconds) => {
  expect(readWaitSeconds(url)).toBe(seconds);
});

test.each(['', '31', '-1', '1.5', '01', '1e1', ' 1', '1s', '99999999999', '1&wait=1'])(
  'wait=%s is refused',
  (text) => {
    expect(readWaitSeconds(`/v1/deletions/x?wait=${text}`)).toEqual({
      code: 'query_invalid',
      parameter: 'wait',
    });
  },
);
