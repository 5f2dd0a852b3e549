import type { Language } from './messages.ts';

/** The labels on the page of a problem. */
export interface PageTexts {
  /** Heading of the meaning of a problem. */
  readonly meaning: string;
  /** Heading of what to do about a problem. */
  readonly remedy: string;
  readonly status: string;
  readonly code: string;
}

export const pageTexts: Record<Language, PageTexts> = {
  fr: { meaning: 'Signification', remedy: 'Que faire', status: 'Statut', code: 'Code' },
  en: { meaning: 'Meaning', remedy: 'What to do', status: 'Status', code: 'Code' },
  es: { meaning: 'Significado', remedy: 'Qué hacer', status: 'Estado', code: 'Código' },
};
