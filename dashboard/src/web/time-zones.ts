import { LRUCache } from 'lru-cache';
import { type TimeZone, utc } from './time.tsx';

/**
 * The names that the IANA database uses now for zones whose older names JavaScript lists.
 * Source: https://data.iana.org/time-zones/tzdb/backward
 */
const currentNames: ReadonlyMap<TimeZone, TimeZone> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

const zones = Intl.supportedValuesOf('timeZone')
  .filter((zone) => zone.includes('/'))
  .map((zone) => currentNames.get(zone) ?? zone)
  .sort();

/** Returns a text such as `America/New York`. */
export function zoneName(zone: TimeZone): string {
  return zone.replaceAll('_', ' ');
}

/** The names of all zones. */
export const zoneNames: readonly string[] = [utc, ...zones.map(zoneName)];

/** The zones by the names that have been checked: a check is slow. There are more zones than are in use. */
const checkedZones = new LRUCache<string, TimeZone>({ max: 100 });

/** Returns the zone with this name or city, in any case. Undefined for any other text. */
export function findTimeZone(text: string): TimeZone | undefined {
  const name = text.trim().replaceAll(' ', '_').toLowerCase();
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+)*$/.test(name) || name.length > 64) return undefined;
  const zone = checkedZones.get(name) ?? zoneOf(name);
  if (zone !== undefined) checkedZones.set(name, zone);
  return zone;
}

function zoneOf(name: string): TimeZone | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return currentNames.get(timeZone) ?? timeZone;
  } catch {
    return zones.find((zone) => zone.toLowerCase().endsWith(`/${name}`));
  }
}
