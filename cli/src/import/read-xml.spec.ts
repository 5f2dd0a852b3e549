import { expect, test } from '@jest/globals';
import { endless, readAll } from './import.fixture.ts';
import { readXml } from './read-xml.ts';

async function recordOf(job: string): Promise<unknown> {
  const { records, error } = await readAll(readXml, [`<jobs>${job}</jobs>`]);
  expect(error).toBeUndefined();
  expect(records).toHaveLength(1);
  return records[0]?.record;
}

test.each([
  ['<job><id> ABC1\n</id></job>', { id: 'ABC1' }],
  ['<job><id><![CDATA[ ABC1 ]]></id></job>', { id: 'ABC1' }],
  [
    '<job> <id> <![CDATA[AB]]> C1 </id> <t a=" b "> c </t> </job>',
    { id: 'AB C1', t: { '#text': 'c', '@_a': 'b' } },
  ],
  ['<job><id kind="x">ABC1</id></job>', { id: 'ABC1' }],
  ['<job><id>0123</id><n>1.50</n><b>true</b><e/></job>', { id: '0123', n: '1.50', b: 'true', e: '' }],
  ['<job ref="r" ><id>ABC1</id ></job >', { id: 'ABC1', '@_ref': 'r' }],
  ['<job><id>ABC1</id><a x="1">t</a><a/></job>', { id: 'ABC1', a: [{ '#text': 't', '@_x': '1' }, ''] }],
  ['<job><id>ABC1</id><!-- <job> --><?p <job>?><t><![CDATA[<job>]]></t></job>', { id: 'ABC1', t: '<job>' }],
  ['<job><id>ABC1</id><job><id>X</id></job></job>', { id: 'ABC1', job: { id: 'X' } }],
  ['<job\n a=">"><id>ABC1</id></job>', { id: 'ABC1', '@_a': '>' }],
  [
    "<job><?p it's <?><id>ABC1</id><!-- it's <?p --><t><![CDATA[<?p?>]]></t></job>",
    { id: 'ABC1', t: '<?p?>' },
  ],
  ["<job a='\"/>'><id>ABC1</id></job >", { id: 'ABC1', '@_a': '"/>' }],
  ['<job><jobs/><job/><id>ABC1</id></job>', { id: 'ABC1', jobs: '', job: '' }],
  ['<job/>', {}],
  ['<job></job>', {}],
])('%s is read', async (job, record) => {
  expect(await recordOf(job)).toEqual(record);
});

test('predefined entities and character references are decoded once', async () => {
  const record = await recordOf(
    '<job><id>ABC1</id><t a="&#34;&quot;">&lt;&gt;&amp;&apos;&#233;&#x1F600;&amp;lt;&#38;amp;</t></job>',
  );
  expect(record).toEqual({ id: 'ABC1', t: { '#text': "<>&'é😀&lt;&amp;", '@_a': '""' } });
});

test('a posting may hold any number of references', async () => {
  const record = await recordOf(`<job><id>ABC1</id><t>${'&amp;'.repeat(150_000)}</t></job>`);
  expect(record).toEqual({ id: 'ABC1', t: '&'.repeat(150_000) });
});

test('each record has its first and last line', async () => {
  const file =
    '<?xml version="1.0"?>\r\n<jobs>\n<job>\n<id>AAAA</id></job><job\n\nx=""><id>BBBB</id>\n</job></jobs>';
  const { records } = await readAll(readXml, [file]);
  expect(records).toMatchObject([
    { line: 3, lastLine: 4, record: { id: 'AAAA' } },
    { line: 4, lastLine: 7, record: { id: 'BBBB' } },
  ]);
});

test('elements may be nested 100 levels deep', async () => {
  const deep = `${'<a>'.repeat(98)}${'</a>'.repeat(98)}`;
  const { records, error } = await readAll(readXml, [`<jobs><job>${deep}</job></jobs>`]);
  expect(error).toBeUndefined();
  expect(records).toHaveLength(1);
});

test('a feed may have another root, other elements, and another element with the id', async () => {
  const idElements = new Map([['source', 'referencenumber']]);
  const text =
    '<?xml version="1.0" encoding="utf-8"?>\n<source>\n<publisher>A & B</publisher><x/><a.b>1</a.b>' +
    '<job><id>other</id><referencenumber><![CDATA[AAAA]]></referencenumber></job></source>';
  const read = (input: Parameters<typeof readXml>[0]) => readXml(input, { idElements, skipsOthers: true });
  expect((await readAll(read, [text])).records).toMatchObject([{ record: { id: 'AAAA' } }]);
  const cut = await readAll(read, [text.replace('</source>', '')]);
  expect(cut.error?.message).toBe('the file ends before </source>');
});

