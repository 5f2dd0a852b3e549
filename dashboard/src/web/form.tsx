import type { JSX } from 'preact';
import type { Visit } from './route.ts';

/** The hidden field that every form needs. */
export function CsrfField({ visit }: { readonly visit: Pick<Visit, 'csrf'> }) {
  return <input type="hidden" name="csrf" value={visit.csrf} />;
}

export interface TextFieldProps {
  readonly name: string;
  readonly label: string;
  /** Shown below the field, and read with it. */
  readonly hint?: string | undefined;
  /** Why the last value was refused. */
  readonly problem?: string | undefined;
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'text';
  /** The id of a `datalist` with suggestions. */
  readonly list?: string;
}

/** A labelled text field with its hint and its problem. */
export function TextField({ name, label, hint, problem, value, type = 'text', ...rest }: TextFieldProps) {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
  // Preact declares one type of element for each value of `type`.
  const attributes = {
    id: name,
    name,
    type,
    value,
    'aria-describedby': ids === '' ? undefined : ids,
    'aria-invalid': problem ? 'true' : undefined,
    required: rest.required,
    maxlength: rest.maxLength,
    autocomplete: rest.autocomplete,
    inputmode: rest.inputMode,
    list: rest.list,
    spellcheck: false,
  } as JSX.IntrinsicElements['input'];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      <input {...attributes} />
    </div>
  );
}
