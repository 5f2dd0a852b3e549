import { describe, expect, test } from '@jest/globals';
import { parseMediaType } from './media-type.ts';

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
