import { describe, expect, test } from '@jest/globals';
import { isJobId } from './ids.ts';

describe("a job's id", () => {
  test.each(['abcd', '0000', 'AbC9', 'x'.repeat(128)])('may be %s', (id) => {
    expect(isJobId(id)).toBe(true);
  });

  test.each(['', 'abc', 'x'.repeat(129), 'ab-c', 'ab c', 'abcd\n', '\nabcd', 'abcdé', 'аbсd', '１２３４'])(
    'may not be %j',
    (id) => {
      expect(isJobId(id)).toBe(false);
    },
  );

  test.each([undefined, null, 1234, ['abcd'], { toString: () => 'abcd' }])('is a string, not %p', (id) => {
    expect(isJobId(id)).toBe(false);
  });
});
