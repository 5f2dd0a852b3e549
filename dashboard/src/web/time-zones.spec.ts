import { expect, jest, test } from '@jest/globals';
import { findTimeZone, zoneName, zoneNames } from './time-zones.ts';

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
  ['America/New York', 'America/New_York'],
  ['gmt', 'UTC'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
])('the text %j names the zone %s', (text, zone) => {
  expect(findTimeZone(text)).toBe(zone);
});

test('each zone is listed once, by its current name, and found by it', () => {
  const zones = zoneNames.map(findTimeZone);
  expect(zones.map((zone = '') => zoneName(zone))).toEqual(zoneNames);
  expect(new Set(zones).size).toBe(zoneNames.length);
  expect(zoneNames).toEqual(expect.arrayContaining(['UTC', 'America/New York', 'Asia/Kolkata']));
});
