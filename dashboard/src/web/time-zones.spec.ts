import { expect, jest, test } from '@jest/globals';
import { findTimeZone, zoneLabel, zoneLabels } from './time-zones.ts';

test.each(['Europe/Paris', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])('%s is a zone', (zone) => {
  expect(findTimeZone(zone)).toBe(zone);
});

test('a zone is checked once', () => {
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  expect([findTimeZone('Asia/Tokyo'), findTimeZone('Asia/Tokyo')]).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});

test.each(['', ' ', '/', 'Mars/Phobos', '+01:00', 'UTC+1', '../etc', '<b>', '(UTC)', `A${'a'.repeat(99)}`])(
  'the text %j names no zone',
  (text) => {
    expect(findTimeZone(text)).toBeUndefined();
  },
);

test.each([
  ['europe/madrid', 'Europe/Madrid'],
  [' MADRID ', 'Europe/Madrid'],
  ['new york', 'America/New_York'],
  ['America/New York (UTC-5)', 'America/New_York'],
  ['gmt', 'UTC'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
])('the text %j names the zone %s', (text, zone) => {
  expect(findTimeZone(text)).toBe(zone);
});

test('a label has the distance from UTC on the day', () => {
  const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
  const paris = [winter, summer].map((ms) => zoneLabel('Europe/Paris', ms));
  expect(paris).toEqual(['Europe/Paris (UTC+1)', 'Europe/Paris (UTC+2)']);
  expect([winter, summer].map((ms) => zoneLabels(ms).includes('Europe/Paris (UTC+1)'))).toEqual([
    true,
    false,
  ]);
  expect(zoneLabel('America/St_Johns', winter)).toBe('America/St Johns (UTC-3:30)');
  expect(zoneLabel('Africa/Abidjan', winter)).toBe('Africa/Abidjan (UTC+0)');
});

test('each zone is listed once, by its current name, and found by its label', () => {
  const labels = zoneLabels(Date.UTC(2026, 0, 15));
  const zones = labels.map(findTimeZone);
  expect(zones.map((zone = '') => zoneLabel(zone, Date.UTC(2026, 0, 15)))).toEqual(labels);
  expect(new Set(zones).size).toBe(labels.length);
});
