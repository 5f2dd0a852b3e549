import { expect, test } from '@jest/globals';
import { readAll } from './import.fixture.ts';
import { readNdjson } from './formats.ts';

test('each line that is not blank is a record, with or without a last newline', async () => {
  const { records, error } = await readAll(readNdjson, ['\n{"id":"AAAA","n":1}\r\n \t\n\n{"id":"BBBB"}']);
  expect(error).toBeUndefined();
  expect(records).toMatchObject([
    { line: 2, lastLine: 2, record: { id: 'AAAA', n: 1 } },
    { line: 5, lastLine: 5, record: { id: 'BBBB' } },
  ]);
});

test.each(['', '\n\n', '\uFEFF'])('%j has no records', async (text) => {
  expect(await readAll(readNdjson, [text])).toEqual({ records: [], error: undefined });
});

test.each([
  ['{"id":"BBBB"', /^the record is not valid JSON \(/],
  ['{"id":"BBBB"} {"id":"CCCC"}', /^the record is not valid JSON \(/],
  ['{"id":"BB\u0001BB"}', /^the record is not valid JSON \(\P{Cc}*\)$/u],
  ['["BBBB"]', /^the record is not a JSON object$/],
  ['null', /^the record is not a JSON object$/],
  ['"BBBB"', /^the record is not a JSON object$/],
])('%s is refused with its line, after the records before it', async (bad, message) => {
  const { records, error } = await readAll(readNdjson, [`{"id":"AAAA"}\n\n${bad}\n{"id":"DDDD"}\n`]);
  expect(records.map(({ record }) => record)).toEqual([{ id: 'AAAA' }]);
  expect(error).toEqual({ line: 3, message: expect.stringMatching(message) });
});

test('a member named __proto__ is data like any other', async () => {
  const { records } = await readAll(readNdjson, ['{"id":"AAAA","__proto__":{"x":1}}']);
  expect(Object.keys(records[0]?.record ?? {})).toEqual(['id', '__proto__']);
});
