import { expect, test } from '@jest/globals';
import { languages, text } from '../../messages/messages.ts';
import { problemTable, statusOf } from './problem-table.ts';

test('the table has every problem once, with a name for its address', () => {
  expect(Object.fromEntries(problemTable.map(({ code, status }) => [code, status]))).toEqual(statusOf);
  for (const { code, name } of problemTable) expect(name).toBe(code.replaceAll('_', '-'));
});

test('each problem has its title, its meaning and what to do, in every language', () => {
  for (const { code, texts } of problemTable) {
    for (const language of languages) {
      const { title, meaning, remedy } = texts[language];
      expect(title).toBe(text(language, code, { name: '…' }));
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[\p{Lu}`].*\.$/u);
    }
  }
});

test('the texts have pairs of backticks, and the typographic apostrophe in French', () => {
  for (const { texts } of problemTable) {
    for (const language of languages) {
      const all = `${texts[language].meaning} ${texts[language].remedy}`;
      expect(all.split('`').length % 2).toBe(1);
    }
    expect(`${texts.fr.meaning} ${texts.fr.remedy}`).not.toMatch(/\p{L}'\p{L}/u);
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
  for (const { texts } of problemTable) {
    for (const part of ['meaning', 'remedy'] as const) {
      expect(values(texts.en[part])).toEqual(values(texts.fr[part]));
      expect(values(texts.es[part])).toEqual(values(texts.fr[part]));
    }
  }
});
