import { expect, jest, test } from '@jest/globals';
import { Zip, ZipDeflate, strToU8, zipSync, type Zippable } from 'fflate';
import { packWorkbook, workbookParts } from '../testing/workbook.ts';
import { readWorkbookIds } from './workbook-ids.ts';
import { openWorkbook } from './workbook-part.ts';
import { Refused, createXmlParser } from './xml-ids.ts';

const unreadable = { ids: [], wrong: [], problem: 'binary' };
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
const read = (rows: string, parts: Zippable = {}) =>
  readWorkbookIds(zipSync({ ...workbookParts(rows), ...parts }));
const part = (xml: string) => strToU8(xml);
const someIds = row(text('id')) + row(text('Job1'));

test.each([
  ['in a column with a title', row(text('Title'), text('Job ID')) + row(text('Cook'), text('Job1'))],
  ['below empty rows', row() + row(text(' ')) + row(text('id')) + row() + row(text('Job1'))],
  [
    'below a name that has spaces, with an empty cell before it',
    row(text(''), text('Reference Number')) + row(text('Cook'), text('Job1')),
  ],
  [
    'in the order of the titles of a CSV table',
    row(text('guid'), text('id')) + row(text('Else'), text('Job1')),
  ],
  [
    'at their references',
    `<row><c r="AB1" t="str"><v>id</v></c></row><row>${text('Cook')}<c r="AB2" t="str"><v>Job1</v></c></row>`,
  ],
  ['without a title', row() + row(text('"Job1",'))],
  ['of a formula', row(text('id')) + row('<c t="str"><f>"Job"&amp;1</f><v>Job1</v></c>')],
  [
    'with formats inside',
    row(text('id')) + row('<c t="inlineStr"><is><r><t>Jo</t></r><r><rPr><b/></rPr><t>b1</t></r></is></c>'),
  ],
  [
    'with their reading',
    row(text('id')) + row('<c t="inlineStr"><is><t>Job1</t><rPh sb="0" eb="1"><t>ジョブ</t></rPh></is></c>'),
  ],
  ['in CDATA, with spaces', row(text('id')) + row(text('\n <![CDATA[Job1]]> '))],
  [
    'in rows that no filter hides',
    row(text('id')) + row(text('Job1')) + `<row hidden="1">${text('Job2')}</row>`,
  ],
  ['with a prefix of their namespace', (row(text('id')) + row(text('Job1'))).replaceAll(/(<\/?)/g, '$1x:')],
])('ids are read %s', async (_, rows) => {
  expect(await read(rows)).toEqual({ ids: ['Job1'], wrong: [] });
});

test('ids are read from the strings that sheets share', async () => {
  const strings = part(
    '<sst><si><t>id</t></si><si><r><t>Job</t></r><r><t xml:space="preserve">1 </t></r><rPh><t>x</t></rPh></si><si><t/></si></sst>',
  );
  const shared = (index: string) => row(`<c t="s"><v>${index}</v></c>`);
  const rows = ['0', '1', '2', '1'].map(shared).join('');
  expect(await read(rows, { 'xl/sharedStrings.xml': strings })).toEqual({
    ids: ['Job1'],
    wrong: [],
    repeated: ['Job1'],
  });
  expect(await read(rows + shared('3'), { 'xl/sharedStrings.xml': strings })).toEqual(unreadable);
  expect(await read(rows)).toEqual(unreadable);
});

test('a number is an id with all of its digits, or none', async () => {
  const numbers = [
    '123456',
    '1.23456E5',
    '999999999999999',
    '1234567890123450',
    '1E+20',
    '1E20',
    '1234.5',
    '1e-7',
    '-1234',
  ];
  const rows = numbers.map((number) => row(`<c><v>${number}</v></c>`)).join('');
  expect(await read(row(text('id')) + rows)).toEqual({
    ids: ['123456', '999999999999999'],
    repeated: ['123456'],
    wrong: ['1.23456789012345e+15', '1e+20', '1234.5', '1e-7', '-1234'],
  });
});

