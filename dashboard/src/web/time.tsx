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
