import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';

const jobIds = ['ABC123', 'DEF456'];
const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'xml');
  await service.operator.importJobs('xml', jobIds);
});

const call = (body: string | Buffer) => client.call({ format: 'xml', sandbox: true, body });
const prolog = '<?xml version="1.0" encoding="UTF-8"?>';
const two = '<job><id>ABC123</id></job><job><id>DEF456</id></job>';

test.each<[string, string | Buffer]>([
  [
    'the documented example',
    `${prolog}\n<jobs><job><id>ABC123</id></job><job><id><![CDATA[DEF456]]></id></job></jobs>`,
  ],
  ['no prolog', `<jobs>${two}</jobs>`],
  ['a prolog without an encoding', `<?xml version="1.0"?><jobs>${two}</jobs>`],
  ['a prolog in other quotes', `<?xml version='1.0' encoding='utf-8' standalone='yes'?><jobs>${two}</jobs>`],
  ['a byte-order mark', `\ufeff${prolog}<jobs>${two}</jobs>`],
  [
    'white space',
    `\n<jobs>\n\t<job >\r\n <id >\n ABC123\t</id>\n</job>\n<job><id> <![CDATA[DEF456]]>\n</id></job></jobs>\n `,
  ],
  [
    'comments',
    `<!-- a --><jobs><!-- <job/> --><job><!----><id>ABC123</id></job><job><id>DEF456</id><!-- b --></job></jobs><!-- c -->`,
  ],
  [
    'unknown elements',
    `<jobs><x>text<job><id>GHI789</id></job></x><job><y/><id>ABC123</id><z>1</z></job><job><id>DEF456</id></job></jobs>`,
  ],
  [
    'prefixed names, which are unknown',
    `<jobs xmlns:n="urn:n"><n:job><id>GHI789</id></n:job><job><n:id>x</n:id><id>ABC123</id></job><job><id>DEF456</id></job></jobs>`,
  ],
  ['attributes', `<jobs a="1"><job id="x"><id lang='fr'>ABC123</id></job><job><id>DEF456</id></job></jobs>`],
  ['a default namespace', `<jobs xmlns="urn:jobs">${two}</jobs>`],
  [
    'character references',
    `<jobs><job><id>&#65;BC&#x31;23</id></job><job><id>DEF456&#x20;</id></job></jobs>`,
  ],
  ['predefined entities in what is ignored', `<jobs><x a="&lt;">&amp;&gt;&apos;&quot;</x>${two}</jobs>`],
])('%s is accepted', async (_, body) => {
  expectAccepted(await call(body), jobIds, true);
});

const bomb = `<!DOCTYPE jobs [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'.replace(/./g, (name) => `<!ENTITY ${name} "${`&${String.fromCharCode(name.charCodeAt(0) - 1)};`.repeat(10)}">`)}]>`;

