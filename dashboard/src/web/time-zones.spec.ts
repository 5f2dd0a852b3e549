import { expect, jest, test } from '@jest/globals';
import { olderNames, readTimeZone, zoneGroups } from './time-zones.ts';

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

test('the zones have their current names, once each, and stand by their distance from UTC on the day', () => {
  const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
  const offsetOf = (zone: string, nowMs: number) =>
    zoneGroups(nowMs).find(({ zones }) => zones.includes(zone))?.offset;
  expect([offsetOf('Europe/Paris', winter), offsetOf('Europe/Paris', summer)]).toEqual(['UTC+1', 'UTC+2']);
  expect(offsetOf('Africa/Abidjan', winter)).toBe('UTC+0');
  const offsets = zoneGroups(winter).map(({ offset }) => offset);
  expect(offsets.indexOf('UTC−3:30')).toBe(offsets.indexOf('UTC−4') + 1);
  expect(offsets.at(-1)).toBe('UTC+14');
  const zones = zoneGroups(winter).flatMap((group) => group.zones);
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.filter((zone) => [...olderNames.values()].includes(zone))).toEqual([]);
});
