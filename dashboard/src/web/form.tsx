import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { Role } from '@jobs-delete/accounts/people/people';
import { type Aside, WithAside } from './aside.tsx';
import type { Visit, ReplyOf, Route, Serve } from './route.ts';

/** The input of a form that came too late: it replaces the values of the fields with these names. */
export const KeptInput = createContext<ReadonlyMap<string, string>>(new Map());

/** A form that only the server checks. Browsers would show problems in their own language. */
export function Form(props: JSX.IntrinsicElements['form']) {
  return <form novalidate {...props} />;
}

/** The hidden field that every form needs. */
export function CsrfField({ visit }: { readonly visit: Pick<Visit, 'csrf'> }) {
  return <input type="hidden" name="csrf" value={visit.csrf} />;
}

/** Says why a form as a whole was refused. Shows nothing without a problem. */
export function Alert({ problem }: { readonly problem: string | undefined }) {
  if (!problem) return null;
  return (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** Shown below the label, and read with the field. */
  readonly hint?: ComponentChildren;
  /** Why the last value was refused. */
  readonly problem?: string | undefined;
}

/** The label, hint and problem of a field. Its input needs `fieldAttributes`. */
function Field({
  name,
  label,
  hint,
  problem,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <Problem name={name} problem={problem} />
      {children}
    </div>
  );
}

function Problem({ name, problem }: Pick<FieldProps, 'name' | 'problem'>) {
  if (!problem) return null;
  return (
    <p class="problem" id={`${name}-problem`}>
      {problem}
    </p>
  );
}

/** Connects an input with the texts of its `Field`. The browser focuses the first of those with a problem. */
function fieldAttributes({ name, hint, problem }: Pick<FieldProps, 'name' | 'hint' | 'problem'>) {
  const ids = [hint ? `${name}-hint` : '', problem && `${name}-problem`].filter(Boolean).join(' ');
  return {
    id: name,
    name,
    'aria-describedby': ids === '' ? undefined : ids,
    'aria-invalid': problem ? 'true' : undefined,
    autofocus: Boolean(problem),
  } as const;
}

export interface TextFieldProps extends FieldProps {
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'text';
  /** An example, or what the field expects. */
  readonly placeholder?: string;
  /** The id of a `datalist` with suggestions. */
  readonly list?: string;
  /** The id of an element that the page's script keeps up to date with what is typed. */
  readonly preview?: string;
}

/** A labelled text field with its hint and its problem. */
export function TextField({ name, label, hint, problem, value, type = 'text', ...rest }: TextFieldProps) {
  const kept = useContext(KeptInput).get(name);
  // Preact declares one type of element for each value of `type`.
  const attributes = {
    ...fieldAttributes({ name, hint, problem }),
    type,
    value: kept ?? value,
    required: rest.required,
    maxlength: rest.maxLength,
    autocomplete: rest.autocomplete,
    inputmode: rest.inputMode,
    placeholder: rest.placeholder,
    list: rest.list,
    'data-preview': rest.preview,
    spellcheck: false,
  } as JSX.IntrinsicElements['input'];
  return (
    <Field name={name} label={label} hint={hint} problem={problem}>
      <input {...attributes} />
    </Field>
  );
}

interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly rows: number;
  readonly required?: boolean;
  /** The fields whose input it shows if the form came too late. Default: the one with its name. */
  readonly keptFrom?: readonly string[];
  /** What mends the problem. */
  readonly remedy?: ComponentChildren;
  /** With script, the number of ids is shown below: `#` stands for it. A table with one of the titles is not counted. */
  readonly counted?: { readonly one: string; readonly many: string; readonly titles: readonly string[] };
}

/** A labelled text field of several lines. */
export function TextArea({ value, rows, required, keptFrom, remedy, counted, ...field }: TextAreaProps) {
  const input = useContext(KeptInput);
  const kept = (keptFrom ?? [field.name]).flatMap((name) => input.get(name) ?? []);
  return (
    <Field {...field}>
      {remedy}
      <textarea {...fieldAttributes(field)} rows={rows} spellcheck={false} required={required}>
        {kept.length > 0 ? kept.join('\n') : value}
      </textarea>
      {counted && (
        <output
          class="hint"
          for={field.name}
          data-one={counted.one}
          data-many={counted.many}
          data-titles={counted.titles.join(' ')}
          hidden
        />
      )}
    </Field>
  );
}

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly text: string; readonly lang?: string }[];
  readonly value: string;
}

