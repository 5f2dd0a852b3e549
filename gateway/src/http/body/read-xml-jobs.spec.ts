import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { sentence } from '../../messages/messages.ts';
import { readXmlJobs } from './read-xml-jobs.ts';

const readAll = (body: string, maxJobs = 100) => readXmlJobs(Buffer.from(body), maxJobs);
/** Leaves out the count. */
const read = (body: string, maxJobs = 100) => {
  const result = readAll(body, maxJobs);
  return 'ids' in result ? { ids: result.ids } : result;
};
/** The codes of the sentences of each error. */
const reasons = (result: ReturnType<typeof readAll>) =>
  'errors' in result
    ? result.errors.map(({ detail }) => detail?.map(({ code }) => code).join(' '))
    : undefined;
const job = (id: string) => `<job><id>${id}</id></job>`;

/** The pointers of what is malformed. */
function malformed(body: string): (string | undefined)[] {
  const result = read(body);
  if ('ids' in result) return [];
  expect(result.code).toBe('body_malformed');
  return result.errors?.map(({ pointer }) => pointer) ?? [];
}

describe('readXmlJobs', () => {
  test('returns the ids in the order sent, from text and from CDATA', () => {
    const body =
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<jobs><job><id>ABC123</id></job><job><id><![CDATA[DEF456]]></id></job></jobs>\n';
    expect(read(body)).toStrictEqual({ ids: ['ABC123', 'DEF456'] });
    expect(read(`\ufeff${body}`)).toStrictEqual({ ids: ['ABC123', 'DEF456'] });
  });

  test('trims only the white space of XML around an id', () => {
    expect(
      read(`<jobs>${job(' \t\r\nAB CD&#13;\n')}${job('\u00a0ABCD')}${job('&#32;<![CDATA[ ABCD ]]>')}</jobs>`),
    ).toStrictEqual({
      ids: ['AB CD', '\u00a0ABCD', 'ABCD'],
    });
  });

  test('joins text, references and CDATA of an id', () => {
    expect(read(`<jobs>${job('A&#66;<![CDATA[C]]>D<![CDATA[E]]>')}</jobs>`)).toStrictEqual({
      ids: ['ABCDE'],
    });
  });

  test('a job without an id gives undefined, and an empty id gives an empty text', () => {
    expect(read(`<jobs><job/><job> </job>${job('')}<job><id/></job>${job(' ')}</jobs>`)).toStrictEqual({
      ids: [undefined, undefined, '', '', ''],
    });
  });

  test('ignores unknown elements with their content, attributes, and comments between elements', () => {
    const body = `<!-- a --><jobs xmlns="urn:x" id="NO">
      <!-- b --><x>text<job><id>NO</id></job><jobs/></x><id>NO</id>
      <job id="NO" xml:lang="fr"><!-- c --><p:id>NO</p:id><ID>NO</ID><id a="b">ABCD</id><job><id>NO</id></job></job>
    </jobs><!-- d -->`;
    expect(read(body)).toStrictEqual({ ids: ['ABCD'] });
  });

  test.each([
    ['<job><id>ABCD</id></job>', ['/jobs']],
    ['<Jobs><job><id>ABCD</id></job></Jobs>', ['/jobs']],
    ['<p:jobs xmlns:p="urn:x"><job><id>ABCD</id></job></p:jobs>', ['/jobs']],
    ['<jobs/>', ['/jobs/job']],
    [`<jobs><jobs>${job('ABCD')}</jobs></jobs>`, ['/jobs/job']],
    ['<jobs> <Job><id>ABCD</id></Job> </jobs>', ['/jobs/job']],
    ['<jobs><x><job><id>ABCD</id></job></x></jobs>', ['/jobs/job']],
    [`<jobs>${job('ABCD')}<job><id>ABCD</id><id>EFGH</id></job></jobs>`, ['/jobs/job/1/id']],
    [`<jobs><job><id/><id>ABCD</id></job></jobs>`, ['/jobs/job/0/id']],
    [`<jobs>${job('AB<!-- x -->CD')}</jobs>`, ['/jobs/job/0/id']],
    [`<jobs>${job('<!-- x -->ABCD')}</jobs>`, ['/jobs/job/0/id']],
    [`<jobs>${job('AB<b>CD</b>')}</jobs>`, ['/jobs/job/0/id']],
    [`<jobs>${job('<id>ABCD</id>')}</jobs>`, ['/jobs/job/0/id']],
    [`<jobs>x${job('ABCD')}</jobs>`, ['/jobs']],
    [`<jobs>${job('ABCD')}<![CDATA[x]]></jobs>`, ['/jobs']],
    [`<jobs>${job('ABCD')}&#160;</jobs>`, ['/jobs']],
    ['<jobs><job>ABCD</job></jobs>', ['/jobs/job/0']],
    ['<jobs><job><id>ABCD</id>,</job></jobs>', ['/jobs/job/0']],
  ])('%s has the wrong shape', (body, pointers) => {
    expect(malformed(body)).toEqual(pointers);
  });

  test('accepts any white space between elements', () => {
    expect(read(`<jobs>\r\n\t<![CDATA[ ]]>&#32;${job('ABCD')}<![CDATA[]]></jobs>`)).toStrictEqual({
      ids: ['ABCD'],
    });
  });

  test('names every fault of the shape once, before checking ids', () => {
    const body = `<jobs>a${job('')}<job>b<id>A<b/>B<b/></id>c</job>d<job><id/><id/><id/></job></jobs>`;
    expect(malformed(body)).toEqual(['/jobs', '/jobs/job/1', '/jobs/job/1/id', '/jobs/job/2/id']);
  });

  test.each([
    [`<jobs>${job('ABCD')}<job><id>EF`, '/jobs/job/1/id'],
    [`<jobs>${job('ABCD')}<job><id>&x;</id></job></jobs>`, '/jobs/job/1/id'],
    [`<jobs>${job('ABCD')}<job><?x?></job></jobs>`, '/jobs/job/1'],
    [`<jobs>${job('ABCD')}<x><y></x></jobs>`, '/jobs'],
    [`<jobs>${job('ABCD')}</jobs><jobs/>`, ''],
    [`<!DOCTYPE jobs [<!ENTITY x "ABCD">]><jobs>${job('&x;')}</jobs>`, ''],
    [`<?xml version="1.0" encoding="ISO-8859-1"?><jobs>${job('ABCD')}</jobs>`, ''],
    [`<?xml version="1.1"?><jobs>${job('ABCD')}</jobs>`, ''],
    ['{"jobs":{"job":[{"id":"ABCD"}]}}', ''],
  ])('%s is refused with its pointer only', (body, pointer) => {
    expect(malformed(body)).toEqual([pointer]);
  });

  test('an absent body and bytes that are not UTF-8 are refused with a reason', () => {
    expect(reasons(readXmlJobs(Buffer.alloc(0), 1))).toEqual(['body_absent']);
    const latin1 = Buffer.from(`<jobs>${job('ÄBCD')}</jobs>`, 'latin1');
    expect(reasons(readXmlJobs(latin1, 1))).toEqual(['body_not_utf8']);
    const utf16 = Buffer.from(`\ufeff<jobs>${job('ABCD')}</jobs>`, 'utf16le');
    expect(reasons(readXmlJobs(utf16, 1))).toEqual(['body_not_utf8']);
  });

  test('nesting of 32 levels is accepted and of 33 is not, also in unknown elements', () => {
    const nested = (levels: number) =>
      `<jobs>${job('ABCD')}${'<x>'.repeat(levels)}${'</x>'.repeat(levels)}</jobs>`;
    expect(read(nested(31))).toStrictEqual({ ids: ['ABCD'] });
    expect(malformed(nested(32))).toEqual(['/jobs']);
    expect(reasons(readAll(nested(32)))).toEqual(['body_too_deep']);
  });

  test.each([
    ['<jobs/>', ['xml_no_job xml_form']],
    ['<jobs><job><id>A<!-- x --></id></job></jobs>', ['xml_id_split']],
    [
      '<jobs>x<job>y<id>A<b/></id></job></jobs>',
      ['xml_text_outside_id', 'xml_text_outside_id', 'xml_id_split'],
    ],
    ['<jobs><job><id/><id/></job></jobs>', ['xml_id_repeated']],
    ['<jobs>', ['xml_syntax xml_correct']],
    ['<jobs>{', ['xml_syntax xml_correct']],
    ['<!DOCTYPE jobs>', ['xml_construct_refused']],
    ['{"jobs": 1}', ['body_is_json']],
    ['\ufeff {"jobs": 1}', ['body_is_json']],
  ])('%s has a reason for each error', (body, expected) => {
    expect(reasons(readAll(body))).toEqual(expected);
  });

  test('names the wrong root', () => {
    expect(readAll('<list/>')).toMatchObject({
      errors: [{ detail: [sentence('xml_root', { name: 'list' }), sentence('xml_form')] }],
    });
  });

  test('counts the jobs, also beyond the limit', () => {
    expect(readAll(`<jobs>${job('ABCD').repeat(50)}</jobs>`, 10)).toMatchObject({ count: 50 });
  });

  test('returns one id more than the limit, and finds faults beyond it', () => {
    expect(read(`<jobs>${job('ABCD').repeat(50)}</jobs>`, 10)).toStrictEqual({
      ids: Array<string>(11).fill('ABCD'),
    });
    expect(read(`<jobs>${'<job/>'.repeat(50)}</jobs>`, 10)).toStrictEqual({
      ids: Array<undefined>(11).fill(undefined),
    });
    expect(read(`<jobs>${job('ABCD').repeat(50)}<job>x</job></jobs>`, 10)).toMatchObject({
      errors: [{ pointer: '/jobs/job/50' }],
    });
  });

  test('reads the same ids as fast-xml-parser from generated documents', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
    const space = fc.constantFrom('', ' ', '\n\t');
    const spelling = fc.constantFrom(
      (value: string) => value,
      (value: string) => `<![CDATA[${value}]]>`,
      (value: string) => Array.from(value, (character) => `&#${String(character.charCodeAt(0))};`).join(''),
    );
    const other = fc.constantFrom('', '<!-- <job/> -->', '<x><y>z</y></x>', '<p:id>NO</p:id>', '<Id/>');
    const oneJob = fc
      .tuple(id, spelling, space, other, other)
      .map(
        ([value, spell, gap, before, after]) =>
          `<job>${before}${gap}<id>${gap}${spell(value)}${gap}</id>${after}</job>`,
      );
    const document = fc
      .tuple(fc.array(fc.tuple(oneJob, other), { minLength: 1, maxLength: 8 }), space, fc.boolean())
      .map(
        ([jobs, gap, prolog]) =>
          `${prolog ? '<?xml version="1.0" encoding="UTF-8"?>' : ''}${gap}<jobs>${jobs.flat().join(gap)}</jobs>`,
      );

    const oracle = new XMLParser({
      isArray: (name) => name === 'job',
      parseTagValue: false,
      htmlEntities: true,
    });
    fc.assert(
      fc.property(document, (body) => {
        const { jobs } = oracle.parse(body) as { jobs: { job: { id: string }[] } };
        expect(read(body)).toStrictEqual({ ids: jobs.job.map((entry) => entry.id) });
      }),
    );
  });
});
