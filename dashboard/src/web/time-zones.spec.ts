import { expect, jest, test } from '@jest/globals';
import { olderNames, readTimeZone, zoneChoices } from './time-zones.ts';

test.each(['Europe/Paris', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])('%s is a zone', (zone) => {
  expect(readTimeZone(zone)).toBe(zone);
});

test('a zone is checked once', () => {
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  expect([readTimeZone('Asia/Tokyo'), readTimeZone('Asia/Tokyo')]).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
  expect(made).toHaveBeenCalledTimes(1);
  made.mockRestore();
});

test.each([
  undefined,
  null,
  '',
  'Mars/Phobos',
  '+01:00',
  'europe/paris',
  '../etc',
  '<b>',
  `A${'a'.repeat(99)}`,
])('the text %j means UTC', (text) => {
  expect(readTimeZone(text)).toBe('UTC');
});

test('an older name of a zone is read as its current one', () => {
  expect(readTimeZone('Europe/Kiev')).toBe('Europe/Kyiv');
});

test('the zones have their current names, once each, and their distance from UTC on the day', () => {
  const textOf = (zone: string, nowMs: number) => zoneChoices(nowMs).find((each) => each.zone === zone)?.text;
  const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
  expect([textOf('Europe/Paris', winter), textOf('Europe/Paris', summer)]).toEqual([
    'Paris (UTC+1)',
    'Paris (UTC+2)',
  ]);
  expect(textOf('America/Argentina/Buenos_Aires', winter)).toBe('Argentina, Buenos Aires (UTC−3)');
  expect(textOf('Africa/Abidjan', winter)).toBe('Abidjan (UTC)');
  const zones = zoneChoices(winter).map(({ zone }) => zone);
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.filter((zone) => [...olderNames.values()].includes(zone))).toEqual([]);
});
