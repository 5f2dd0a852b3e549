import { expect, test } from '@jest/globals';
import { readBearerToken } from './check-credentials.ts';

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc'])('%j carries a token', (value) => {
  expect(readBearerToken([value])).toBe('abc');
});

test('a token may contain every character that RFC 6750 allows', () => {
  expect(readBearerToken(['Bearer azAZ09-._~+/=='])).toBe('azAZ09-._~+/==');
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
])('%j carries no token', (value) => {
  expect(readBearerToken([value])).toBeUndefined();
});

test('an absent and a repeated header carry no token', () => {
  expect(readBearerToken(undefined)).toBeUndefined();
  expect(readBearerToken([])).toBeUndefined();
  expect(readBearerToken(['Bearer abc', 'Bearer abc'])).toBeUndefined();
});
