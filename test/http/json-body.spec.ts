import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client } from './client.ts';
import { problems } from './contract.ts';

const jobIds = ['ABC123', 'DEF456'];
const service = useService();
let client: Client;
beforeAll(async () => {
  client = await createClient(service, 'json');
  await service.operator.importJobs('json', jobIds);
});

const call = (body: string | Buffer) => client.call({ sandbox: true, body });
const nested = (depth: number) =>
  `{"jobs":{"job":[{"id":"ABC123"}]},"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test.each<[string, string | Buffer]>([
  ['the documented example', '{"jobs": {"job": [{"id": "ABC123"}, {"id": "DEF456"}]}}'],
  ['white space', ' \r\n\t{ "jobs" :\n{"job"\t:[ {"id":"ABC123"} , {"id":"DEF456"} ] } } \n'],
  [
    'unknown members',
    '{"a":1,"jobs":{"b":[{}],"job":[{"id":"ABC123","c":{"id":"x"}},{"d":null,"id":"DEF456"}]},"job":[1]}',
  ],
  ['a byte-order mark', '\ufeff{"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"}]}}'],
  ['escapes', String.raw`{"\u006aobs":{"j\u006fb":[{"i\u0064":"\u0041BC123"},{"id":"DEF45\u0036"}]}}`],
  [
    'members named like JavaScript’s',
    '{"__proto__":{"jobs":1},"constructor":1,"jobs":{"__proto__":{"job":1},"job":[{"id":"ABC123","__proto__":{"id":"x"}},{"id":"DEF456","toString":1}]}}',
  ],
  [
    'the deepest nesting',
    `{"x":${'['.repeat(31)}${']'.repeat(31)},"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"}]}}`,
  ],
])('%s is accepted', async (_, body) => {
  expectAccepted(await call(body), jobIds, true);
});

/** Title, body and pointer of the fault. */
test.each<[string, string | Buffer, string]>([
  ['no body', '', ''],
  ['white space only', ' \n', ''],
  ['no JSON', 'jobs=ABC123', ''],
  ['XML', '<jobs><job><id>ABC123</id></job></jobs>', ''],
  ['null', 'null', ''],
  ['a list', '[{"id":"ABC123"}]', ''],
  ['a text', '"ABC123"', ''],
  ['a number', '5', ''],
  ['an empty object', '{}', '/jobs'],
  ['jobs in another letter case', '{"Jobs":{"job":[{"id":"ABC123"}]}}', '/jobs'],
  ['jobs that are null', '{"jobs":null}', '/jobs'],
  ['jobs that are a list', '{"jobs":[{"id":"ABC123"}]}', '/jobs'],
  ['no job', '{"jobs":{}}', '/jobs/job'],
  ['job in another letter case', '{"jobs":{"JOB":[{"id":"ABC123"}]}}', '/jobs/job'],
  ['a job that is null', '{"jobs":{"job":null}}', '/jobs/job'],
  ['a lone job object', '{"jobs":{"job":{"id":"ABC123"}}}', '/jobs/job'],
  ['an array-like job', '{"jobs":{"job":{"0":{"id":"ABC123"},"length":1}}}', '/jobs/job'],
  ['a job that is a text', '{"jobs":{"job":"ABC123"}}', '/jobs/job'],
  ['an empty list', '{"jobs":{"job":[]}}', '/jobs/job'],
  ['an entry that is a text', '{"jobs":{"job":[{"id":"ABC123"},"DEF456"]}}', '/jobs/job/1'],
  ['an entry that is null', '{"jobs":{"job":[null]}}', '/jobs/job/0'],
  ['an entry that is a list', '{"jobs":{"job":[["ABC123"]]}}', '/jobs/job/0'],
  ['an entry that is a number', '{"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"},3]}}', '/jobs/job/2'],
  ['jobs twice', '{"jobs":{"job":[{"id":"ABC123"}]},"jobs":{"job":[{"id":"ABC123"}]}}', '/jobs'],
  ['job twice', '{"jobs":{"job":[{"id":"ABC123"}],"job":[{"id":"DEF456"}]}}', '/jobs/job'],
  ['an id twice', '{"jobs":{"job":[{"id":"ABC123","id":"DEF456"}]}}', '/jobs/job/0/id'],
  [
    'an id twice, once escaped',
    String.raw`{"jobs":{"job":[{"id":"ABC123","\u0069d":"DEF456"}]}}`,
    '/jobs/job/0/id',
  ],
  ['an unknown member twice', '{"jobs":{"job":[{"id":"ABC123"}]},"x":{"a/b~":1,"a/b~":1}}', '/x/a~1b~0'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2,"jobs":{"job":[{"id":"ABC123"}]}}', '/__proto__'],
  ['a comma too many', '{"jobs":{"job":[{"id":"ABC123"},]}}', '/jobs/job/1'],
  ['two values', '{"jobs":{"job":[{"id":"ABC123"}]}}{}', ''],
  ['a comment', '{"jobs":/**/{"job":[{"id":"ABC123"}]}}', '/jobs'],
  ['single quotes', "{'jobs':{'job':[{'id':'ABC123'}]}}", ''],
  ['names without quotes', '{jobs:{job:[{id:"ABC123"}]}}', ''],
  ['an invalid number', '{"x":.5,"jobs":{"job":[{"id":"ABC123"}]}}', '/x'],
  ['a number with a zero before it', '{"jobs":{"job":[{"id":"ABC123"}]},"x":01}', ''],
  ['NaN', '{"x":NaN,"jobs":{"job":[{"id":"ABC123"}]}}', '/x'],
  ['a raw line break in a text', '{"jobs":{"job":[{"id":"ABC\n123"}]}}', '/jobs/job/0/id'],
  ['an invalid escape', String.raw`{"jobs":{"job":[{"id":"\x41BC123"}]}}`, '/jobs/job/0/id'],
  ['half of it', '{"jobs":{"job":[{"id":"ABC123"}', '/jobs/job'],
  ['two byte-order marks', '\ufeff\ufeff{"jobs":{"job":[{"id":"ABC123"}]}}', ''],
  ['a NUL', '{"jobs":{"job":[{"id":"ABC123"}]}}\0', ''],
])('%s is malformed', async (_, body, pointer) => {
  const { errors } = expectProblem(await call(body), 'body_malformed');
  const message = problems.body_malformed.en;
  expect(errors).toEqual([{ pointer, code: 'body_malformed', message, detail: expect.any(String) }]);
});

test.each<[string, Buffer]>([
  ['UTF-16', Buffer.from('\ufeff{"jobs":{"job":[{"id":"ABC123"}]}}', 'utf16le')],
  ['Latin-1', Buffer.from('{"é":1,"jobs":{"job":[{"id":"ABC123"}]}}', 'latin1')],
  [
    'an overlong form',
    Buffer.concat([
      Buffer.from('{"jobs":{"job":[{"id":"ABC'),
      Buffer.from([0xc0, 0xb1]),
      Buffer.from('23"}]}}'),
    ]),
  ],
  [
    'a surrogate',
    Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('","jobs":{"job":[{"id":"ABC123"}]}}'),
    ]),
  ],
  ['gzip', Buffer.from('1f8b0800000000000003ab564acacf5256', 'hex')],
])('%s is malformed: it is not UTF-8', async (_, body) => {
  expect(expectProblem(await call(body), 'body_malformed').detail).toBeDefined();
});

test('nesting is accepted 32 levels deep and refused deeper', async () => {
  expectAccepted(await call(nested(32)), ['ABC123'], true);
  for (const depth of [33, 1_000, 500_000]) expectProblem(await call(nested(depth)), 'body_malformed');
});

test('every entry that is not an object is named', async () => {
  const problem = expectProblem(
    await call('{"jobs":{"job":[1,{"id":"ABC123"},null,{"id":""}]}}'),
    'body_malformed',
  );
  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/jobs/job/0', '/jobs/job/2']);
});

describe('the shape of the body is checked before any id', () => {
  test.each([
    '{"jobs":{"job":[{"id":"x"},5]}}',
    '{"jobs":{"job":[{"id":""},{"id":"a","id":"a"}]}}',
    '{"jobs":{"job":[{"id":1}]}',
  ])('%s', async (body) => {
    const { errors } = expectProblem(await call(body), 'body_malformed');
    expect(errors?.every(({ code }) => code === 'body_malformed')).toBe(true);
  });
});

describe('an id', () => {
  const withId = (json: string) => call(`{"jobs":{"job":[{"id":"ABC123"},${json}]}}`);

  test.each(['{}', '{"id":null}', '{"id":""}', '{"ID":"DEF456"}', '{"x":1}', '{" id":"DEF456"}'])(
    'is required, which %s has not',
    async (entry) => {
      const { errors } = expectProblem(await withId(entry), 'job_id_required');
      expect(errors).toEqual([
        {
          pointer: '/jobs/job/1/id',
          code: 'job_id_required',
          message: expect.any(String),
          detail: expect.any(String),
        },
      ]);
    },
  );

  test.each(['123456', '0', '1e5', 'true', 'false', '[]', '["DEF456"]', '{}', '{"id":"DEF456"}'])(
    'is a text, which %s is not',
    async (value) => {
      const { errors } = expectProblem(await withId(`{"id":${value}}`), 'job_id_malformed');
      expect(errors).toMatchObject([{ pointer: '/jobs/job/1/id', code: 'job_id_malformed' }]);
    },
  );

  test.each([
    'ABC',
    'A',
    'Z'.repeat(129),
    ' DEF456',
    'DEF456 ',
    'DEF 456',
    'DEF-456',
    'DEF_456',
    'DEF456\\n',
    'DEF456\\u0000',
    'DÉF456',
    'ＤＥＦ４５６',
    '٤٥٦٧',
    '%41BC123',
    '$ne$',
    "' OR 1=1 --",
    '../../etc',
  ])('%j is malformed: it is not 4 to 128 letters and digits', async (id) => {
    const { errors } = expectProblem(await withId(`{"id":"${id}"}`), 'job_id_malformed');
    const echoed = (JSON.parse(`"${id}"`) as string).slice(0, 128);
    expect(errors).toMatchObject([{ pointer: '/jobs/job/1/id', job_id: echoed, code: 'job_id_malformed' }]);
  });

  test('that is repeated is refused, and each repetition is named', async () => {
    const answer = await call(
      '{"jobs":{"job":[{"id":"ABC123"},{"id":"DEF456"},{"id":"ABC123"},{"id":"ABC123"},{"id":"DEF456"}]}}',
    );
    const { errors } = expectProblem(answer, 'job_id_duplicated');
    expect(errors?.map(({ pointer, job_id }) => [pointer, job_id])).toEqual([
      ['/jobs/job/2/id', 'ABC123'],
      ['/jobs/job/3/id', 'ABC123'],
      ['/jobs/job/4/id', 'DEF456'],
    ]);
  });

  test('in another letter case is another id', async () => {
    const { errors } = expectProblem(await withId('{"id":"abc123"}'), 'job_not_found');
    expect(errors).toMatchObject([{ pointer: '/jobs/job/1/id', job_id: 'abc123' }]);
  });
});
