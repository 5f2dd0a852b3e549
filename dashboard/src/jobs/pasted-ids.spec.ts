import { expect, test } from '@jest/globals';
import { readPastedIds } from './pasted-ids.ts';

test.each([
  ['one a line', 'Job1\nJob2\r\n\nJob3\n'],
  ['with commas and spaces', ' Job1, Job2 ;Job3'],
  ['as a JSON array', '["Job1", "Job2", "Job3"]'],
  ['in a DELETE body of the API', '{"jobs": {"job": [{"id": "Job1"}, {"id": "Job2"}, {"id": "Job3"}]}}\n'],
  ['repeated', 'Job1 Job2 Job1 Job3 Job2'],
  ['in a column', 'id\nJob1\nJob2\nJob3'],
  ['in a table with commas', 'title,id\n"Cook, night shift",Job1\nDriver,Job2\nNurse,Job3'],
  ['in a table with semicolons', '"JOB_ID";title\n"Job1";Cook\nJob2;"Driver; van"\nJob3'],
  ['in a table with tabs', 'title\tjobId\nCook\tJob1\nDriver\tJob2\nNurse\tJob3\n'],
  ['in a column copied from a spreadsheet', 'Job1\r\nJob2\r\nJob3\r\n'],
  ['in cells copied from a spreadsheet', 'Job1\tJob2\r\nJob3\t\r\n'],
  ['in a table copied from a spreadsheet', 'Title\tJob ID\r\nCook\tJob1\r\nDriver\tJob2\r\nNurse\tJob3\r\n'],
  ['in a table whose name has spaces', 'Reference Number\tTitle\nJob1\tCook\nJob2\tDriver\nJob3\tNurse'],
  ['in a table whose first name is missing', '\tid\nCook\tJob1\nDriver\tJob2\nNurse\tJob3'],
  [
    'in a file that begins with a mark and empty lines',
    '\ufeff\r\n \nid,title\nJob1,Cook\nJob2,Driver\nJob3,Nurse',
  ],
  ['in a table with several columns of ids', 'reference,id\nA,Job1\nB,Job2\nC,Job3'],
  ['in a table whose names have the delimiter', '"title, short",id\nCook,Job1\nDriver,Job2\nNurse,Job3'],
])('ids %s', (name, text) => {
  expect(readPastedIds(text)).toEqual({
    ids: ['Job1', 'Job2', 'Job3'],
    wrong: [],
    ...(name === 'repeated' && { repeated: ['Job1', 'Job2'] }),
  });
});

test('a column without a title is not that of the ids', () => {
  expect(readPastedIds(',Cook\nJob1,Nurse')).toEqual({ ids: ['Cook', 'Job1', 'Nurse'], wrong: [] });
});

test('words that are no ids are named, once', () => {
  const long = 'x'.repeat(129);
  expect(readPastedIds(`Job1 abc Job-2 abc ${long} <id>`)).toEqual({
    ids: ['Job1'],
    wrong: ['abc', 'Job-2', long, '<id>'],
  });
});

test.each(['id,title\nJob1,"Cook', '"id,title\nJob1', '{"id": ["Job1"', '{"id": ["Job1", "id"]}'])(
  '%j, which no parser reads, is read as words',
  (text) => {
    expect(readPastedIds(text)).toMatchObject({
      ids: expect.arrayContaining(['Job1']),
      wrong: expect.arrayContaining(['id']),
    });
  },
);

test.each([
  [
    'a DELETE body of the API',
    '<?xml version="1.0" encoding="UTF-8"?>\n<jobs><job><id>Job1</id></job><job><id> Job2\n</id></job></jobs>',
  ],
  [
    'a feed',
    `\ufeff<?xml version="1.0" encoding="ISO-8859-1"?><?xml-stylesheet href="x"?>
    <source><!-- A & B --><publisher>Acme</publisher>
      <job><title><![CDATA[Cook & <b>chef</b>]]></title><referencenumber><![CDATA[Job1]]></referencenumber></job>
      <job><title>Driver &amp; more</title><ReferenceNumber>Job2</ReferenceNumber></job>
    </source>`,
  ],
  [
    'an RSS feed',
    '<rss xmlns:g="urn:g"><channel><item><g:id>Job1</g:id></item><item><g:id>Job2</g:id></item></channel></rss>',
  ],
  [
    'the first name that occurs, not another one',
    '<f><job><guid>Else1</guid><jobid>Job1</jobid></job><job><guid>Else2</guid><jobid>Job2</jobid></job></f>',
  ],
  [
    'ids of jobs, not those inside of other elements',
    '<f><job><id>Job1</id><place><id>Else1</id></place></job><job><place><id>Else2</id></place><id>Job2</id></job></f>',
  ],
  ['elements without elements in them', '<f><id>Job1</id><id>Else<b/>Else</id><id>Job2</id></f>'],
  ['an empty id', '<f><id>Job1</id><id/><id></id><id>Job2</id></f>'],
])('the ids of XML are those of %s', (_, text) => {
  expect(readPastedIds(text)).toEqual({ ids: ['Job1', 'Job2'], wrong: [] });
});

test('an element whose text is no id is named', () => {
  const text = '<f><guid>Job1</guid><guid>https://jobs.example.com/2</guid><guid>Job 3</guid></f>';
  expect(readPastedIds(text)).toEqual({ ids: ['Job1'], wrong: ['https://jobs.example.com/2', 'Job 3'] });
});

test.each([
  ['without an element for ids', '<jobs><job><name>Job1</name></job></jobs>'],
  ['that is cut off', '<jobs><job><id>Job1</id></job>'],
  ['with two roots', '<id>Job1</id><id>Job2</id>'],
  ['with text after it', '<jobs><id>Job1</id></jobs> Job2'],
  ['with a bare &', '<jobs><id>Job1</id><t>A & B</t></jobs>'],
  ['with an unknown entity', '<jobs><id>Job1</id><t>&nbsp;</t></jobs>'],
  ['with a DOCTYPE', '<!DOCTYPE jobs><jobs><id>Job1</id></jobs>'],
  ['with an entity', '<!DOCTYPE a [<!ENTITY x "Job1">]><jobs><id>&x;</id></jobs>'],
  ['with elements in elements without end', `${'<a>'.repeat(101)}<id>Job1</id>${'</a>'.repeat(101)}`],
  ['that is no XML', '< Job1'],
  ['that is nothing', '<'],
])('no id is read from XML %s', (_, text) => {
  expect(readPastedIds(text)).toEqual({ ids: [], wrong: [], problem: 'xml' });
});

test.each([
  ['a spreadsheet', 'PK\u0003\u0004'],
  ['an old spreadsheet', '\ufffd\ufffd\u0011\ufffd'],
  ['UTF-16', '\ufffd\ufffdi\0'],
])('a file of %s is no text', (_, text) => {
  expect(readPastedIds(text)).toEqual({ ids: [], wrong: [], problem: 'binary' });
});

test.each(['', ' \n,;', '[]', 'id\n'])('%j has no ids', (text) => {
  expect(readPastedIds(text)).toEqual({ ids: [], wrong: [] });
});
