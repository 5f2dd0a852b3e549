import { expect, test } from '@jest/globals';
import { htmlOf } from '../testing/visit-page.ts';
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

test.each([
  ['facts come before the form', true, ['Facts', 'Send']],
  ['a guide comes after the form', false, ['Send', 'Facts']],
])('at the side of a page, %s', (_, isFirst, order) => {
  const back = <a href="/">Back</a>;
  const aside = { title: 'Facts', content: 'of a key', isFirst };
  const html = htmlOf(
    formPage({ csrf: '' }, { title: '', action: '/', fields: '', submit: 'Send', back, aside }),
  );
  expect(html.match(/Facts|Send/g)).toEqual(order);
});
