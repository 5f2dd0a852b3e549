import { expect, test } from '@jest/globals';
import { readPastedIds } from './pasted-ids.ts';

test.each([
  ['one a line', 'Job1\nJob2\r\n\nJob3\n'],
  ['with commas and spaces', ' Job1, Job2 ;Job3'],
  ['as a JSON array', '["Job1", "Job2", "Job3"]'],
  ['repeated', 'Job1 Job2 Job1 Job3 Job2'],
  ['in a column', 'id\nJob1\nJob2\nJob3'],
  ['in a table with commas', 'title,id\n"Cook, night shift",Job1\nDriver,Job2\nNurse,Job3'],
  ['in a table with semicolons', '"JOB_ID";title\n"Job1";Cook\nJob2;"Driver; van"\nJob3'],
  ['in a table with tabs', 'title\tjobId\nCook\tJob1\nDriver\tJob2\nNurse\tJob3\n'],
  ['in a table whose names have the delimiter', '"title, short",id\nCook,Job1\nDriver,Job2\nNurse,Job3'],
])('ids %s', (_, text) => {
  expect(readPastedIds(text)).toEqual({ ids: ['Job1', 'Job2', 'Job3'], wrong: [] });
});

test('words that are no ids are named, once', () => {
  const long = 'x'.repeat(129);
  expect(readPastedIds(`Job1 abc Job-2 abc ${long} <id>`)).toEqual({
    ids: ['Job1'],
    wrong: ['abc', 'Job-2', long, '<id>'],
  });
});

test.each(['id,title\nJob1,"Cook', '"id,title\nJob1'])(
  '%j, which no CSV parser reads, is read as words',
  (text) => {
    expect(readPastedIds(text)).toMatchObject({
      ids: expect.arrayContaining(['Job1']),
      wrong: expect.arrayContaining(['id']),
    });
  },
);

test.each(['', ' \n,;', '[]', 'id\n'])('%j has no ids', (text) => {
  expect(readPastedIds(text)).toEqual({ ids: [], wrong: [] });
});
