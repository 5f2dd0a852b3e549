import { Form, SelectField, type SelectFieldProps, TextField, type TextFieldProps } from './form.tsx';

interface SelectFilterProps {
  /** The page that shows what is chosen. */
  readonly action: string;
  readonly button: string;
  /** The text of the link to the page without a choice. */
  readonly clear: string;
  readonly fields: readonly SelectFieldProps[];
}

/** Filters a page by lists. */
export function SelectFilter({ action, button, clear, fields }: SelectFilterProps) {
  return (
    <Form method="get" action={action} class="inline">
      {fields.map((field) => (
        <SelectField {...field} />
      ))}
      <button class="quiet">{button}</button>
      {fields.some(({ value }) => value !== '') && <a href={action}>{clear}</a>}
    </Form>
  );
}

interface SearchFormProps extends Omit<TextFieldProps, 'autocomplete'> {
  /** The page of the list that is searched. */
  readonly action: string;
  readonly button: string;
}

/** A search above a list. Its label is out of view. */
export function SearchForm({ action, button, ...field }: SearchFormProps) {
  return (
    <Form method="get" action={action} class="inline find" role="search">
      <TextField {...field} autocomplete="off" />
      <button class="quiet">{button}</button>
    </Form>
  );
}
