import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMediaType, prefersAllErrors } from './header-syntax.ts';

describe('parseMediaType', () => {
  test('ignores the letter case of types and parameter names', () => {
    expect(parseMediaType('Application/JSON; CharSet=UTF-8')).toEqual({
      essence: 'application/json',
      parameters: [['charset', 'UTF-8']],
    });
  });

  test('unquotes a quoted value with separators and escapes', () => {
    const parameters = parseMediaType('a/b;x="; y=\\"1\\"" ; charset="utf\\-8"')?.parameters;
    expect(parameters).toEqual([
      ['x', '; y="1"'],
      ['charset', 'utf-8'],
    ]);
  });

  test('accepts empty parameters', () => {
    expect(parseMediaType('a/b;')?.parameters).toEqual([]);
    expect(parseMediaType('a/b ; ;x=1;')?.parameters).toEqual([['x', '1']]);
  });

  test('keeps a repeated parameter', () => {
    expect(parseMediaType('a/b;x=1;x=2')?.parameters).toHaveLength(2);
  });

  test.each([
    '',
    'a',
    'a/',
    '/b',
    'a /b',
    'a/b c',
    'a/b, a/b',
    'a/b;x',
    'a/b;x=',
    'a/b;x =1',
    'a/b;x="1',
    'a/b;x="1"2',
    'a/b;x="\u0001"',
    ' a/b',
    'a/b ',
    'a/b\n',
  ])('%j is no media type', (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });

  test('reads a long header in linear time', () => {
    expect(parseMediaType(`a/b;${';x="'.repeat(200_001)}`)).toBeUndefined();
    expect(parseMediaType(`a/b;x="${'\\\\'.repeat(200_000)}`)).toBeUndefined();
  });
});

describe('prefersAllErrors', () => {
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
});
