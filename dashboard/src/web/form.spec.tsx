import { expect, test } from '@jest/globals';
import { htmlOf } from '../testing/visit-page.ts';
import { details } from './aside.tsx';
import { formPage, RadioField, SelectField, TextArea, TextField } from './form.tsx';

const field = { name: 'field', label: 'Field', value: 'a', options: [{ value: 'a', text: 'A' }] };

test.each([
  ['a line of text', TextField, {}],
  ['lines of text', TextArea, { rows: 3 }],
  ['a list', SelectField, {}],
  ['choices', RadioField, {}],
] as const)('the browser focuses %s only with a problem', (_, Control, more) => {
  const shown = (problem?: string) => {
    const body = <Control {...{ ...field, rows: 1, ...more, problem }} />;
    return htmlOf({ kind: 'page', status: 200, title: '', body });
  };
  expect(shown()).not.toContain('autofocus');
  expect(shown('Wrong.').match(/<(input|textarea|select)[^>]* autofocus/g)).toHaveLength(1);
});

test('of choices with a problem, the browser focuses the chosen one, otherwise the first', () => {
  const options = ['a', 'b'].map((value) => ({ value, text: value }));
  const focusedOf = (value: string) => {
    const body = <RadioField name="field" label="Field" options={options} value={value} problem="Wrong." />;
    const html = htmlOf({ kind: 'page', status: 200, title: '', body });
    return [...html.matchAll(/value="(\w)"[^>]* autofocus/g)].map(([, each]) => each);
  };
  expect([focusedOf('b'), focusedOf('c')]).toEqual([['b'], ['a']]);
});

test('the facts of what a form changes come after it', () => {
  const back = <a href="/">Back</a>;
  const aside = details('en', 'of a key');
  const html = htmlOf(
    formPage({ csrf: '' }, { title: '', action: '/', fields: '', submit: 'Send', back, aside }),
  );
  expect(html.match(/Details|Send/g)).toEqual(['Send', 'Details']);
});
