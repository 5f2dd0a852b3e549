import { CsrfField } from '../web/form.tsx';
import { languages, type Language } from '../web/language.ts';
import type { Visit } from '../web/route.ts';
import { utc } from '../web/time.tsx';
import { olderNames, zoneGroups } from '../web/time-zones.ts';
import { profileTexts } from './profile-texts.ts';

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
  return (
    <form
      method="post"
      action="/settings"
      class="inline languages"
      aria-label={profileTexts[visit.language].settings.language}
    >
      <CsrfField visit={visit} />
      <input type="hidden" name="next" value={visit.url} />
      {languages.map((language) => (
        <button
          name="language"
          value={language}
          lang={language}
          class="quiet"
          aria-current={language === visit.language ? 'true' : undefined}
        >
          {languageNames[language]}
        </button>
      ))}
    </form>
  );
}

/** Changes the language and the time zone of this browser. The script puts the browser's zone, which the server does not know, first. */
export function SettingsForm({ visit }: SettingProps) {
  const texts = profileTexts[visit.language].settings;
  const groups = zoneGroups(visit.nowMs);
  return (
    <form method="post" action="/settings" data-zones={texts.ofBrowser}>
      <CsrfField visit={visit} />
      <input type="hidden" name="next" value={visit.url} />
      <div class="field">
        <label for="language">{texts.language}</label>
        <select name="language" id="language">
          {languages.map((language) => (
            <option value={language} lang={language} selected={language === visit.language}>
              {languageNames[language]}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="zone">{texts.zone}</label>
        <select name="zone" id="zone">
          <option value={utc}>{utc}</option>
          {visit.zone !== utc && !groups.some(({ zones }) => zones.includes(visit.zone)) && (
            <option selected>{visit.zone}</option>
          )}
          {groups.map(({ offset, zones }) => (
            <optgroup label={offset}>
              {zones.map((zone) => (
                <option selected={zone === visit.zone} data-older={olderNames.get(zone)}>
                  {zone}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <p class="actions">
        <button>{texts.save}</button>
      </p>
    </form>
  );
}