/** A labelled list of choices with its hint and its problem. */
export function SelectField({ options, value, ...field }: SelectFieldProps) {
  const selected = useContext(KeptInput).get(field.name) ?? value;
  return (
    <Field {...field}>
      <select {...fieldAttributes(field)}>
        {options.map((option) => (
          <option value={option.value} lang={option.lang} selected={option.value === selected}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface RadioFieldProps extends Omit<SelectFieldProps, 'hint' | 'options'> {
  readonly options: readonly (SelectFieldProps['options'][number] & {
    /** What the option means. */
    readonly hint?: string;
    /** In view while the option is chosen. */
    readonly field?: ComponentChildren;
  })[];
}

/** Choices that are all in view, with one of them chosen. */
export function RadioField({ options, value, ...field }: RadioFieldProps) {
  const { name, label, problem } = field;
  const chosen = useContext(KeptInput).get(name) ?? value;
  const focused = options.find((option) => option.value === chosen) ?? options[0];
  return (
    <fieldset class="field" aria-describedby={problem && `${name}-problem`}>
      <legend>{label}</legend>
      <Problem name={name} problem={problem} />
      {options.map((option) => (
        <>
          <label class="choice">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === chosen}
              autofocus={Boolean(problem) && option === focused}
            />{' '}
            <span>
              {option.text}
              {option.hint !== undefined && <span class="second">{option.hint}</span>}
            </span>
          </label>
          {option.field && <div class="if-chosen">{option.field}</div>}
        </>
      ))}
    </fieldset>
  );
}

/** Sums of longer numbers would not be exact. */
const maxDigits = 12;

/** Returns a whole number in the range; undefined for any other text. */
export function readNumber(
  text: string | null,
  { min, max = Infinity }: { readonly min: number; readonly max?: number | undefined },
): number | undefined {
  const digits = text?.trim() ?? '';
  if (!/^\d+$/.test(digits) || digits.length > maxDigits) return undefined;
  const number = Number(digits);
  return number >= min && number <= max ? number : undefined;
}

interface FormRoutes {
  readonly path: `/${string}`;
  readonly access: Role;
  /** The fields that survive a new sign-in. */
  readonly keeps?: readonly string[];
  /** Shows the form. */
  readonly page: Serve;
  /** Answers the sent form. */
  readonly submit: Serve;
}

/** Returns the two routes of a form that changes the account. Both ask for a recent sign-in. */
export function formRoutes({ path, access, keeps = [], page, submit }: FormRoutes): readonly Route[] {
  const route = { path, access, recent: true } as const;
  return [
    { ...route, method: 'GET', serve: page },
    { ...route, method: 'POST', keeps, serve: submit },
  ];
}

interface FormPage {
  readonly title: string;
  /** Default: 422 if there is a `problem`, otherwise 200. Give 422 if a field has one. */
  readonly status?: number;
  /** Why the form was refused, if no field is the cause. At the head of the form. */
  readonly problem?: string | undefined;
  /** The target of the form. */
  readonly action: string;
  /** The content of the form. */
  readonly fields: ComponentChildren;
  /** The label of the button. */
  readonly submit: ComponentChildren;
  /** The effect cannot be undone. */
  readonly isDanger?: boolean;
  /** The link beside the button. */
  readonly back: ComponentChildren;
  readonly aside?: Aside;
}

/** Returns a page with one form. */
export function formPage(visit: Pick<Visit, 'csrf'>, page: FormPage): ReplyOf<'page'> {
  const { title, problem, action, fields, submit, isDanger = false, back, aside } = page;
  const { status = problem === undefined ? 200 : 422 } = page;
  const form = (
    <Form method="post" action={action}>
      <CsrfField visit={visit} />
      <Alert problem={problem} />
      {fields}
      <p class="actions">
        <button class={isDanger ? 'danger' : undefined}>{submit}</button>
        {back}
      </p>
    </Form>
  );
  const body = aside === undefined ? form : <WithAside aside={aside}>{form}</WithAside>;
  return { kind: 'page', status, title, body };
}
