import { expect, test } from '@jest/globals';
import { languages } from '../../messages/messages.ts';
import { publicDocuments } from './public-documents.ts';

const settings = { basePath: '', publicUrl: '', maxJobsPerRequest: 10_000, maxBodyBytes: 4_194_304 };

test.each(publicDocuments(settings))('$path is rendered once in each of its languages', (document) => {
  const renderAll = () => languages.map((language) => document.render(language));
  const [first, again] = [renderAll(), renderAll()];
  for (const [index, page] of first.entries()) expect(again[index]).toBe(page);
  const expected = document.language === undefined ? languages : languages.map(() => document.language);
  expect(first.map(({ language }) => language)).toEqual(expected);
  expect(new Set(first).size).toBe(new Set(expected).size);
});
