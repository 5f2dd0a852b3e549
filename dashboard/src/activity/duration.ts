import type { Language } from '../web/language.ts';

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
