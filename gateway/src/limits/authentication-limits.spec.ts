import { expect, test } from '@jest/globals';
import { createProvenCredentials, digestOf } from './authentication-limits.ts';

test('credentials are proven from their success until their failure', () => {
  const proven = createProvenCredentials();
  expect(proven.has('right')).toBe(false);
  proven.add('right');
  expect([proven.has('right'), proven.has('wrong')]).toEqual([true, false]);
  proven.delete('right');
  expect(proven.has('right')).toBe(false);
});

test('only the latest credentials stay in memory', () => {
  const proven = createProvenCredentials(2);
  for (const credentials of ['1', '2', '1', '3']) proven.add(credentials);
  expect(['1', '2', '3'].map(proven.has)).toEqual([true, false, true]);
});

test('a digest has every value of both headers, each in its place', () => {
  const digests = [
    { authorization: ['a'], usersecretkey: ['b'] },
    { authorization: ['b'], usersecretkey: ['a'] },
    { authorization: ['a', 'b'] },
    { usersecretkey: ['a', 'b'] },
    { authorization: ['a'] },
    {},
  ].map(digestOf);
  expect(new Set(digests).size).toBe(6);
  expect(digestOf({ authorization: ['a'], usersecretkey: ['b'], origin: ['c'] })).toBe(digests[0]);
});
