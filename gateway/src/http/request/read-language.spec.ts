import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { languages } from '../../messages/messages.ts';
import { readLanguage } from './read-language.ts';

describe('readLanguage', () => {
  test.each([
    ['fr', 'fr'],
    ['en', 'en'],
    ['es', 'es'],
    ['EN', 'en'],
    ['fr-CA', 'fr'],
    ['EN-us', 'en'],
    ['es-419', 'es'],
    ['zh-Hant-TW, en-GB', 'en'],
    ['*', 'fr'],
  ])('%s is answered in %s', (header, language) => {
    expect(readLanguage(header)).toBe(language);
  });

  test.each([
    ['fr;q=0.5, en;q=0.9', 'en'],
    ['fr;q=0.999, en', 'en'],
    ['de, es;q=0.1', 'es'],
    ['en ; Q=0.3 ,\tfr\t;\tq=0.2', 'en'],
    ['en;q=0., es;q=1.', 'es'],
    ['en;q=0.2, es;q=0.5, en;q=0.9', 'en'],
  ])('%s: the highest weight wins', (header, language) => {
    expect(readLanguage(header)).toBe(language);
  });

  test('among equal weights the first listed wins', () => {
    expect(readLanguage('es, fr, en')).toBe('es');
    expect(readLanguage('en;q=0.5,fr;q=0.50')).toBe('en');
    expect(readLanguage('en, *')).toBe('en');
    expect(readLanguage('*, en')).toBe('fr');
    expect(readLanguage('es, en, es')).toBe('es');
    expect(readLanguage('es;q=0.1, en, es')).toBe('en');
  });

  test('a weight of zero excludes', () => {
    expect(readLanguage('fr;q=0, en;q=0.1')).toBe('en');
    expect(readLanguage('fr;q=0, fr-CA, es;q=0.1')).toBe('es');
    expect(readLanguage('fr-CA;q=0, fr')).toBe('fr');
    expect(readLanguage('fr;q=0.000')).toBeUndefined();
    expect(readLanguage('fr-CA;q=0')).toBeUndefined();
    expect(readLanguage('*;q=0')).toBeUndefined();
    expect(readLanguage('*;q=0, es;q=0.3')).toBe('es');
  });

  test('the wildcard means French, or the first unlisted language when French is excluded', () => {
    expect(readLanguage('de, *;q=0.1')).toBe('fr');
    expect(readLanguage('en;q=0.2, *')).toBe('fr');
    expect(readLanguage('fr;q=0.1, en;q=0.2, *')).toBe('fr');
    expect(readLanguage('fr;q=0, fr-CA, *')).toBe('en');
    expect(readLanguage('fr;q=0, *')).toBe('en');
    expect(readLanguage('fr-CA;q=0, *')).toBe('en');
    expect(readLanguage('fr;q=0, en;q=0, *')).toBe('es');
    expect(readLanguage('fr;q=0, en;q=0.3, *;q=0.5')).toBe('es');
    expect(readLanguage('fr;q=0, en;q=0, es;q=0, *')).toBeUndefined();
    expect(readLanguage('fr;q=0, en;q=0.2, es;q=0, *')).toBe('en');
  });

  test('empty members of the list are ignored', () => {
    expect(readLanguage(' ,, en ,')).toBe('en');
    expect(readLanguage(',')).toBeUndefined();
  });

  test.each([
    undefined,
    '',
    'de',
    'french',
    'fra',
    'fr_CA',
    'fr-',
    'fr-*',
    '-fr',
    'fr en',
    'fr;en',
    'fr;q',
    'fr;q=',
    'fr;q=2',
    'fr;q=1.001',
    'fr;q=0.1234',
    'fr;q=-1',
    'fr;q =1',
    'fr;q=.5',
    'fr;q=1;q=1',
    'fr;level=1',
    'fr\u00a0',
    'fr\n',
    'en, ?',
    'abcdefghi',
    'fr-abcdefghi',
  ])('%j is invalid', (header) => {
    expect(readLanguage(header)).toBeUndefined();
  });

  test('the language with the highest weight wins', () => {
    const lists = fc.uniqueArray(
      fc.record({ language: fc.constantFrom(...languages), weight: fc.integer({ min: 1, max: 1000 }) }),
      {
        selector: ({ weight }) => weight,
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(lists, (list) => {
        const header = list
          .map(({ language, weight }) => `${language};q=${(weight / 1000).toFixed(3)}`)
          .join(', ');
        const heaviest = list.reduce((best, next) => (next.weight > best.weight ? next : best));
        expect(readLanguage(header)).toBe(heaviest.language);
      }),
    );
  });

  test('reads a long header in linear time', () => {
    expect(readLanguage(`en${' '.repeat(500_000)}x`)).toBeUndefined();
    expect(readLanguage(`a${'-a'.repeat(250_000)}!`)).toBeUndefined();
    expect(readLanguage('*;q=0.1,fr-a;q=0,'.repeat(30_000))).toBe('en');
  });
});
