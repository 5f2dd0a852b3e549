import { expect, test } from '@jest/globals';
import { isDisplayName } from './display-name.ts';

test.each(['Acme', 'Société Générale, S. A.', '雇用', '🙂', 'x'.repeat(100)])('%j is a name', (text) => {
  expect(isDisplayName(text)).toBe(true);
});

test.each([
  '',
  '   ',
  'x'.repeat(101),
  'a\nb',
  'a\tb',
  '\u001b[31mred',
  'a\0b',
  '\u202Eevil',
  'a\u2028b',
  '\ud800',
])('%j is no name', (text) => {
  expect(isDisplayName(text)).toBe(false);
});
