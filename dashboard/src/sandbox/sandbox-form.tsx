import { accountPath } from '../web/account-path.ts';
import { CsrfField, Form, SelectField, TextArea, TextField } from '../web/form.tsx';
import { includesRole, type MemberVisit } from '../web/route.ts';
import { formats, withoutField, type FieldProblems, type SandboxFields } from './sandbox-request.ts';
import { sandboxTexts } from './sandbox-texts.ts';
import { Time } from '../web/time.tsx';

/** What a request of the account can name. */
export interface Offer {
  readonly origins: readonly string[];
  /** A few jobs. Empty if no api answers in time. */
  readonly jobIds: readonly string[];
  readonly hasNoJob: boolean;
  /** A token and a secret key that are valid. */
  readonly hasKeys: boolean;
}

interface SandboxFormProps {
  readonly visit: MemberVisit;
  readonly fields: SandboxFields;
  readonly problems: FieldProblems;
  /** The missing credentials that a person knows of. */
  readonly without: readonly string[];
  readonly offer: Offer;
  /** When the test key in the fields expires. */
  readonly expiresAtMs: number | undefined;
}

/** The id of a result. Without script, the browser moves to it, unless a refused form has none. */
export const resultId = 'result';

/** The id of the form that creates a test key. Its button stands in the other form. */
export const testKeysForm = 'test-keys';

/** The fields of a sandbox request. Token and secret key are filled in only by the answer that creates a test key. */
export function SandboxForm({
  visit,
  fields,
  problems,
  without,
  offer: { origins, hasNoJob, hasKeys },
  expiresAtMs,
}: SandboxFormProps) {
  const {
    fields: labels,
    hints,
    problems: texts,
    formats: formatNames,
    request,
    others,
    send,
    unanswered,
    testKeys,
  } = sandboxTexts[visit.language];
  const isManager = includesRole(visit.role, 'manager');
  const problemOf = (name: keyof FieldProblems) => {
    const problem = problems[name];
    return problem && texts[problem];
  };
  return (
    <Form
      method="post"
      action={`${accountPath(visit, '/sandbox')}#${resultId}`}
      aria-labelledby="request"
      data-replaces="answer"
    >
      <div class="heading">
        <h2 id="request">{request}</h2>
        {isManager && (
          <button form={testKeysForm} class={hasKeys ? 'quiet' : undefined}>
            {testKeys.create}
          </button>
        )}
      </div>
      {!hasKeys && (
        <p class="warning">
          {isManager ? testKeys.none : testKeys.noneYet}{' '}
          {isManager && <a href={accountPath(visit, '/keys/new')}>{testKeys.createLasting}</a>}
        </p>
      )}
      <p class="hint">{isManager ? testKeys.hint : testKeys.askManager}</p>
      <CsrfField visit={visit} />
      {without.length > 0 && <input type="hidden" name={withoutField} value={without.join(' ')} />}
      <div class="pair">
        {(
          [
            ['token', 'jdt_…'],
            ['secretKey', 'jds_…'],
          ] as const
        ).map(([name, placeholder]) => (
          <TextField
            name={name}
            label={labels[name]}
            problem={problemOf(name)}
            value={fields[name]}
            type="password"
            placeholder={placeholder}
            autocomplete="off"
          />
        ))}
      </div>
      {expiresAtMs === undefined ? (
        <p class="hint">{hints.secrets}</p>
      ) : (
        <p class="notice" role="status">
          {testKeys.filledIn} <Time ms={expiresAtMs} language={visit.language} />.
        </p>
      )}
      <div class="pair">
        <TextField
          name="origin"
          label={labels.origin}
          hint={origins.length === 0 ? hints.noDomain : undefined}
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
        <SelectField
          name="format"
          label={labels.format}
          options={formats.map((value) => ({ value, text: formatNames[value] }))}
          value={fields.format}
        />
      </div>
      <TextArea
        name="ids"
        label={labels.ids}
        hint={hasNoJob ? `${hints.ids} ${hints.noJob}` : hints.ids}
        problem={problemOf('ids')}
        value={fields.ids}
        rows={4}
      />
      <details open={plainHeaders.some(([name]) => problems[name] !== undefined)}>
        <summary>{others}</summary>
        <p class="hint">{hints.empty}</p>
        <div class="pair">
          {plainHeaders.map(([name, label]) => (
            <TextField
              name={name}
              label={label}
              problem={problemOf(name)}
              value={fields[name]}
              autocomplete="off"
            />
          ))}
        </div>
      </details>
      <p class="problem" role="alert" data-unanswered hidden>
        {unanswered}
      </p>
      <p class="actions">
        <button class={hasKeys || !isManager ? undefined : 'quiet'}>{send}</button>
      </p>
    </Form>
  );
}

/** Fields whose label is the name of their header. */
const plainHeaders = [
  ['acceptLanguage', 'Accept-Language'],
  ['userAgent', 'User-Agent'],
  ['clientLang', 'X-Client-Lang'],
] as const;