test.each<[string, string]>([
  ['no body', ''],
  ['white space only', ' \n'],
  ['no XML', 'ABC123'],
  ['JSON', '{"jobs":{"job":[{"id":"ABC123"}]}}'],
  ['a prolog alone', prolog],
  ['a comment alone', '<!-- jobs -->'],
  ['another root', `<Jobs>${two}</Jobs>`],
  ['a prefixed root', `<n:jobs xmlns:n="urn:n">${two}</n:jobs>`],
  ['no job', '<jobs></jobs>'],
  ['an empty root', '<jobs/>'],
  ['only unknown elements', '<jobs><Job><id>ABC123</id></Job></jobs>'],
  ['two roots', `<jobs>${two}</jobs><jobs>${two}</jobs>`],
  ['an empty second root', `<jobs>${two}</jobs><x/>`],
  ['text after the root', `<jobs>${two}</jobs>x`],
  ['text before the root', `x<jobs>${two}</jobs>`],
  ['text in the root', `<jobs>x${two}</jobs>`],
  ['text in a job', '<jobs><job>x<id>ABC123</id></job></jobs>'],
  ['CDATA in a job', '<jobs><job><![CDATA[x]]><id>ABC123</id></job></jobs>'],
  ['a no-break space in the root', `<jobs>\u00a0${two}</jobs>`],
  ['a second id', '<jobs><job><id>ABC123</id><id>DEF456</id></job></jobs>'],
  ['a second id that is equal', '<jobs><job><id>ABC123</id><id>ABC123</id></job></jobs>'],
  ['a second id that is empty', '<jobs><job><id>ABC123</id><id/></job></jobs>'],
  ['an id split by a comment', '<jobs><job><id>ABC<!-- -->123</id></job></jobs>'],
  ['an id with a comment after it', '<jobs><job><id>ABC123<!-- --></id></job></jobs>'],
  ['an id with a child', '<jobs><job><id><b>ABC123</b></id></job></jobs>'],
  ['an id split by a child', '<jobs><job><id>ABC1<b/>23</id></job></jobs>'],
  ['a DOCTYPE', `<!DOCTYPE jobs><jobs>${two}</jobs>`],
  ['a DOCTYPE with a system id', `<!DOCTYPE jobs SYSTEM "http://127.0.0.1:1/x.dtd"><jobs>${two}</jobs>`],
  [
    'an entity of a file',
    '<!DOCTYPE jobs [<!ENTITY x SYSTEM "file:///etc/hostname">]><jobs><job><id>&x;</id></job></jobs>',
  ],
  ['entities that expand without end', `${bomb}<jobs><job><id>&h;</id></job></jobs>`],
  ['a parameter entity', '<!DOCTYPE jobs [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><jobs/>'],
  ['a DOCTYPE after the root', `<jobs>${two}</jobs><!DOCTYPE jobs>`],
  ['an unknown entity', '<jobs><job><id>&nbsp;ABC123</id></job></jobs>'],
  ['an unknown entity in what is ignored', `<jobs><x>&eacute;</x>${two}</jobs>`],
  ['a bare ampersand', `<jobs><x>a & b</x>${two}</jobs>`],
  ['a processing instruction', `<?xml-stylesheet href="x"?><jobs>${two}</jobs>`],
  ['a processing instruction in the root', `<jobs><?php exit ?>${two}</jobs>`],
  ['a processing instruction after the root', `<jobs>${two}</jobs><?x?>`],
  ['white space before the prolog', ` ${prolog}<jobs>${two}</jobs>`],
  ['two prologs', `${prolog}${prolog}<jobs>${two}</jobs>`],
  ['XML 1.1', `<?xml version="1.1"?><jobs>${two}</jobs>`],
  ['XML 2.0', `<?xml version="2.0"?><jobs>${two}</jobs>`],
  ['another declared encoding', `<?xml version="1.0" encoding="ISO-8859-1"?><jobs>${two}</jobs>`],
  ['UTF-16 declared', `<?xml version="1.0" encoding="UTF-16"?><jobs>${two}</jobs>`],
  ['UTF-7 declared', `<?xml version="1.0" encoding="UTF-7"?><jobs>${two}</jobs>`],
  ['an encoding before the version', `<?xml encoding="UTF-8" version="1.0"?><jobs>${two}</jobs>`],
  ['a tag not closed', '<jobs><job><id>ABC123</id></jobs>'],
  ['a root not closed', '<jobs><job><id>ABC123</id></job>'],
  ['tags crossed', '<jobs><job><id>ABC123</job></id></jobs>'],
  ['a closing tag of another letter case', '<jobs><job><id>ABC123</ID></job></jobs>'],
  ['an attribute twice', `<jobs a="1" a="2">${two}</jobs>`],
  ['an attribute without quotes', `<jobs a=1>${two}</jobs>`],
  ['a < in an attribute', `<jobs a="<">${two}</jobs>`],
  ['a CDATA section not closed', '<jobs><job><id><![CDATA[ABC123</id></job></jobs>'],
  [']]> in text', `<jobs><x>]]></x>${two}</jobs>`],
  ['-- in a comment', `<jobs><!-- a -- b -->${two}</jobs>`],
  ['a NUL', `<jobs>\0${two}</jobs>`],
  ['a reference to NUL', '<jobs><job><id>ABC123&#0;</id></job></jobs>'],
  ['a control character', `<jobs><x>\x01</x>${two}</jobs>`],
  ['HTML', `<!doctype html><html><body>${two}</body></html>`],
])('%s is malformed', async (_, body) => {
  const problem = expectProblem(await call(body), 'body_malformed');
  expect(problem.detail).toEqual(expect.any(String));
  expect(problem.errors?.[0]?.pointer).toEqual(expect.any(String));
  expect(problem.errors?.every(({ code }) => code === 'body_malformed')).toBe(true);
});

