import { expect, test } from '@jest/globals';
import { readDocument } from '../readme/readme.ts';
import { generatedFiles } from './generated-files.ts';

test.each([...generatedFiles()])('%s is up to date: `npm run generate` writes it', (path, text) => {
  expect(readDocument(path)).toBe(text);
});
