import { expect, test } from '@jest/globals';
import { csvLine } from './safe-text.ts';

test('each field is in quotes, and a quote is doubled', () => {
  expect(csvLine(['a', 'b "c", d', undefined, 12])).toBe('"a","b ""c"", d","","12"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '＝1'])(
  'the text %j starts with an apostrophe',
  (text) => {
    expect(csvLine([text])).toBe(`"'${text}"\r\n`);
  },
);

test('a negative number and a text with a later sign stay as they are', () => {
  expect(csvLine([-1, 'a=1'])).toBe('"-1","a=1"\r\n');
});
