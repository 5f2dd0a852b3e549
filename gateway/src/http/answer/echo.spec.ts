import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { echo, excerpt, visible } from './echo.ts';

test('a value of up to 128 characters is not changed', () => {
  expect(echo('x'.repeat(128))).toBe('x'.repeat(128));
});

test('a longer value is cut to 128 characters', () => {
  expect(echo('x'.repeat(129))).toBe('x'.repeat(128));
});

test('the cut leaves no half of a surrogate pair', () => {
  expect(echo('x'.repeat(127) + '😀')).toBe('x'.repeat(127));
  expect(echo('x'.repeat(126) + '😀y')).toBe('x'.repeat(126) + '😀');
});

test('a lone surrogate is replaced', () => {
  expect(echo('a\uD800b\uDC00')).toBe('a\uFFFDb\uFFFD');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
      expect(Buffer.from(echo(value), 'utf8').toString('utf8')).toBe(echo(value));
      expect(echo(value).length).toBeLessThanOrEqual(128);
    }),
  );
});

test.each([
  ['a whole token', `jdt_${'0'.repeat(24)}_${'1'.repeat(64)}`, 'jdt_…'],
  ['a secret key in other text', `Bearer jds_${'a'.repeat(24)}_${'b'.repeat(64)}; x`, 'Bearer jds_…; x'],
  ['a token in upper case', `JDT_${'A'.repeat(24)}_${'B'.repeat(64)}`, 'JDT_…'],
  ['half a token', 'jdt_0123456789abcdef', 'jdt_…'],
  ['two credentials', `jdt_${'0'.repeat(24)}_${'1'.repeat(20)},jds_${'0'.repeat(24)}`, 'jdt_…,jds_…'],
])('%s is not repeated', (_, value, repeated) => {
  expect(echo(value)).toBe(repeated);
});

test('a credential is not repeated wherever the cut is', () => {
  const token = `jdt_${'0'.repeat(24)}_${'1'.repeat(64)}`;
  for (let before = 0; before <= 128; before++)
    expect(echo('-'.repeat(before) + token)).not.toMatch(/jdt_[0-9a-f]{8}/);
});

test('a character that nobody can see is spelt as its code point', () => {
  const seen = ['a', "'", '😀', ' ', '\n', '\u0000', '\u00a0', '\u202e'].map(visible);
  expect(seen).toEqual(['a', "'", '😀', 'U+0020', 'U+000A', 'U+0000', 'U+00A0', 'U+202E']);
});

test('an excerpt has 64 characters, and marks that there are more', () => {
  expect(excerpt('x'.repeat(64))).toBe('x'.repeat(64));
  expect(excerpt('x'.repeat(65))).toBe(`${'x'.repeat(64)}…`);
  expect(excerpt(`${'x'.repeat(63)}😀`)).toBe(`${'x'.repeat(63)}…`);
  expect(excerpt(`jdt_${'0'.repeat(24)}_${'1'.repeat(64)}`)).toBe('jdt_……');
});
