import { CsrfField, TextField } from '../web/form.tsx';
import type { MemberVisit } from '../web/route.ts';
import { formats, type FieldProblems, type SandboxFields } from './sandbox-request.ts';
import { sandboxTexts } from './sandbox-texts.ts';

export interface SandboxFormProps {
  readonly visit: MemberVisit;
  readonly fields: SandboxFields;
  readonly problems: FieldProblems;
  /** Origins that the account allows. */
  readonly origins: readonly string[];
}

/** The fields of a sandbox request. Token and secret key are always empty: no page shows them again. */
export function SandboxForm({ visit, fields, problems, origins }: SandboxFormProps) {
  const { fields: labels, hints, problems: texts, request, send } = sandboxTexts[visit.language];
  const problemOf = (name: keyof FieldProblems) => {
    const problem = problems[name];
    return problem && texts[problem];
  };
  const secret = { type: 'password', hint: hints.secrets, autocomplete: 'off' } as const;
  const header = { hint: hints.empty, autocomplete: 'off' } as const;
  const originHint = origins.length === 0 ? hints.noDomain : hints.origin;
  return (
    <form method="post" action="/sandbox" aria-labelledby="request" data-replaces="answer">
      <h2 id="request">{request}</h2>
      <CsrfField visit={visit} />
      <TextField name="token" label={labels.token} problem={problemOf('token')} {...secret} />
      <TextField name="secretKey" label={labels.secretKey} problem={problemOf('secretKey')} {...secret} />
      <TextField
        name="origin"
        label={labels.origin}
        hint={originHint}
        problem={problemOf('origin')}
        value={fields.origin}
        list="origins"
        autocomplete="off"
      />
      <datalist id="origins">
        {origins.map((origin) => (
          <option value={origin} />
        ))}
      </datalist>
      {plainHeaders.map(([name, label]) => (
        <TextField name={name} label={label} problem={problemOf(name)} value={fields[name]} {...header} />
      ))}
      <FormatField visit={visit} fields={fields} />
      <IdsField visit={visit} fields={fields} problem={problemOf('ids')} />
      <button>{send}</button>
    </form>
  );
}

/** Fields whose label is the name of their header. */
const plainHeaders = [
  ['acceptLanguage', 'Accept-Language'],
  ['userAgent', 'User-Agent'],
  ['clientLang', 'X-Client-Lang'],
] as const;

type FieldProps = Pick<SandboxFormProps, 'visit' | 'fields'>;

function FormatField({ visit, fields }: FieldProps) {
  const texts = sandboxTexts[visit.language];
  return (
    <div class="field">
      <label for="format">{texts.fields.format}</label>
      <select id="format" name="format">
        {formats.map((format) => (
          <option value={format} selected={format === fields.format}>
            {texts.formats[format]}
          </option>
        ))}
      </select>
    </div>
  );
}

function IdsField({ visit, fields, problem }: FieldProps & { readonly problem: string | undefined }) {
  const texts = sandboxTexts[visit.language];
  return (
    <div class="field">
      <label for="ids">{texts.fields.ids}</label>
      <p class="hint" id="ids-hint">
        {texts.hints.ids}
      </p>
      {problem && (
        <p class="problem" id="ids-problem">
          {problem}
        </p>
      )}
      <textarea
        id="ids"
        name="ids"
        rows={4}
        aria-describedby={problem ? 'ids-hint ids-problem' : 'ids-hint'}
        aria-invalid={problem ? 'true' : undefined}
        spellcheck={false}
      >
        {fields.ids}
      </textarea>
    </div>
  );
}
