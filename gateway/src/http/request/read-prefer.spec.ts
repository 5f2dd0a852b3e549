import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prefersAllErrors } from './read-prefer.ts';

test.each([
  ['errors=all'],
  ['Errors = ALL'],
  ['errors="all"'],
  ['errors="a\\ll"'],
  ['respond-async, wait=10 , errors=all'],
  ['return=minimal; foo="a, b" ;; bar=, ,errors=all;x=y'],
  ['respond-async', 'errors=all'],
  ['', '\terrors\t=\tall\t'],
  ['errors=all, errors=first'],
  ['errors=all, @'],
])('%j prefers all errors', (...values) => {
  expect(prefersAllErrors(values)).toBe(true);
});

test.each([
  [],
  [''],
  ['errors'],
  ['errors='],
  ['errors=""'],
  ['errors=first'],
  ['errors=alle'],
  ['errors="all'],
  ['error=all'],
  ['errors=first, errors=all'],
  ['errors; x=y, errors=all'],
  ['foo="errors=all"'],
  ['foo=", errors=all, "'],
  ['foo; errors=all'],
  ['return minimal, errors=all'],
  ['@', 'errors=all'],
])('%j does not', (...values) => {
  expect(prefersAllErrors(values)).toBe(false);
});

test('any other text is ignored', () => {
  expect(prefersAllErrors(undefined)).toBe(false);
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: fc.constantFrom('error', 's', '=', 'al', 'l', ';', ',', '"', ' ', '\t', '\\') }),
      ),
      (values) => {
        expect(typeof prefersAllErrors(values)).toBe('boolean');
      },
    ),
  );
});

test.each([' ', 'a', 'a=', ';', ',', '"', '\\', 'a; '])('many of %j take linear time', (piece) => {
  // A quadratic search would take minutes.
  expect(prefersAllErrors([`x${piece.repeat(300_000)}@`])).toBe(false);
});
