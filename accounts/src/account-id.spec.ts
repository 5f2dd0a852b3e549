import { expect, test } from '@jest/globals';
import { isAccountId, newAccountId } from './account-id.ts';

test.each(['a', 'acme', 'Acme_2-x', '-', '0', 'a'.repeat(64)])('%j is an account id', (text) => {
  expect(isAccountId(text)).toBe(true);
});

test.each(['', 'a'.repeat(65), 'a b', 'a/b', 'a.b', 'é', 'acme\n', '\nacme', 'acme\0', 'a%20'])(
  '%j is no account id',
  (text) => {
    expect(isAccountId(text)).toBe(false);
  },
);

test('a new account id is one, and another each time', () => {
  const ids = Array.from({ length: 1_000 }, newAccountId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => isAccountId(id) && id.startsWith('acc_'))).toBe(true);
});
