import type { Language } from './language.ts';

export interface TimeProps {
  readonly ms: number;
  readonly language: Language;
  readonly withSeconds?: boolean;
}

/** A point in time, in UTC. */
export function Time({ ms, language, withSeconds = false }: TimeProps) {
  const text = withSeconds ? `${precise[language].format(ms)} UTC` : formatTime(ms, language);
  return <time datetime={new Date(ms).toISOString()}>{text}</time>;
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

const seconds = ['second', 1_000] as const;
const units = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], seconds] as const;
