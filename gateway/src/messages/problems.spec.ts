import { expect, test } from '@jest/globals';
import { languages } from './messages.ts';
import { problemTable, problemTexts, problemTitle } from './problems.ts';

test('every problem has a name for its address', () => {
  for (const { code, name } of problemTable) expect(name).toBe(code.replaceAll('_', '-'));
});

test('each problem has its title, its meaning and what to do, in every language', () => {
  for (const { code } of problemTable) {
    for (const language of languages) {
      const { meaning, remedy } = problemTexts(language, code);
      expect(problemTitle(language, code)).not.toMatch(/[{}]/);
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[\p{Lu}`].*\.$/u);
    }
  }
});

test('the texts have pairs of backticks, and the typographic apostrophe in French', () => {
  for (const { code } of problemTable) {
    const [french = '', ...others] = languages.map((language) => {
      const { meaning, remedy } = problemTexts(language, code);
      return `${meaning} ${remedy}`;
    });
    for (const all of [french, ...others]) expect(all.split('`').length % 2).toBe(1);
    expect(french).not.toMatch(/\p{L}'\p{L}/u);
  }
});

test('the three languages name the same values', () => {
  const values = (sentence: string) =>
    [...sentence.matchAll(/`([^`]+)`/g)]
      .map(([, value = '']) => value)
      // An example of a value differs between languages.
      .filter(
        (value) =>
          !/^(?:Authorization: |[a-z-]+\/[\p{L}\d.]+$)/u.test(value) || value.startsWith('application/'),
      )
      .sort();
  for (const { code } of problemTable) {
    for (const part of ['meaning', 'remedy'] as const) {
      const [french, ...others] = languages.map((language) => values(problemTexts(language, code)[part]));
      expect(others).toEqual([french, french]);
    }
  }
});
