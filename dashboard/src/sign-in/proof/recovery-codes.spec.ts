import { expect, test } from '@jest/globals';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';

test('ten codes differ and are easy to type', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
});

test('letter case, spaces and hyphens do not matter', () => {
  const hash = hashRecoveryCode('abcd-efgh-jkmn-pqrs');
  expect(hash).toHaveLength(32);
  expect(hashRecoveryCode(' ABCD efgh jkmnpqrs ')).toEqual(hash);
  expect(hashRecoveryCode('abcd-efgh-jkmn-pqrt')).not.toEqual(hash);
});
