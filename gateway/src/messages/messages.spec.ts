import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { languages, text, type Language } from './messages.ts';
import { problemTable, problemTexts, problemTitle } from './problems.ts';
import { sentences as enSentences } from './en.ts';
import { sentences as esSentences } from './es.ts';
import { sentences as frSentences } from './fr.ts';

const placeholders = (template: string) => [...new Set(template.match(/\{\w+\}/g))].sort();

describe('text', () => {
  test('gives the French texts of the reference, letter by letter', () => {
    expect(problemTitle('fr', 'job_id_required')).toBe("Le champ 'id' est obligatoire.");
    expect(problemTitle('fr', 'token_invalid')).toBe('Non autorisé. Jeton invalide.');
    expect(problemTitle('fr', 'origin_not_allowed')).toBe('Origine non autorisée.');
    expect(problemTitle('fr', 'job_not_found')).toBe(
      'L\u2019offre d\u2019emploi est introuvable. Elle a peut-être été supprimée.',
    );
    expect(problemTitle('fr', 'method_not_allowed')).toBe('Méthode non autorisée.');
    expect(problemTitle('fr', 'internal_error')).toBe('Erreur interne du serveur.');
  });

  test('puts the header between the quotation marks of the language', () => {
    const named = languages.map((language) => problemTitle(language, 'header_invalid', 'User-Agent'));
    expect(named).toEqual([
      'L\u2019en-tête \u00ab User-Agent \u00bb est absent ou invalide.',
      "The 'User-Agent' header is missing or invalid.",
      'La cabecera \u00abUser-Agent\u00bb falta o no es válida.',
    ]);
  });

  test('puts the job id into the text', () => {
    const named = languages.map((language) => text(language, 'job_queued', { id: 'ABC123' }));
    expect(named).toEqual([
      'L\u2019offre d\u2019emploi ABC123 est en file d\u2019attente de traitement.',
      'Job ABC123 is queued for processing.',
      'La oferta de empleo ABC123 está en cola de procesamiento.',
    ]);
  });

  test('inserts any value unchanged, including `$` patterns and placeholders', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('$&', '$`', '$1', '{id}', '{name}')), (id) => {
        expect(text('en', 'job_queued', { id, name: 'never' })).toBe(`Job ${id} is queued for processing.`);
      }),
    );
  });
});

const titles = (language: Language) =>
  Object.fromEntries(problemTable.map(({ code }) => [code, problemTexts(language, code).title]));

describe.each([
  ['titles', { fr: titles('fr'), en: titles('en'), es: titles('es') }],
  ['sentences', { fr: frSentences, en: enSentences, es: esSentences }],
])('the dictionaries of %s', (_, dictionaries: Record<Language, Record<string, string>>) => {
  test('have no empty text, and the same placeholders in every language', () => {
    for (const [code, french] of Object.entries(dictionaries.fr)) {
      for (const language of languages) {
        const template = dictionaries[language][code] ?? '';
        expect(template).not.toBe('');
        expect(placeholders(template)).toEqual(placeholders(french));
      }
    }
  });

  test('use the typographic apostrophe in French prose', () => {
    for (const template of Object.values(dictionaries.fr)) expect(template).not.toMatch(/\p{L}'\p{L}/u);
  });
});

test('a number is written as the language writes it', () => {
  const written = languages.map((language) => text(language, 'job_queued', { id: 10_000 }));
  expect(written).toEqual([
    'L\u2019offre d\u2019emploi 10\u202f000 est en file d\u2019attente de traitement.',
    'Job 10,000 is queued for processing.',
    'La oferta de empleo 10.000 está en cola de procesamiento.',
  ]);
});