const good = '<job><id>AAAA</id></job>';
test.each([
  ['', 1, /^there is no root element <jobs>$/],
  [`<job>\n</job>`, 1, /^the root element must be <jobs>, not <job>$/],
  [`<jobs><x></jobs>`, 1, /^<jobs> must hold <job> elements only, not <x>$/],
  [`<jobs>${good}\n<offer/></jobs>`, 2, /^<jobs> must hold <job> elements only, not <offer>$/],
  [`<jobs>${good}\n<x:job/></jobs>`, 2, /^<jobs> must hold <job> elements only, not <x:job>$/],
  [`<jobs>${good}\n text</jobs>`, 2, /^<jobs> must hold <job> elements only, not text$/],
  [`<jobs>${good}\n<![CDATA[text]]></jobs>`, 2, /^<jobs> must hold <job> elements only, not text$/],
  [`\n\nx<jobs>${good}</jobs>`, 3, /^there is text outside the root element <jobs>$/],
  [`<jobs>${good}</jobs>\nx`, 2, /^there is text outside the root element <jobs>$/],
  [`<jobs>${good}</jobs>\n<jobs/>`, 2, /^there must be nothing after the root element <jobs>$/],
  [`<jobs>${good}\n`, 2, /^the file ends before <\/jobs>$/],
  [
    `<jobs>${good}\n<job><id>BBBB</job></jobs>`,
    2,
    /\(Expected closing tag 'id' instead of closing tag 'job'\)$/,
  ],
  [`<jobs>${good}\n<job><id>BBBB</id></jobs>`, 2, /^the file ends inside the record that begins here$/],
  [
    `<jobs>${good}\n<job><id>B&B</id></job></jobs>`,
    2,
    /^the XML is not well-formed \(unescaped & in '&B': write &amp;\)$/,
  ],
  [
    `<jobs>${good}\n<job a="B&B"></job></jobs>`,
    2,
    /^the XML is not well-formed \(unescaped & in '&B': write &amp;\)$/,
  ],
  [`<jobs>${good}<job>\n<t>A&amp;B</t>\n<t>A & B</t></job></jobs>`, 3, /unescaped & in '&': write &amp;\)$/],
  [
    `<jobs>${good}\n<job>B&eacute;</job></jobs>`,
    2,
    /^the XML is not well-formed \(undefined entity &eacute;\)$/,
  ],
  [`<jobs>${good}\n<job>B&constructor;</job></jobs>`, 2, /^the XML is not well-formed \(undefined entity /],
  [`<jobs>${good}\n<job>B&#0;</job></jobs>`, 2, /^the XML is not well-formed \(undefined entity &#0;\)$/],
  [
    `<jobs>${good}\n<job>B&#xD800;</job></jobs>`,
    2,
    /^the XML is not well-formed \(undefined entity &#xD800;\)$/,
  ],
  [`<jobs>${good}\n<job>B&#x110000;</job></jobs>`, 2, /^the XML is not well-formed \(undefined entity /],
  [
    `<jobs>${good}\n<job><id>\u0001</id></job></jobs>`,
    2,
    /^the XML is not well-formed \(disallowed character\)$/,
  ],
  [`<jobs>${good}\n<job>BBBB</job></jobs>`, 2, /^the <job> has no child elements$/],
  [`<jobs>${good}\n<job><id>B</id><id>B</id></job></jobs>`, 2, /^the <job> has 2 <id> elements$/],
  [
    `<jobs>${good}\n<job><__proto__>B</__proto__></job></jobs>`,
    2,
    /^the XML is not well-formed \(.*__proto__/,
  ],
  [`<jobs>${good}\n<job><!DOCTYPE x></job></jobs>`, 2, /^a DOCTYPE is not allowed$/],
  [
    `<jobs>${good}\n<job>${'<a>'.repeat(101)}${'</a>'.repeat(101)}</job></jobs>`,
    2,
    /^the record is nested deeper than 100 levels$/,
  ],
  [`\n<!DOCTYPE jobs [<!ENTITY e "x">]><jobs>${good}</jobs>`, 2, /^a DOCTYPE is not allowed$/],
  [`\n<?xml version="1.0"?><jobs>${good}</jobs>`, 2, /^the XML declaration must come first$/],
  [`<jobs x=y><job/></jobs>`, 1, /^the XML is not well-formed \(/],
  [`<?xml version="1.0" encoding="ISO-8859-1"?><jobs/>`, 1, /^the encoding must be UTF-8, not 'ISO-8859-1'$/],
  [`<?xml version="1.1"?><jobs/>`, 1, /^the XML version must be 1.0$/],
  [`<?xml?><jobs/>`, 1, /^the XML is not well-formed \(the XML declaration\)$/],
  [
    `<?xml version="1.0" encoding="UTF-8"""?><jobs/>`,
    1,
    /^the XML is not well-formed \(the XML declaration\)$/,
  ],
  [`<?xml ?""?><jobs>`, 1, /^the XML is not well-formed \(the XML declaration\)$/],
  [`<jobs/><?xml?>`, 1, /^the XML declaration must come first$/],
])('%j is refused on line %d', async (text, line, message) => {
  const { records, error } = await readAll(readXml, [text]);
  expect(error).toEqual({ line, message: expect.stringMatching(message) });
  expect(records).toHaveLength(text.startsWith('\n') || !text.includes(good) ? 0 : 1);
});

test('an error names the line inside a record', async () => {
  const { error } = await readAll(readXml, ['<jobs>\n<job>\n<id>AAAA</id>\n<a x=1></a></job></jobs>']);
  expect(error?.line).toBe(4);
});

test.each([
  ['comment', `<jobs>${good}<!--`],
  ['processing instruction', `<jobs>${good}<?p`],
  ['root tag', '<jobs x="'],
])('a %s of more than 1 MiB is refused without reading on', async (kind, head) => {
  const source = endless(head, () => ' '.repeat(50_000));
  const reading = (async () => {
    for await (const { line } of readXml(source.chunks())) expect(line).toBe(1);
  })();
  await expect(reading).rejects.toMatchObject({ line: 1, message: `the ${kind} is larger than 1 MiB` });
  expect(source.bytes).toBeLessThan(1_200_000);
});
