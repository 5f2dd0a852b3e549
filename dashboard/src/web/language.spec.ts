import { expect, test } from '@jest/globals';
import { translated } from './language.ts';

test('no line breaks before a mark of French or within a number, in texts, functions and lists', () => {
  const plain = {
    text: 'Sûr ? 10 000 offres en 24 heures',
    of: (name: string) => `Nom : « ${name} »`,
    list: [['Oui !']],
  };
  const { fr, es } = translated({ en: plain, fr: plain, es: plain });
  expect([fr.text, fr.of('a b'), fr.list]).toEqual([
    'Sûr\u202f? 10\u202f000 offres en 24 heures',
    'Nom\u202f: «\u202fa b\u202f»',
    [['Oui\u202f!']],
  ]);
  expect(es).toEqual(plain);
});

test.each(['prod : eu', 'Quoi ? « oui »', '5 % $&'])(
  'a value in a French text stays as it is: %s',
  (value) => {
    const plain = {
      of: (name: string, count: number) => `Renommer « ${name} » : ${name}, ${String(count)} !`,
    };
    const { fr } = translated({ en: plain, fr: plain, es: plain });
    expect(fr.of(value, 2)).toBe(`Renommer «\u202f${value}\u202f»\u202f: ${value}, 2\u202f!`);
  },
);
