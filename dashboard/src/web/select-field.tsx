export interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
  readonly hint?: string | undefined;
  /** Why the last value was refused. */
  readonly problem?: string | undefined;
}

/** A labelled list of choices with its hint and its problem. */
export function SelectField({ name, label, options, value, hint, problem }: SelectFieldProps) {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ');
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
      <select
        id={name}
        name={name}
        aria-describedby={ids === '' ? undefined : ids}
        aria-invalid={problem ? 'true' : undefined}
      >
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
