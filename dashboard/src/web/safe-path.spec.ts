import { expect, test } from '@jest/globals';
import { safePath } from './safe-path.ts';

test.each(['/', '/keys', '/activity?state=completed&day=2026-01-31'])('%s is a path', (path) => {
  expect(safePath(path)).toBe(path);
});

test.each([
  null,
  '',
  'keys',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n',
])('%j leads to the first page', (text) => {
  expect(safePath(text)).toBe('/');
});
