import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errnoOf } from './errno-of.ts';

test('a failed system call has its code, anything else none', () => {
  try {
    readFileSync('/nowhere/at/all');
  } catch (error) {
    expect(errnoOf(error)).toBe('ENOENT');
  }
  for (const thrown of [new Error('x'), 'ENOENT', undefined, null, { code: 5 }]) {
    expect(errnoOf(thrown)).toBeUndefined();
  }
  expect.assertions(6);
});
