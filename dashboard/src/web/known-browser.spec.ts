import { expect, test } from '@jest/globals';
import { addMark, browserMark, hasMark } from './known-browser.ts';

const key = Buffer.alloc(32, 1);
const markOf = (browser: string, email: string) => browserMark(key, browser, email);

test('a mark belongs to one browser and one person', () => {
  const mark = markOf('browser', 'ada@acme.example');
  const marks = addMark('', mark);
  expect(hasMark(marks, mark)).toBe(true);
  expect(hasMark(marks, markOf('other', 'ada@acme.example'))).toBe(false);
  expect(hasMark(marks, markOf('browser', 'bob@acme.example'))).toBe(false);
  expect(hasMark('', mark)).toBe(false);
});

test('a browser keeps the marks of the last four people, and nothing else', () => {
  const people = ['a', 'b', 'c', 'd', 'e'].map((name) => markOf('browser', name));
  let marks = 'planted.<script>';
  for (const mark of people) marks = addMark(marks, mark);
  expect(marks.split('.')).toEqual(people.slice(1).reverse());
  expect(addMark(marks, people[4] ?? '')).toBe(marks);
});
