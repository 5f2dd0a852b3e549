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

export interface ZoneChoice {
  readonly zone: TimeZone;
  /** Such as `Europe`. */
  readonly region: string;
  /** Such as `Paris (UTC+1)`. */
  readonly text: string;
}

let choices: { readonly day: string; readonly all: readonly ZoneChoice[] } | undefined;

/** Returns the zones by their names, each with its distance from UTC today. To compute these takes 0.1 s: they are kept for a day. */
export function zoneChoices(nowMs: number): readonly ZoneChoice[] {
  const day = dayOf(nowMs);
  if (choices?.day !== day) choices = { day, all: zones.map((zone) => choiceOf(zone, nowMs)) };
  return choices.all;
}

function choiceOf(zone: TimeZone, nowMs: number): ZoneChoice {
  const [region = '', ...place] = zone.split('/');
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(nowMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const text = `${place.join(', ').replaceAll('_', ' ')} (${offset.replace(/^GMT(?:\+0$)?/, utc).replace('-', '−')})`;
  return { zone, region, text };
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
