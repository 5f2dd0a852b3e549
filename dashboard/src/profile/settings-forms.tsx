import { CsrfField } from '../web/form.tsx';
import { languages, type Language } from '../web/language.ts';
import { layoutTexts } from '../web/layout-texts.ts';
import type { Visit } from '../web/route.ts';
import { utc } from '../web/time.tsx';

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
};

interface SettingProps {
  readonly visit: Visit;
}

/** Changes the language of this browser. */
export function LanguageForm({ visit }: SettingProps) {
  const texts = layoutTexts[visit.language];
  return (
    <form method="post" action="/language" class="inline" data-sends>
      <CsrfField visit={visit} />
      <input type="hidden" name="next" value={visit.url} />
      <label>
        {texts.language}
        <select name="language">
          {languages.map((language) => (
            <option value={language} lang={language} selected={language === visit.language}>
              {languageNames[language]}
            </option>
          ))}
        </select>
      </label>
      <button class="quiet">{texts.change}</button>
    </form>
  );
}

/** The script adds the zone of the browser, which the server does not know, and shows the form. */
export function TimeZoneForm({ visit }: SettingProps) {
  const texts = layoutTexts[visit.language];
  return (
    <form method="post" action="/time-zone" class="inline" data-sends data-zones hidden={visit.zone === utc}>
      <CsrfField visit={visit} />
      <input type="hidden" name="next" value={visit.url} />
      <label>
        {texts.times}
        <select name="zone">
          <option value={utc}>{utc}</option>
          {visit.zone !== utc && (
            <option value={visit.zone} selected>
              {visit.zone}
            </option>
          )}
        </select>
      </label>
      <button class="quiet">{texts.change}</button>
    </form>
  );
}
