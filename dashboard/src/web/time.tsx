import { LRUCache } from 'lru-cache';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language.ts';

/** A name of the IANA database, such as `Europe/Paris`. */
export type TimeZone = string;

export const utc: TimeZone = 'UTC';

/** The zone in which the page shows points in time. Days are in UTC everywhere. */
export const TimeZoneContext = createContext<TimeZone>(utc);

export function useTimeZone(): TimeZone {
  return useContext(TimeZoneContext);
}

interface TimeProps {
  readonly ms: number;
  readonly language: Language;
  readonly withSeconds?: boolean;
  /** Shows how far `ms` is from this time, as lists do. The exact time is the title. */
  readonly nowMs?: number;
  /** Leaves out the day, such as below a heading with it. The exact time is the title. */
  readonly isOfDay?: boolean;
}

/** A point in time, in the zone of the page. */
export function Time({ ms, language, withSeconds = false, nowMs, isOfDay = false }: TimeProps) {
  const zone = useTimeZone();
  const datetime = new Date(ms).toISOString();
  const style = withSeconds ? 'medium' : 'short';
  const exact = formatWith(style, ms, language, zone);
  if (isOfDay)
    return (
      <time datetime={datetime} title={exact}>
        {formatsOf(style, language, zone).clock.format(ms)}
      </time>
    );
  if (nowMs === undefined) return <time datetime={datetime}>{exact}</time>;
  return (
    <time datetime={datetime} title={exact}>
      {formatDistance(ms - nowMs, language)}
    </time>
  );
}

/** Returns the day of a time in a zone, such as `Saturday 31 January 2026, UTC`. */
export function formatDayIn(zone: TimeZone, ms: number, language: Language): string {
  return `${formatsOf('medium', language, zone).day.format(ms)}, ${zoneNameOf('medium', ms, language, zone)}`;
}

/** Returns a time with the name of its zone. */
export function formatTime(ms: number, language: Language, zone: TimeZone): string {
  return formatWith('short', ms, language, zone);
}

/** Returns a time without its year and zone, such as `31 Jan 10:02`. */
export function formatMinute(ms: number, language: Language, timeZone: TimeZone): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(localeOf(language), { ...parts, timeZone }).format(ms).replace(',', '');
}

function localeOf(language: Language): string {
  return language === 'en' ? 'en-GB' : language;
}

const days: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: utc }),
  fr: new Intl.DateTimeFormat('fr', { dateStyle: 'medium', timeZone: utc }),
  es: new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeZone: utc }),
};

/** Returns the UTC day of a time, such as `31 Jan 2026`. */
export function formatDay(ms: number, language: Language): string {
  return days[language].format(ms);
}

/** Returns the UTC day of a time, or says that it is today or yesterday. */
export function formatRecentDay(
  ms: number,
  { language, nowMs }: { readonly language: Language; readonly nowMs: number },
): string {
  const ago = Math.floor(nowMs / dayMs) - Math.floor(ms / dayMs);
  return ago === 0 || ago === 1 ? named[language].format(-ago, 'day') : formatDay(ms, language);
}

/** Returns the UTC days of a period, such as `1 – 31 Jan 2026`. */
export function formatDays(firstMs: number, lastMs: number, language: Language): string {
  return days[language].formatRange(firstMs, lastMs);
}

type TimeStyle = 'short' | 'medium';

function formatWith(timeStyle: TimeStyle, ms: number, language: Language, zone: TimeZone): string {
  const { time } = formatsOf(timeStyle, language, zone);
  return `${time.format(ms)} ${zoneNameOf(timeStyle, ms, language, zone)}`;
}

function zoneNameOf(timeStyle: TimeStyle, ms: number, language: Language, zone: TimeZone): string {
  const { name } = formatsOf(timeStyle, language, zone);
  const zoneName = name?.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  // Languages differ: `GMT-5`, `UTC−5`.
  return zoneName.replace(/^(?:GMT|UTC)(?=[+\-−])/, 'UTC').replace('UTC-', 'UTC−');
}

interface Formats {
  readonly time: Intl.DateTimeFormat;
  /** Without the day. */
  readonly clock: Intl.DateTimeFormat;
  /** With the weekday. */
  readonly day: Intl.DateTimeFormat;
  /** The name changes with daylight saving time. Undefined: the zone is its name. */
  readonly name: Intl.DateTimeFormat | undefined;
}

/** A format is slow to make and large. There are more zones than are in use. */
const formats = new LRUCache<string, Formats>({ max: 100 });

function formatsOf(timeStyle: TimeStyle, language: Language, timeZone: TimeZone): Formats {
  const key = `${timeStyle} ${language} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const locale = localeOf(language);
  const made = {
    time: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone }),
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }),
    clock: new Intl.DateTimeFormat(locale, { timeStyle, timeZone }),
    name: timeZone === utc ? undefined : new Intl.DateTimeFormat(locale, { timeZoneName: 'short', timeZone }),
  };
  formats.set(key, made);
  return made;
}

const seconds = ['second', 1_000] as const;
const units = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], seconds] as const;
const longUnits = [['year', 365 * 86_400_000], ['month', 30 * 86_400_000], ...units] as const;

/** Returns a time such as `1.3 seconds`, in the largest unit that is reached. Rounds down, because some are promises. */
export function formatDuration(ms: number, language: Language): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? seconds;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
    roundingMode: 'floor',
  }).format(ms / unitMs);
}

const distancesWith = (numeric: 'always' | 'auto'): Readonly<Record<Language, Intl.RelativeTimeFormat>> => ({
  en: new Intl.RelativeTimeFormat('en', { numeric }),
  fr: new Intl.RelativeTimeFormat('fr', { numeric }),
  es: new Intl.RelativeTimeFormat('es', { numeric }),
});
/** Says `1 day ago`: `yesterday` would not be true 30 hours ago. */
const distances = distancesWith('always');
const named = distancesWith('auto');

/**
 * Returns a text such as `now`, `3 minutes ago` or `in 2 hours`, in the largest unit that is reached. It is rounded before the
 * unit is chosen: 59.6 seconds are a minute.
 */
export function formatDistance(ms: number, language: Language): string {
  const distance = Math.abs(ms);
  const rounded = (size: number) => Math.round(distance / size) * size;
  const reaches = (size: number, smaller: number) => distance >= size || rounded(smaller) >= size;
  const [unit, unitMs] =
    longUnits.find(([, size], index) => reaches(size, (longUnits[index + 1] ?? seconds)[1])) ?? seconds;
  const count = rounded(unitMs) / unitMs;
  const format = unit === 'second' ? named : distances;
  return format[language].format(ms > 0 ? count : -count, unit);
}

export const dayMs = 86_400_000;

/** Returns the start of the first of `days` UTC days. The last of them contains `lastMs`. */
export function firstDayOf(lastMs: number, days: number): number {
  return lastMs - (lastMs % dayMs) - (days - 1) * dayMs;
}

/** Returns the UTC day of a time, such as `2026-01-31`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
