import type { Language } from './language.ts';

export interface TimeProps {
  readonly ms: number;
  readonly language: Language;
  readonly withSeconds?: boolean;
  /** Shows how far `ms` is from this time, as lists do. The exact time is the title. */
  readonly nowMs?: number;
}

/** A point in time, in UTC. */
export function Time({ ms, language, withSeconds = false, nowMs }: TimeProps) {
  const datetime = new Date(ms).toISOString();
  const exact = withSeconds ? `${precise[language].format(ms)} UTC` : formatTime(ms, language);
  if (nowMs === undefined) return <time datetime={datetime}>{exact}</time>;
  return (
    <time datetime={datetime} title={exact}>
      {formatDistance(ms - nowMs, language)}
    </time>
  );
}

export function formatTime(ms: number, language: Language): string {
  return `${formats[language].format(ms)} UTC`;
}

const formatsWith = (timeStyle: 'short' | 'medium'): Readonly<Record<Language, Intl.DateTimeFormat>> => {
  const options = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const;
  return {
    en: new Intl.DateTimeFormat('en-GB', options),
    fr: new Intl.DateTimeFormat('fr', options),
    es: new Intl.DateTimeFormat('es', options),
  };
};
const formats = formatsWith('short');
const precise = formatsWith('medium');

const seconds = ['second', 1_000] as const;
const units = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], seconds] as const;
const longUnits = [['year', 365 * 86_400_000], ['month', 30 * 86_400_000], ...units] as const;

/** Returns a time such as `1.3 seconds`, in the largest unit that is reached. */
export function formatDuration(ms: number, language: Language): string {
  const [unit, unitMs] = units.find(([, size]) => ms >= size) ?? seconds;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(ms / unitMs);
}

const distancesWith = (numeric: 'always' | 'auto'): Readonly<Record<Language, Intl.RelativeTimeFormat>> => ({
  en: new Intl.RelativeTimeFormat('en', { numeric }),
  fr: new Intl.RelativeTimeFormat('fr', { numeric }),
  es: new Intl.RelativeTimeFormat('es', { numeric }),
});
/** Says `1 day ago`: `yesterday` would not be true 30 hours ago. */
const distances = distancesWith('always');
const ofSeconds = distancesWith('auto');

/** Returns a text such as `now`, `3 minutes ago` or `in 2 hours`, in the largest unit that is reached. */
export function formatDistance(ms: number, language: Language): string {
  const [unit, unitMs] = longUnits.find(([, size]) => Math.abs(ms) >= size) ?? seconds;
  const count = Math.round(Math.abs(ms) / unitMs);
  const format = unit === 'second' ? ofSeconds : distances;
  return format[language].format(ms > 0 ? count : -count, unit);
}
