import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { echo } from './echo.ts';

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
