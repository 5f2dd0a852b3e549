import { describe, expect, test } from '@jest/globals';
import { readAll } from './import.fixture.ts';
import { readJson } from './read-json.ts';

describe('the records', () => {
  test.each([
    ['an array', '[{"id":"AAAA"},{"id":"BBBB"}]'],
    ['the API’s form', '{"jobs":{"job":[{"id":"AAAA"},{"id":"BBBB"}]}}'],
    ['ids only', '["AAAA", "BB\\u0042B"]'],
    ['white space everywhere', ' \r\n{ "jobs" : {\n"job" :\t[ {"id":"AAAA"} ,\n {"id":"BBBB"} ] } } \n'],
  ])('of %s are its objects', async (_, text) => {
    const { records, error } = await readAll(readJson, [text]);
    expect(error).toBeUndefined();
    expect(records.map(({ record }) => record)).toEqual([{ id: 'AAAA' }, { id: 'BBBB' }]);
  });

  test('have their first and last lines', async () => {
    const { records } = await readAll(readJson, ['[\n{"id":\n"AAAA"},\n\n{\n\n}]']);
    expect(records).toMatchObject([
      { line: 2, lastLine: 3 },
      { line: 5, lastLine: 7 },
    ]);
  });

  test.each(['[]', '{"jobs":{"job":[ ]}}'])('of %s are none', async (text) => {
    expect(await readAll(readJson, [text])).toEqual({ records: [], error: undefined });
  });

  test('may have brackets, quotes and backslashes in strings', async () => {
    const job = { id: 'AAAA', 'a"]}': '\\"{[\\', nested: [{ b: ['}'] }], '\\': '\\\\' };
    const { records } = await readAll(readJson, [JSON.stringify([job, job])]);
    expect(records.map(({ record }) => record)).toEqual([job, job]);
  });
});

const form = 'the file must hold an array of objects or ids, or {"jobs": {"job": [ … ]}}';
const more = 'there must be nothing after the list of jobs';
test.each([
  ['', 1, form, 0],
  ['\n\n"x"', 3, form, 0],
  ['{"id":"AAAA"}', 1, form, 0],
  ['{"jobs":[{"id":"AAAA"}]}', 1, form, 0],
  ['{"jobs":{"job":{"id":"AAAA"}}}', 1, form, 0],
  ['{"jobs"', 1, form, 0],
  ['[', 1, 'the file ends inside the list of jobs', 0],
  ['[\n{"id":"AAAA"}\n', 3, 'the file ends inside the list of jobs', 1],
  ['[\n{"id":"AAAA"},', 2, 'the file ends inside the list of jobs', 1],
  ['[{"id":"AAAA"},\n{"id":\n', 2, 'the file ends inside the record that begins here', 1],
  ['[{"id":"AAAA"} {"id":"BBBB"}]', 1, 'there must be a comma between two jobs', 1],
  ['[{"id":"AAAA"},\n]', 2, 'each job in the list must be an object or an id', 1],
  ['[,{"id":"AAAA"}]', 1, 'each job in the list must be an object or an id', 0],
  ['[{"id":"AAAA"},,{"id":"BBBB"}]', 1, 'each job in the list must be an object or an id', 1],
  ['[{"id":"AAAA"},\n7]', 2, 'each job in the list must be an object or an id', 1],
  ['["AAAA",\n"BBBB', 2, 'the file ends inside the record that begins here', 1],
  ['[[{"id":"AAAA"}]]', 1, 'each job in the list must be an object or an id', 0],
  ['[{"id":"AAAA"}]\n[]', 2, more, 1],
  ['[{"id":"AAAA"}]}', 1, more, 1],
  ['{"jobs":{"job":[{"id":"AAAA"}]},\n"total":1}', 1, more, 1],
  ['{"jobs":{"job":[{"id":"AAAA"}]}', 1, more, 1],
])('%j is refused on line %d: %s', async (text, line, message, before) => {
  const { records, error } = await readAll(readJson, [text]);
  expect(error).toEqual({ line, message });
  expect(records).toHaveLength(before);
});

test.each([
  '[{"id":"AAAA"},\n{"id":"BBBB",}]',
  '[{"id":"AAAA"},\n{"id":["BBBB"}]}]',
  '[{"id":"AAAA"},\n{\'id\':1}]',
])('%j is refused for invalid JSON in a record', async (text) => {
  const { records, error } = await readAll(readJson, [text]);
  expect(error).toEqual({ line: 2, message: expect.stringMatching(/^the record is not valid JSON \(/) });
  expect(records).toHaveLength(1);
});
