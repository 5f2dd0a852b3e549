import { expect, test } from '@jest/globals';
import { endless, readAll } from './import.fixture.ts';
import { readCsv } from './read-csv.ts';

test('the header names the fields, in any order', async () => {
  const { records, error } = await readAll(readCsv, ['title, id ,note\nDév,AAAA,\n"a, ""b""",BBBB,x\n']);
  expect(error).toBeUndefined();
  expect(records.map(({ record }) => record)).toEqual([
    { title: 'Dév', id: 'AAAA', note: '' },
    { title: 'a, "b"', id: 'BBBB', note: 'x' },
  ]);
});

test('lines may end in LF or CR LF; blank lines are ignored', async () => {
  const { records } = await readAll(readCsv, ['\r\nid\r\nAAAA\n\n\r\nBBBB\r\n\n']);
  expect(records).toMatchObject([
    { line: 3, lastLine: 3, record: { id: 'AAAA' } },
    { line: 6, lastLine: 6, record: { id: 'BBBB' } },
  ]);
});

test.each(['\n', '\r\n'])(
  'a field over several lines ending in %j leaves the line numbers right',
  async (end) => {
    const file = ['id,note', 'AAAA,"1', '2', '3"', 'BBBB,x', 'CCCC'].join(end);
    const { records, error } = await readAll(readCsv, [file]);
    expect(records).toMatchObject([
      { line: 2, lastLine: 4, record: { note: `1${end}2${end}3` } },
      { line: 5, lastLine: 5 },
    ]);
    expect(error).toEqual({ line: 6, message: 'the record has 1 fields and the header has 2' });
  },
);

test.each([
  ['', 1, "there is no header with a column 'id'"],
  ['\n\n', 1, "there is no header with a column 'id'"],
  ['\nID;title\nAAAA;x', 2, "the header has no column 'id'; it is: ID,title"],
  ['id,title,title\n', 1, "the header names the column 'title' twice"],
  ['id,title\nAAAA,x\nBBBB,x,y\n', 3, 'the record has 3 fields and the header has 2'],
  ['id,title\nAAAA,x\nBBBB,"x\n\n', 3, 'a quote in the record that begins here is not closed'],
  ['id,title\nAAAA,x\nBBBB,"x\n"y\n', 3, 'in the record that begins here, text follows a closing quote'],
  ['id,title\nAAAA,x\nBBBB,x"y\n', 3, 'in the record that begins here, an unquoted field contains a quote'],
])('%j is refused on line %d: %s', async (text, line, message) => {
  const { records, error } = await readAll(readCsv, [text]);
  expect(error).toEqual({ line, message });
  expect(records).toHaveLength(text.includes('AAAA,') ? 1 : 0);
});

test('a column named __proto__ is data like any other', async () => {
  const { records } = await readAll(readCsv, ['id,__proto__\nAAAA,x\n']);
  expect(Object.entries(records[0]?.record ?? {})).toEqual([
    ['id', 'AAAA'],
    ['__proto__', 'x'],
  ]);
});

test('a record of only commas can be too large', async () => {
  const source = endless('id\nAAAA\n', () => ','.repeat(50_000));
  const reading = (async () => {
    for await (const { line } of readCsv(source.chunks())) expect(line).toBe(2);
  })();
  await expect(reading).rejects.toMatchObject({ line: 3, message: 'the record is larger than 1 MiB' });
  expect(source.bytes).toBeLessThan(1_200_000);
});
