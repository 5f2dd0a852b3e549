import { expect, test } from '@jest/globals';
import { readBearer } from './read-bearer.ts';

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc'])('%j carries a token', (value) => {
  expect(readBearer([value])).toEqual({ token: 'abc' });
});

test('a token may hold all that RFC 6750 allows', () => {
  expect(readBearer(['Bearer azAZ09-._~+/=='])).toEqual({ token: 'azAZ09-._~+/==' });
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Bearer\tabc',
  'Bearerabc',
  'Basic abc',
  'Bearer =',
  'Bearer a=b',
  'Bearer a b',
  'Bearer a,b',
  'Bearer "abc"',
  'Bearer é',
  'Bearer abc\n',
  ' Bearer abc',
])('%j carries none', (value) => {
  expect(readBearer([value])).toBe('missing');
});

test('no header and a repeated header carry none', () => {
  expect(readBearer(undefined)).toBe('missing');
  expect(readBearer([])).toBe('missing');
  expect(readBearer(['Bearer abc', 'Bearer abc'])).toBe('missing');
});
