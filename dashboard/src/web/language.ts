export const languages = ['en', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** The same texts in every language. */
export type Translated<Texts> = Readonly<Record<Language, Texts>>;

export function isLanguage(text: string | undefined): text is Language {
  return languages.some((language) => language === text);
}
