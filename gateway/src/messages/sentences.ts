import { fillIn, type Language, type MessageParams } from './messages.ts';
import { en } from './sentences/en.ts';
import { es } from './sentences/es.ts';
import { fr } from './sentences/fr.ts';

/** A sentence of a `detail`. For people only: programs use the codes and the pointers. */
export type SentenceCode = keyof typeof en;

export interface Sentence {
  readonly code: SentenceCode;
  readonly params?: MessageParams;
}

const texts: Record<Language, Record<SentenceCode, string>> = { fr, en, es };

export function sentence(code: SentenceCode, params?: MessageParams): Sentence {
  return params === undefined ? { code } : { code, params };
}

/** Returns the text of the sentences, in their order. */
export function sentencesText(language: Language, sentences: readonly Sentence[]): string {
  return sentences.map(({ code, params }) => fillIn(language, texts[language][code], params)).join(' ');
}
