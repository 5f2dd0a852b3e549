import { groupBy } from '@jobs-delete/runtime/batching/groups';
import { LRUCache } from 'lru-cache';
import { dayOf, type TimeZone, utc } from './time.tsx';

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

/** The older name of each zone that has one: browsers differ in the name that they use. */
export const olderNames: ReadonlyMap<TimeZone, TimeZone> = new Map(
  [...currentNames].map(([older, current]) => [current, older]),
);

const zones = Intl.supportedValuesOf('timeZone')
  .filter((zone) => zone.includes('/'))
  .map((zone) => currentNames.get(zone) ?? zone)
  .sort();

interface ZoneGroup {
  /** Such as `UTC+1`. */
  readonly offset: string;
  readonly zones: readonly TimeZone[];
}

let known: { readonly day: string; readonly groups: readonly ZoneGroup[] } | undefined;

/** Returns the zones by their distance from UTC on this day, from west to east. To compute it takes 0.1 s: it is kept for a day. */
export function zoneGroups(nowMs: number): readonly ZoneGroup[] {
  const day = dayOf(nowMs);
  if (known?.day !== day) {
    const groups = [...groupBy(zones, (zone) => offsetOf(zone, nowMs))];
    groups.sort(([a], [b]) => a - b);
    known = { day, groups: groups.map(([minutes, all]) => ({ offset: formatOffset(minutes), zones: all })) };
  }
  return known.groups;
}

/** Returns how many minutes the zone is ahead of UTC. */
function offsetOf(zone: TimeZone, ms: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
  const { value = '' } = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName') ?? {};
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+)(?::(\d+))?/.exec(value) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}

function formatOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${utc}${minutes < 0 ? '−' : '+'}${String(hours)}${rest === 0 ? '' : `:${String(rest)}`}`;
}

/** The names that have been checked: a check is slow. There are more zones than are in use. */
const checkedZones = new LRUCache<TimeZone, true>({ max: 100 });

/** Returns the current name of a zone; UTC for a text that names none: it comes from a browser. */
export function readTimeZone(sent: string | null | undefined): TimeZone {
  const text = sent && (currentNames.get(sent) ?? sent);
  if (!text || !/^[A-Z][\w+-]*(?:\/[\w+-]+)*$/.test(text) || text.length > 64) return utc;
  if (checkedZones.get(text)) return text;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    checkedZones.set(text, true);
    return text;
  } catch {
    return utc;
  }
}
