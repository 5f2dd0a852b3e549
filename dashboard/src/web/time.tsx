import type { Language } from './language.ts';

/** A point in time, in UTC. */
export function Time({ ms, language }: { readonly ms: number; readonly language: Language }) {
  return <time datetime={new Date(ms).toISOString()}>{formatTime(ms, language)}</time>;
}

export function formatTime(ms: number, language: Language): string {
  return `${formats[language].format(ms)} UTC`;
}

const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
const formats: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', options),
  fr: new Intl.DateTimeFormat('fr', options),
  es: new Intl.DateTimeFormat('es', options),
};
