import { sentences as en } from './en.ts';
import { sentences as es } from './es.ts';
import { sentences as fr } from './fr.ts';

/** In the order of preference, for callers that accept any language. */
export const languages = ['fr', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

/** A sentence for people. Programs use the codes and the pointers of a problem. */
export type SentenceCode = keyof typeof en;

export interface Sentence {
  readonly code: SentenceCode;
  readonly params?: MessageParams;
}

/** Values for the placeholders of a text. A number is written as the language writes it. */
export type MessageParams = Readonly<Record<string, string | number>>;

const texts: Record<Language, Record<SentenceCode, string>> = { fr, en, es };

export function sentence(code: SentenceCode, params?: MessageParams): Sentence {
  return params === undefined ? { code } : { code, params };
}

/** Returns the text of the sentences, in their order. */
export function sentencesText(language: Language, sentences: readonly Sentence[]): string {
  return sentences.map(({ code, params }) => text(language, code, params)).join(' ');
}

/** Returns the text of `code`, with each placeholder such as `{name}` replaced by its value in `params`. */
export function text(language: Language, code: SentenceCode, params?: MessageParams): string {
  return fillIn(language, texts[language][code], params);
}

export function fillIn(language: Language, template: string, params: MessageParams = {}): string {
  // A function, because a replacement string would interpret the `$` in a caller's value.
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? placeholder;
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}
