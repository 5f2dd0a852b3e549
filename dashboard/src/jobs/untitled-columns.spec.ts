import { expect, test } from '@jest/globals';
import { setUpDeletionForms as setUp } from '../testing/deletion-forms.ts';
import { textRow } from '../testing/workbook.ts';
import { untitledColumns } from './pasted-ids.ts';

const table = 'title\tcity\toffer no\nBaker\tLyon\tHere0001\nNight cook\t-\tHere0002';
const untitled = 'No column is titled “id”: add this title, or paste only the ids.';

test('a table without a column of ids asks which one has them, and goes on to their preview', async () => {
  const { preview, post } = setUp();
  const { kind, text } = await preview(table);
  expect([kind, text.includes(untitled)]).toEqual([422, true]);
  expect(text).not.toMatch(/Leave out|Not (a job id|job ids):/);
  const choices = Array.from(
    text.matchAll(/<button class="quiet" name="column" value="(\d)">(.*?)<\/button>/g),
  );
  expect(choices.map(([, value, label = '']) => [value, label.replaceAll(/<[^>]*>/g, ' ').trim()])).toEqual([
    ['0', 'title Baker, Night cook'],
    ['1', 'city Lyon, -'],
    ['2', 'offer no Here0001, Here0002'],
  ]);
  const chosen = await post('/jobs/delete', { ids: table, column: '2' });
  expect([chosen.kind, chosen.form.ids]).toEqual([200, 'Here0001 Here0002']);
});

test('a chosen column without ids of the account keeps the table and the question', async () => {
  const { post } = setUp();
  const gone = 'title\tcity\nGone1\tIs far\nHere0001\tLyon';
  const absent = await post('/jobs/delete', { ids: gone.replace('Here0001', 'Gone2'), column: '0' });
  expect(absent.text).toContain('The account has none of these jobs.');
  expect(absent.text).toMatch(/<textarea[^>]*>title\tcity\n/);
});

test('malformed ids of a chosen column can be left out', async () => {
  const { post } = setUp();
  const { text } = await post('/jobs/delete', { ids: 'name\tcity\nHere0001\tx\nHere 2\ty', column: '0' });
  expect(text).toMatch(/Not a job id: Here·2.*Leave out 1 malformed id and go on/);
  expect(text).toMatch(/<textarea[^>]*>id\nHere0001\n&quot;Here 2&quot;<\/textarea>/);
});

test.each([
  ['Here0001, Here0002\nHere0003, b@d', 'b@d (line 2)', 0],
  ['b@d, Here0002\nHere0003, Here0004', 'b@d (line 1)', 2],
  ['b@d, -\nHere0003, Here0004', 'b@d (line 1), - (line 1)', 2],
  ['Here0001, b@d\nHere0002, x@y', 'b@d (line 1), x@y (line 2)', 1],
])('the malformed ids of %j are named and can be left out', async (ids, named, choices) => {
  const { preview, post } = setUp();
  const { text } = await preview(ids);
  expect(text).toContain(`: ${named}`);
  expect(text.match(/name="column"/g) ?? []).toHaveLength(choices);
  expect(text).toMatch(/name="leaveOut"[^>]*>Leave out \d malformed ids? and go on/);
  expect((await post('/jobs/delete', { ids, leaveOut: 'yes' })).kind).toBe(200);
});

test('a choice has a bound of columns and of letters', async () => {
  const wide = Array.from({ length: 40 }, (_, index) => `-${String(index)}${'x'.repeat(90)}`).join(',');
  const ids = Array.from({ length: 40 }, () => 'Here0001'.repeat(9)).join(',');
  const { text } = await setUp().preview(`${wide}\n${ids}`);
  expect(text.match(/name="column"/g)).toHaveLength(12);
  expect(text).toContain('>-0xxxxxxxxxxxxxxxxxxxxxx…<span class="second">Here0001Here0001Here0001…</span>');
});

test('a sheet without a column of ids is refused with what to do', async () => {
  const { readWorkbook } = setUp();
  const { text } = await readWorkbook(textRow('title', 'city') + textRow('Night cook', 'Lyon', '-'));
  expect(text).toContain(untitled);
  expect(text).not.toContain('Leave out');
  expect(text).toMatch(/<textarea[^>]*><\/textarea>/);
});

test.each([
  ['a list', 'Here0001\nHere0002'],
  ['a line', 'Here0001, Here0002, -'],
  ['a list with commas at the ends', 'Here0001,\n-,'],
  ['lines of ids of one length', 'Here0001, Here0002\nHere0003, -'],
  ['lines of different length', 'Here0001, Here0002\nHere0003'],
  ['a table with a column of ids', 'id,city\nHere0001,Lyon'],
  ['a feed', '<a>,\n</a>,'],
])('%s has no columns to choose from', (_, text) => {
  expect(untitledColumns(text)).toEqual([]);
});

test('the first cell of a column is its title, unless it may be an id', () => {
  expect(untitledColumns('Here0001;Nurse\n;Cook')).toEqual([
    { index: 0, title: '', cells: ['Here0001', ''] },
    { index: 1, title: 'Nurse', cells: ['Cook'] },
  ]);
});
