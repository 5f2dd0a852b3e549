import { expect, test } from '@jest/globals';
import { formatDay, formatDistance, formatDuration, formatRecentDay, formatTime } from './time.tsx';

test.each([
  [0, 'en', '0 seconds'],
  [130, 'en', '0.1 seconds'],
  [1_000, 'en', '1 second'],
  [90_000, 'en', '1.5 minutes'],
  [6_000_000, 'en', '1.6 hours'],
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
  [59_600, 'en', 'in 1 minute'],
  [-29.4 * 86_400_000, 'en', '29 days ago'],
  [-29.99 * 86_400_000, 'en', '1 month ago'],
  [-30.01 * 86_400_000, 'en', '1 month ago'],
  [-70 * 86_400_000, 'en', '2 months ago'],
  [-366 * 86_400_000, 'en', '1 year ago'],
  [-364 * 86_400_000, 'en', '12 months ago'],
  [800 * 86_400_000, 'en', 'in 2 years'],
] as const)('a time that is %d ms away is, in %s, %s', (ms, language, text) => {
  expect(formatDistance(ms, language)).toBe(text);
});

const winter = Date.UTC(2026, 0, 15, 23, 30);
const summer = Date.UTC(2026, 6, 15, 12);

test.each([
  ['en', '15 Jan 2026'],
  ['fr', '15 janv. 2026'],
  ['es', '15 ene 2026'],
] as const)('a day in %s is %s', (language, text) => {
  expect(formatDay(winter, language)).toBe(text);
});

test.each([
  [winter, 'today'],
  [winter + 40 * 60_000, 'yesterday'],
  [winter + 30 * 3_600_000, '15 Jan 2026'],
])('at %d, a recent day is %s', (nowMs, text) => {
  expect(formatRecentDay(winter, { language: 'en', nowMs })).toBe(text);
});

test.each([
  [winter, 'en', 'UTC', '15 Jan 2026, 23:30 UTC'],
  [winter, 'en', 'Europe/Paris', '16 Jan 2026, 00:30 CET'],
  [summer, 'en', 'Europe/Paris', '15 Jul 2026, 14:00 CEST'],
  [winter, 'fr', 'America/New_York', '15 janv. 2026, 18:30 UTC−5'],
  [winter, 'es', 'Asia/Kolkata', '16 ene 2026, 5:00 UTC+5:30'],
  [winter, 'en', 'America/New_York', '15 Jan 2026, 18:30 UTC−5'],
  [winter, 'es', 'America/St_Johns', '15 ene 2026, 20:00 UTC−3:30'],
  [winter, 'en', 'Europe/London', '15 Jan 2026, 23:30 GMT'],
] as const)('%d in %s in the zone %s is %s', (ms, language, zone, text) => {
  expect(formatTime(ms, language, zone)).toBe(text);
});

test('formats stay right when more zones than are kept have been used', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 150);
  for (const zone of zones) formatTime(winter, 'en', zone);
  expect(formatTime(winter, 'en', 'Europe/Paris')).toBe('16 Jan 2026, 00:30 CET');
});
