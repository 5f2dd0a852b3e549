import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '../answer/refusal.ts';
import { asciiTechnologyPattern, commonLanguagesPattern, idempotencyKeyPattern } from './header-patterns.ts';
import { readHeaders } from './read-headers.ts';
import { readLanguage } from './read-language.ts';

const accepts = (header: string, value: string) =>
  !isRefusal(
    readHeaders({
      'accept-language': ['en'],
      'user-agent': ['acme-client/1.0'],
      'x-client-lang': ['PHP'],
      [header]: [value],
    }),
  );

describe('every value of a published pattern is accepted', () => {
  test('Accept-Language', () => {
    fc.assert(
      fc.property(fc.stringMatching(commonLanguagesPattern), (value) => readLanguage(value) !== undefined),
    );
    expect(commonLanguagesPattern.test('fr-CA, en;q=0.8, *;q=0.1')).toBe(true);
    expect(commonLanguagesPattern.test('de')).toBe(false);
  });

  test('X-Client-Lang', () => {
    fc.assert(
      fc.property(fc.stringMatching(asciiTechnologyPattern), (value) => accepts('x-client-lang', value)),
    );
    expect(asciiTechnologyPattern.test('Visual Basic .NET')).toBe(true);
  });

  test('Idempotency-Key', () => {
    fc.assert(
      fc.property(fc.stringMatching(idempotencyKeyPattern), (value) => accepts('idempotency-key', value)),
    );
  });
});