test('a number is the id that its format shows, or none', async () => {
  const styles = part(
    `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="000000"/><numFmt numFmtId="165" formatCode="yyyy"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs>${['0', '1', '49', '164', '165', '14', '3'].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
  );
  const rows = Array.from({ length: 8 }, (_, s) =>
    row(`<c s="${String(s)}"><v>4500${String(s)}</v></c>`),
  ).join('');
  expect(await read(row(text('id')) + rows, { 'xl/styles.xml': styles })).toEqual({
    ids: ['45000', '45001', '45002', '045003', '45007'],
    wrong: ['45004 (yyyy)', '45005 (14)', '45006 (3)'],
  });
});

test('a workbook with a format longer than XLSX allows is refused', async () => {
  const styles = (length: number) => ({
    'xl/styles.xml': part(
      `<styleSheet><numFmt numFmtId="164" formatCode="${'0'.repeat(length)}"/></styleSheet>`,
    ),
  });
  expect(await read(someIds, styles(255))).toEqual({ ids: ['Job1'], wrong: [] });
  expect(await read(someIds, styles(256))).toEqual(unreadable);
});

test.each(['1E999', 'Job1'])('a workbook with the number %s is refused', async (number) => {
  expect(await read(row(`<c><v>${number}</v></c>`))).toEqual(unreadable);
});

test('texts of the column that are no ids are named, and errors and dates too', async () => {
  const cells = [
    text('Job 1'),
    '<c t="e"><v>#N/A</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c t="d"><v>2026-01-01</v></c>',
  ];
  expect(await read(row(text('id')) + cells.map((cell) => row(cell)).join(''))).toEqual({
    ids: [],
    wrong: ['Job 1', '#N/A', '1', '2026-01-01'],
  });
});

test('the ids are those of the first sheet that is visible and has cells', async () => {
  const sheets = [
    ['hidden', 'rId1'],
    ['veryHidden', 'rId2'],
    ['visible', 'rId3'],
    ['visible', 'rId4'],
    ['visible', 'rId5'],
  ].map(([state = '', id = '']) => `<sheet name="x" state="${state}" r:id="${id}"/>`);
  const relations = ['worksheet', 'worksheet', 'chartsheet', 'worksheet', 'worksheet'].map(
    (type, index) =>
      `<Relationship Id="rId${String(index + 1)}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${type}" Target="/xl/worksheets/${String(index)}.xml"/>`,
  );
  const sheet = (id: string) =>
    part(`<worksheet><sheetData>${row(text('id'))}${row(text(id))}</sheetData></worksheet>`);
  const parts = {
    'xl/workbook.xml': part(`<workbook xmlns:r="r"><sheets>${sheets.join('')}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': part(`<Relationships>${relations.join('')}</Relationships>`),
    ...Object.fromEntries(
      [0, 1, 2, 3, 4].map((n) => [`xl/worksheets/${String(n)}.xml`, sheet(`Job${String(n)}`)]),
    ),
  };
  expect(await read('', parts)).toEqual({ ids: ['Job3'], wrong: [] });
  const hidden =
    '<workbook xmlns:r="r"><sheets><sheet name="x" state="hidden" r:id="rId1"/></sheets></workbook>';
  expect(await read('', { ...parts, 'xl/workbook.xml': part(hidden) })).toEqual(unreadable);
});

test.each(Object.keys(workbookParts(someIds)))('a workbook without %s is refused', async (name) => {
  const others = Object.entries(workbookParts(someIds)).filter(([other]) => other !== name);
  expect(await readWorkbookIds(zipSync(Object.fromEntries(others)))).toEqual(unreadable);
});

const sheetName = 'xl/worksheets/sheet1.xml';

test.each([
  ['XML that is cut off', part('<worksheet><sheetData>')],
  ['XML with two roots', part('<worksheet/><worksheet/>')],
  ['an unknown entity', part('<worksheet><sheetData><row><c><v>&x;</v></c></row></sheetData></worksheet>')],
  ['a DOCTYPE', part(`<!DOCTYPE worksheet><worksheet><sheetData>${someIds}</sheetData></worksheet>`)],
  ['text that is not UTF-8', new Uint8Array([...part('<worksheet>'), 0xff, ...part('</worksheet>')])],
  ['nothing', part('')],
  ['elements in elements without end', part('<a>'.repeat(101) + '</a>'.repeat(101))],
  [
    'an element with many attributes',
    part(`<worksheet ${Array.from({ length: 101 }, (_, index) => `a${String(index)}=""`).join(' ')}/>`),
  ],
  [
    'a cell longer than a cell can be',
    part(`<worksheet><sheetData>${row(text('x'.repeat(32_768)))}</sheetData></worksheet>`),
  ],
  [
    'a column after the last one',
    part('<worksheet><sheetData><row><c r="XFE1"><v>1</v></c></row></sheetData></worksheet>'),
  ],
])('a sheet with %s is refused', async (_, content) => {
  expect(await read('', { [sheetName]: content })).toEqual(unreadable);
});

