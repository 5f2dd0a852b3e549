import type { Language } from '../../../../messages/messages.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** The texts of the documentation page. Backticks enclose code. */
export type DocsTexts = typeof en;

export const docsTexts: Readonly<Record<Language, DocsTexts>> = { fr, en, es };
