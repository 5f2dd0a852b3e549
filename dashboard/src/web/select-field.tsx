import { Field, fieldAttributes, type FieldProps } from './form.tsx';

export interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
}

/** A labelled list of choices with its hint and its problem. */
export function SelectField({ options, value, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      <select {...fieldAttributes(field)}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  );
}
