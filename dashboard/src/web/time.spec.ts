import { expect, test } from '@jest/globals';
import { formatDistance, formatDuration } from './time.tsx';

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

test.each([
  [0, 'en', 'now'],
  [0, 'es', 'ahora'],
  [-1_400, 'en', '1 second ago'],
  [-180_000, 'en', '3 minutes ago'],
  [7_190_000, 'en', 'in 2 hours'],
  [-86_400_000, 'fr', 'il y a 1 jour'],
  [6.99 * 86_400_000, 'es', 'dentro de 7 días'],
  [-70 * 86_400_000, 'en', '2 months ago'],
  [800 * 86_400_000, 'en', 'in 2 years'],
] as const)('a time that is %d ms away is, in %s, %s', (ms, language, text) => {
  expect(formatDistance(ms, language)).toBe(text);
});
