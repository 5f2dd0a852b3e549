import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { seal, stepOf, totpOf, unseal } from './totp.ts';

// The test vectors of RFC 6238 for SHA-1, with six digits.
const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [2_000_000_000, '279037'],
])('at %i s, the code is %s', (seconds, code) => {
  expect(stepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test('a code counts one step earlier and later, and has the number of its own step', () => {
  const code = totpOf(secret, '').generate({ timestamp: 3_000_000 });
  const stepsAt = [-60_000, -30_000, 0, 30_000, 60_000].map((ms) => stepOf(secret, code, 3_000_000 + ms));
  expect(stepsAt).toEqual([undefined, 100, 100, 100, undefined]);
});

test('a sealed secret opens only with one of its keys, for its purpose, and unchanged', () => {
  const [key, previous, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const sealed = seal(previous, secret, 'ada');
  expect(sealed.includes(secret)).toBe(false);
  expect(unseal([key, previous], sealed, 'ada')).toEqual(secret);
  expect(unseal([key, other], sealed, 'ada')).toBeUndefined();
  expect(unseal([previous], sealed, 'bob')).toBeUndefined();
  for (const index of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(unseal([previous], changed, 'ada')).toBeUndefined();
  }
  expect(unseal([previous], sealed.subarray(0, 28), 'ada')).toBeUndefined();
});
