import { accountPath } from '../web/account-path.ts';
import { CsrfField, Form, SelectField, TextField } from '../web/form.tsx';
import { languages, type Language } from '../web/language.ts';
import type { MemberVisit, Visit } from '../web/route.ts';
import { zoneName, zoneNames } from '../web/time-zones.ts';
import { profileTexts } from './profile-texts.ts';

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
};

/** Changes the language of this browser. */
export function LanguageForm({ visit }: { readonly visit: Visit }) {
  return (
    <Form
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
    </Form>
  );
}

interface SettingsFormProps {
  readonly visit: MemberVisit;
  /** Why the time zone was refused. */
  readonly problem: string | undefined;
}

/** Changes the language and the time zone of this browser. The script offers the browser's zone, which the server does not know. */
export function SettingsForm({ visit, problem }: SettingsFormProps) {
  const { language, zone, form } = visit;
  const texts = profileTexts[language].settings;
  return (
    <Form method="post" action={accountPath(visit, '/profile/settings')}>
      <CsrfField visit={visit} />
      <SelectField
        name="language"
        label={texts.language}
        hint={texts.languageHint}
        options={languages.map((each) => ({ value: each, text: languageNames[each], lang: each }))}
        value={form.get('language') ?? language}
      />
      <TextField
        name="zone"
        label={texts.zone}
        hint={texts.zoneHint}
        problem={problem}
        value={form.get('zone') ?? zoneName(zone)}
        list="zones"
        maxLength={100}
        required
      />
      <datalist id="zones">
        {zoneNames.map((name) => (
          <option>{name}</option>
        ))}
      </datalist>
      <p class="actions">
        <button>{texts.save}</button>
        <button type="button" class="quiet" data-zone={zone} hidden>
          {texts.use}
        </button>
      </p>
    </Form>
  );
}
