export const languages = ['en', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** The same texts in every language. */
export type Translated<Texts> = Readonly<Record<Language, Texts>>;

/** Returns the texts, typeset. Each language has the members of English, and functions take the same arguments. */
export function translated<Texts>(texts: {
  readonly en: Texts;
  readonly fr: NoInfer<Texts>;
  readonly es: NoInfer<Texts>;
}): Translated<Texts> {
  return { ...texts, fr: typesetFrench(texts.fr) as Texts };
}

/** No line breaks at the space beside a French mark, or within a number. Sources have a plain one, which editors show. */
function typesetFrench(texts: unknown): unknown {
  if (typeof texts === 'string') return withFrenchSpaces(texts);
  if (typeof texts === 'function')
    return (...values: unknown[]) =>
      aroundValues((texts as (...values: unknown[]) => string)(...values), values);
  if (Array.isArray(texts)) return texts.map(typesetFrench);
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, typesetFrench(text)]));
}

function withFrenchSpaces(text: string): string {
  return text.replaceAll(/(?<=«) | (?=[:;?!»%])|(?<=\d) (?=\d{3}(?!\d))/g, '\u202f');
}

/** Typesets a text, and keeps the values in it: the name of a key is shown as it is. */
function aroundValues(text: string, values: readonly unknown[]): string {
  return values
    .filter((value) => typeof value === 'string')
    .reduce(
      (typeset, value) => typeset.replaceAll(withFrenchSpaces(value), () => value),
      withFrenchSpaces(text),
    );
}

export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
