export const languages = ['en', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** The same texts in every language. */
export type Translated<Texts> = Readonly<Record<Language, Texts>>;

/** Returns the texts. Each language has the members of English, and functions take the same arguments. */
export function translated<Texts>(texts: {
  readonly en: Texts;
  readonly fr: NoInfer<Texts>;
  readonly es: NoInfer<Texts>;
}): Translated<Texts> {
  return texts;
}

export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