test.each<[string, Buffer]>([
  ['UTF-16', Buffer.from(`\ufeff<jobs>${two}</jobs>`, 'utf16le')],
  ['Latin-1', Buffer.from(`<jobs><x>é</x>${two}</jobs>`, 'latin1')],
])('%s is malformed: it is not UTF-8', async (_, body) => {
  expectProblem(await call(body), 'body_malformed');
});

test('elements are accepted 32 levels deep and refused deeper', async () => {
  const nested = (depth: number) =>
    `<jobs>${two}${'<x>'.repeat(depth - 1)}${'</x>'.repeat(depth - 1)}</jobs>`;
  expectAccepted(await call(nested(32)), jobIds, true);
  for (const depth of [33, 1_000, 400_000]) expectProblem(await call(nested(depth)), 'body_malformed');
});

test('the pointer belongs to the JSON form', async () => {
  const pointers = async (body: string) =>
    expectProblem(await call(body), 'body_malformed').errors?.map(({ pointer }) => pointer);
  expect(
    await pointers('<jobs><job><id>ABC123</id><id>x</id></job><job><id>a<b/></id></job></jobs>'),
  ).toEqual(['/jobs/job/0/id', '/jobs/job/1/id']);
  expect(await pointers('<jobs><job><id>ABC123</id></job><job>x</job></jobs>')).toEqual(['/jobs/job/1']);
});

describe('an id', () => {
  const withJob = (job: string) => call(`<jobs><job><id>ABC123</id></job>${job}</jobs>`);

  test.each([
    '<job/>',
    '<job></job>',
    '<job><id/></job>',
    '<job><id></id></job>',
    '<job><id> \n\t</id></job>',
    '<job><id><![CDATA[]]></id></job>',
    '<job><id><![CDATA[ ]]></id></job>',
    '<job><ID>DEF456</ID></job>',
    '<job id="DEF456"/>',
    '<job><x><id>DEF456</id></x></job>',
  ])('is required, and %s has none', async (job) => {
    const { errors } = expectProblem(await withJob(job), 'job_id_required');
    expect(errors).toEqual([
      {
        pointer: '/jobs/job/1/id',
        code: 'job_id_required',
        message: expect.any(String),
        detail: expect.any(String),
      },
    ]);
  });

  test.each<[string, string]>([
    ['<id>ABC</id>', 'ABC'],
    [`<id>${'Z'.repeat(129)}</id>`, 'Z'.repeat(128)],
    ['<id>DEF 456</id>', 'DEF 456'],
    ['<id>DEF&amp;456</id>', 'DEF&456'],
    ['<id>DEF&lt;456</id>', 'DEF<456'],
    ['<id><![CDATA[<id>DEF456</id>]]></id>', '<id>DEF456</id>'],
    ['<id><![CDATA[DEF&#52;56]]></id>', 'DEF&#52;56'],
    ['<id>\u00a0DEF456</id>', '\u00a0DEF456'],
    ['<id>DÉF456</id>', 'DÉF456'],
    ['<id>DEF-456</id>', 'DEF-456'],
  ])('%s is malformed: it is not 4 to 128 letters and digits', async (id, echoed) => {
    const { errors } = expectProblem(await withJob(`<job>${id}</job>`), 'job_id_malformed');
    expect(errors).toMatchObject([{ pointer: '/jobs/job/1/id', job_id: echoed, code: 'job_id_malformed' }]);
  });

  test('of digits keeps its zeros', async () => {
    await service.operator.importJobs('xml', ['0012300']);
    expectAccepted(await call(`<jobs><job><id>0012300</id></job></jobs>`), ['0012300'], true);
    expectProblem(await call(`<jobs><job><id>12300</id></job></jobs>`), 'job_not_found');
  });

  test('is a repetition in any spelling', async () => {
    const { errors } = expectProblem(
      await withJob('<job><id> <![CDATA[ABC123]]></id></job>'),
      'job_id_duplicated',
    );
    expect(errors).toMatchObject([{ pointer: '/jobs/job/1/id', job_id: 'ABC123' }]);
  });
});
