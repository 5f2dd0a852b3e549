import type { Language } from '../../../messages/messages.ts';
import type { DocumentSettings } from '../public-document.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';

/** The texts of the documentation page. Backticks enclose code. */
export type DocsTexts = typeof en;

export const docsTexts: Readonly<Record<Language, DocsTexts>> = { fr, en, es };

/** Input of every part of the page. */
export interface DocsContext {
  readonly language: Language;
  readonly texts: DocsTexts;
  readonly settings: DocumentSettings;
  /** The path from the page to the API. It is relative: a proxy may change the prefix. */
  readonly root: string;
}
