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

const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
const regions = new Set(zones.map((zone) => zone.slice(0, zone.indexOf('/') + 1)));

/** The script puts the zone of the browser, which the server does not know, first. */
export function TimeZoneForm({ visit }: SettingProps) {
  const texts = layoutTexts[visit.language];
  return (
    <form method="post" action="/time-zone" class="inline" data-sends data-zones>
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
          {[...regions].map((region) => (
            <optgroup label={region.slice(0, -1)}>
              {zones
                .filter((zone) => zone.startsWith(region) && zone !== visit.zone)
                .map((zone) => (
                  <option>{zone}</option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button class="quiet">{texts.change}</button>
    </form>
  );
}
