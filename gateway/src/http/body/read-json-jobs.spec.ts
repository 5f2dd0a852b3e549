import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentence, type SentenceCode } from '../../messages/messages.ts';
import { type JsonId, aNumber, explainJsonStop, notAString, readJsonJobs } from './read-json-jobs.ts';
import { scanJson } from './scan-json.ts';

const readAll = (body: unknown, maxJobs = 100) =>
  readJsonJobs(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), maxJobs);
/** Leaves out the count. */
const read = (body: unknown, maxJobs = 100) => {
  const result = readAll(body, maxJobs);
  return 'ids' in result ? { ids: result.ids } : result;
};
/** The codes of the sentences of each error. */
const reasons = (result: ReturnType<typeof readAll>) =>
  'errors' in result
    ? result.errors.map(({ detail }) => detail?.map(({ code }) => code).join(' '))
    : undefined;

/** The pointers of what is malformed. */
function malformed(body: unknown): (string | undefined)[] {
  const result = read(body);
  if ('ids' in result) return [];
  expect(result.code).toBe('body_malformed');
  return result.errors?.map(({ pointer }) => pointer) ?? [];
}

describe('readJsonJobs', () => {
  test('returns the ids unchanged, in the order sent', () => {
    expect(
      read('\ufeff{"jobs": {"job": [{"id": "ABC123"}, {"id": " \\u0041-"}, {"id": ""}]}}'),
    ).toStrictEqual({
      ids: ['ABC123', ' A-', ''],
    });
  });

  test('distinguishes an absent id, a null id, a number, and an id that is no string', () => {
    const entries = [
      {},
      { id: null },
      { id: 1234 },
      { id: true },
      { id: ['ABCD'] },
      { id: { id: 'ABCD' } },
      { id: { id: {} } },
    ];
    expect(read({ jobs: { job: entries } })).toStrictEqual({
      ids: [undefined, null, aNumber, notAString, notAString, notAString, notAString],
    });
  });

  test('ignores unknown members at any level', () => {
    const body =
      '{"x":[{"id":"NO"}],"jobs":{"id":"NO","job":[{"x":{"id":"NO"},"id":"ABCD","__proto__":{"id":"NO"}}]}}';
    expect(read(body)).toStrictEqual({ ids: ['ABCD'] });
    expect(read('{"__proto__":{"jobs":{"job":[{"id":"ABCD"}]}}}')).toMatchObject({ code: 'body_malformed' });
    expect({}).not.toHaveProperty('jobs');
  });

  test.each([
    ['null', ''],
    ['[]', ''],
    ['"jobs"', ''],
    ['{}', '/jobs'],
    ['{"Jobs":{}}', '/jobs'],
    ['{"jobs":[]}', '/jobs'],
    ['{"jobs":null}', '/jobs'],
    ['{"jobs":[{"job":[{"id":"ABCD"}]}]}', '/jobs'],
    ['{"jobs":{}}', '/jobs/job'],
    ['{"jobs":{"job":{"id":"ABCD"}}}', '/jobs/job'],
    ['{"jobs":{"job":{"0":{"id":"ABCD"}}}}', '/jobs/job'],
    ['{"jobs":{"job":[]}}', '/jobs/job'],
    ['{"jobs":{"job":"ABCD"}}', '/jobs/job'],
  ])('%s has the wrong shape at %j', (body, pointer) => {
    expect(malformed(body)).toEqual([pointer]);
  });

  test('names every entry that is no object and every repeated name, before checking ids', () => {
    const body = '{"jobs":{"job":["ABCD",{"id":1},{"id":"A","id":"B"},null,[{"id":"C"}]],"x~/y":0,"x~/y":1}}';
    expect(malformed(body)).toEqual([
      '/jobs/job/0',
      '/jobs/job/2/id',
      '/jobs/job/3',
      '/jobs/job/4',
      '/jobs/x~0~1y',
    ]);
  });

  test('a repeated name is refused even with equal values or in unknown members', () => {
    expect(malformed('{"jobs":{"job":[{"id":"ABCD"}]},"jobs":{"job":[{"id":"ABCD"}]}}')).toEqual(['/jobs']);
    expect(malformed('{"jobs":{"job":[{"id":"ABCD"}]},"x":[{"y":0,"y":0}]}')).toEqual(['/x/0/y']);
  });

  test('a syntax error is refused with its pointer only', () => {
    expect(malformed('{"jobs":{"job":[1,{"id":"AB')).toEqual(['/jobs/job/1/id']);
    expect(malformed('\ufeff')).toEqual(['']);
  });

  test('an absent body and bytes that are not UTF-8 are refused with a reason', () => {
    expect(reasons(readJsonJobs(Buffer.alloc(0), 1))).toEqual(['body_absent']);
    expect(reasons(readJsonJobs(Buffer.from([0x22, 0xff, 0x22]), 1))).toEqual(['body_not_utf8']);
  });

  test('nesting of 32 levels is accepted and of 33 is not, also in unknown members', () => {
    const nested = (levels: number) =>
      `{"jobs":{"job":[{"id":"ABCD"}]},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(read(nested(31))).toStrictEqual({ ids: ['ABCD'] });
    expect(reasons(readAll(nested(32)))).toEqual(['body_too_deep']);
  });

  test('returns one id more than the limit, and finds faults beyond it', () => {
    const entries = Array.from({ length: 50 }, () => '{"id":"ABCD"}');
    expect(read(`{"jobs":{"job":[${entries.join()}]}}`, 10)).toStrictEqual({
      ids: Array<string>(11).fill('ABCD'),
    });
    expect(read({ jobs: { job: Array<object>(50).fill({}) } }, 10)).toStrictEqual({
      ids: Array<undefined>(11).fill(undefined),
    });
    const result = read(`{"jobs":{"job":[${entries.join()},0]}}`, 10);
    expect(result).toMatchObject({ errors: [{ pointer: '/jobs/job/50' }] });
  });

  test('counts the jobs, also beyond the limit', () => {
    expect(readAll({ jobs: { job: Array<object>(50).fill({}) } }, 10)).toMatchObject({ count: 50 });
  });

  test('the detail says what is wrong with the shape', () => {
    expect(reasons(readAll('{}'))).toEqual(['jobs_not_an_object json_form']);
    expect(reasons(readAll('{"jobs":{"job":[]}}'))).toEqual(['job_not_a_list json_form']);
    expect(reasons(readAll('{"jobs":{"job":[1,"x"]}}'))).toEqual([
      'entry_not_an_object',
      'entry_not_an_object',
    ]);
    expect(reasons(readAll('{"a":1,"a":1}'))).toEqual([
      'json_member_duplicated',
      'jobs_not_an_object json_form',
    ]);
    const repeated = '{"a/b":1,"a/b":1,"jobs":{"job":[{"id":"ABCD"}]}}';
    expect(readAll(repeated)).toMatchObject({
      errors: [{ detail: [sentence('json_member_duplicated', { name: 'a/b' })] }],
    });
  });

  test('reports a hundred faults and marks that there are more', () => {
    const result = read({ jobs: { job: Array<number>(101).fill(0) } }, 1000);
    expect(result).toMatchObject({ code: 'body_malformed', truncated: true });
  });

  test('reads the same ids as JSON.parse, in any order of members', () => {
    const id = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.integer(),
      fc.boolean(),
      fc.constant([]),
      fc.constant({}),
    );
    const unknown = fc.dictionary(
      fc.string().filter((name) => !['id', 'job', 'jobs', '__proto__'].includes(name)),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 3 },
    );
    const mixed = <Value>(name: string, value: fc.Arbitrary<Value>) =>
      fc
        .tuple(unknown, value, unknown)
        .map(([before, inner, after]) => ({ ...before, [name]: inner, ...after }));
    const entry = fc.oneof(mixed('id', id), unknown);
    const document = mixed('jobs', mixed('job', fc.array(entry, { minLength: 1, maxLength: 5 })));

    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 2), (body, space) => {
        const parsed = JSON.parse(JSON.stringify(body)) as { jobs: { job: { id?: unknown }[] } };
        const expected = parsed.jobs.job.map((parsedEntry): JsonId => {
          const value = parsedEntry.id;
          if (typeof value === 'number') return aNumber;
          return typeof value === 'string' || value === null || value === undefined ? value : notAString;
        });
        expect(read(JSON.stringify(body, undefined, space))).toStrictEqual({ ids: expected });
      }),
    );
  });
});

function explain(text: string) {
  const stop = scanJson(text, 3, { value: () => undefined, duplicate: () => undefined });
  if (stop === undefined) throw new Error(`${text} is valid`);
  return explainJsonStop(text, stop, 3);
}

test.each<[string, string, number, number, SentenceCode]>([
  ['[1}', '}', 1, 3, 'json_correct'],
  ['{"a": 1\n "b": 2}', '"', 2, 2, 'json_correct'],
  ['[\r\n1,\r\n]', ']', 3, 1, 'json_comma'],
  ['{"a": 1,\n\n  }', '}', 3, 3, 'json_comma'],
  ["{'a': 1}", "'", 1, 2, 'json_quotes'],
  ['{a: 1}', 'a', 1, 2, 'json_quotes'],
  ['[“a”]', '“', 1, 2, 'json_quotes'],
  ['{"a": "b\n"}', 'U+000A', 1, 9, 'json_close'],
  ['\ufeff[01]', '1', 1, 3, 'json_correct'],
  ['[\u00a0]', 'U+00A0', 1, 2, 'json_correct'],
  ['[<]', '<', 1, 2, 'json_correct'],
  ['{"a":"\\x"}', '\\', 1, 7, 'json_correct'],
])('%j is wrong at %j, line %i, column %i', (text, found, line, column, remedy) => {
  expect(explain(text)).toEqual([sentence('json_syntax', { found, line, column }), sentence(remedy)]);
});

test.each([
  ['', 1, 1],
  ['\n\n', 3, 1],
  ['{"a": [1, 2', 1, 12],
  ['{"a": "b', 1, 9],
  ['\ufeff', 1, 1],
])('%j ends too early, at line %i, column %i', (text, line, column) => {
  expect(explain(text)).toEqual([sentence('json_ends', { line, column }), sentence('json_close')]);
});

test('recognizes XML', () => {
  for (const text of ['<jobs/>', '\ufeff \n<?xml version="1.0"?>'])
    expect(explain(text)).toEqual([sentence('body_is_xml')]);
});

test('states the limit of the nesting', () => {
  expect(explain('[[[[')).toEqual([sentence('body_too_deep', { limit: 3 })]);
});
