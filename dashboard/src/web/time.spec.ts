import { expect, test } from '@jest/globals';
import { formatDuration } from './time.tsx';

test.each([
  [0, 'en', '0 seconds'],
  [130, 'en', '0.1 seconds'],
  [1_000, 'en', '1 second'],
  [90_000, 'en', '1.5 minutes'],
  [7_200_000, 'fr', '2\u00a0heures'],
  [172_800_000, 'es', '2 días'],
] as const)('%d ms in %s are %s', (ms, language, text) => {
  expect(formatDuration(ms, language)).toBe(text);
});