test('an archive is refused that is cut off, has too many entries, or two parts with one name', async () => {
  const archive = packWorkbook(someIds);
  expect(await readWorkbookIds(archive)).toMatchObject({ ids: ['Job1'] });
  for (const length of [0, 4, 40, archive.indexOf(0x50, 4), 500])
    expect(await readWorkbookIds(archive.subarray(0, length))).toEqual(unreadable);
  expect(await readWorkbookIds(new Uint8Array(2_000_000))).toEqual(unreadable);

  const filler = Object.fromEntries(
    Array.from({ length: 95 }, (__, index) => [`filler/${String(index)}`, part('x')]),
  );
  expect(await read(someIds, filler)).toMatchObject({ ids: ['Job1'] });
  expect(await read(someIds, { ...filler, 'filler/95': part('x') })).toEqual(unreadable);

  const twice = new Uint8Array([...archive, ...archive]);
  expect(await readWorkbookIds(twice)).toEqual(unreadable);
});

/** Returns the archive with another unpacked size in the header of each part. */
function claiming(bytes: number, archive: Uint8Array): Uint8Array {
  const view = new DataView(archive.slice().buffer);
  for (let at = 0; view.getUint32(at, true) === 0x04_03_4b_50;) {
    view.setUint32(at + 22, bytes, true);
    at += 30 + view.getUint32(at + 18, true) + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  }
  return new Uint8Array(view.buffer);
}

test('a workbook of few bytes with a sheet of 100 MB is refused while it is unpacked, whatever its headers say', async () => {
  const bomb = packWorkbook(someIds + ' '.repeat(100_000_000));
  expect(bomb.length).toBeLessThan(150_000);
  for (const archive of [bomb, claiming(1_000, bomb), claiming(0, bomb)]) {
    expect(await readWorkbookIds(archive)).toEqual(unreadable);
    const parser = createXmlParser({ open: () => undefined });
    const write = jest.spyOn(parser, 'write');
    await expect(openWorkbook(archive).parse(sheetName, parser)).rejects.toThrow(Refused);
    const parsed = write.mock.calls.reduce((sum, [chunk]) => sum + (chunk as string).length, 0);
    expect(parsed).toBeLessThan(21_000_000);
  }
  expect(await readWorkbookIds(claiming(4_000_000_000, packWorkbook(someIds)))).toMatchObject({
    ids: ['Job1'],
  });
});

test('all parts together may not be unpacked to too much, nor may there be too many words', async () => {
  const strings = part(`<sst>${' '.repeat(12_000_000)}</sst>`);
  expect(await read(someIds, { 'xl/sharedStrings.xml': strings })).toMatchObject({ ids: ['Job1'] });
  expect(await read(someIds + ' '.repeat(12_000_000), { 'xl/sharedStrings.xml': strings })).toEqual(
    unreadable,
  );
  const numbers = Array.from({ length: 200_001 }, (_, index) => `<row><c><v>${String(index)}</v></c></row>`);
  expect((await read(numbers.slice(1).join(''))).ids.length).toBeGreaterThan(190_000);
  expect(await read(numbers.join(''))).toEqual(unreadable);
});

test('repeated ids are named, in a column and among the words of cells, where a form can have them all', async () => {
  const repeated = ['Job1', 'Job1', 'Job2'];
  const column =
    row(text('id')) + ['Job1', 'Job1', 'Job2', 'Job1', 'Job2'].map((id) => row(text(id))).join('');
  const cells = row(text('Job1, Job1')) + row(text('Job2')) + row(text('Job1'), text('Job2'));
  for (const rows of [column, cells])
    expect(await read(rows)).toEqual({ ids: ['Job1', 'Job2'], wrong: [], repeated });
  const tooMany = await read(row(text('id')) + row(text('Job1')).repeat(10_001));
  expect(tooMany).toEqual({ ids: ['Job1'], wrong: [] });
  expect(await read(column + row(text(''), text('Cook')).repeat(10_001))).toMatchObject({ repeated });
});

test('a text that every cell shares is read once', async () => {
  const strings = part(`<sst><si><t>${'Job1 '.repeat(6_000)}</t></si></sst>`);
  const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(300_000);
  expect(await read(rows, { 'xl/sharedStrings.xml': strings })).toEqual({ ids: ['Job1'], wrong: [] });
});

test('the parts of a streamed archive, whose sizes follow them, are read', async () => {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_, chunk) => chunks.push(chunk));
  for (const [name, content] of Object.entries(workbookParts(someIds))) {
    const entry = new ZipDeflate(name);
    zip.add(entry);
    entry.push(content, true);
  }
  zip.end();
  expect(await readWorkbookIds(Buffer.concat(chunks))).toEqual({ ids: ['Job1'], wrong: [] });
});
