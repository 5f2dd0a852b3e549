import { describe, expect, test } from '@jest/globals';
import { expectAccepted, expectProblem, newJobIds, useClient, type ClientCall } from './client.ts';

const client = useClient('all-errors');
const all = { Prefer: 'errors=all' };
const ask = async (call: ClientCall) => {
  const answer = await client().call({ ...call, headers: { ...all, ...call.headers } });
  return { ...answer, applied: answer.headers['preference-applied'] };
};

describe.each([
  ['json', false],
  ['json', true],
  ['xml', false],
  ['xml', true],
] as const)('a refusal at %s (sandbox: %s)', (format, sandbox) => {
  test('names the first 100 unknown jobs without the preference, and all of them with it', async () => {
    const known = await client().newJobs(2);
    const unknown = newJobIds(150);
    const jobIds = [known[0] ?? '', ...unknown, known[1] ?? ''];
    const entries = unknown.map((job_id, index) => ({
      pointer: `/jobs/job/${String(index + 1)}/id`,
      job_id,
    }));

    const first = await client().call({ format, sandbox, jobIds });
    const cut = expectProblem(first, 'job_not_found');
    expect(cut.errors).toMatchObject(entries.slice(0, 100));
    expect([cut.errors_truncated, first.headers['preference-applied']]).toEqual([true, undefined]);

    const whole = await ask({ format, sandbox, jobIds });
    const problem = expectProblem(whole, 'job_not_found');
    expect(problem.errors).toMatchObject(entries);
    expect([problem.errors_truncated, whole.applied]).toEqual([undefined, 'errors=all']);
    expect(problem.detail).toContain("150 entries are wrong: 'errors' lists them.");
    expectAccepted(await ask({ format, sandbox, jobIds: known }), known, sandbox);
  });

  test('names every wrong id', async () => {
    const [id = ''] = newJobIds(1);
    const jobIds = [id, ...Array<string>(120).fill(id), ...Array<string>(120).fill('-')];
    expect(
      expectProblem(await client().call({ format, sandbox, jobIds }), 'job_id_duplicated').errors,
    ).toHaveLength(100);
    const answer = await ask({ format, sandbox, jobIds });
    const { errors = [] } = expectProblem(answer, 'job_id_duplicated');
    expect(answer.applied).toBe('errors=all');
    expect(errors.map(({ code, pointer }) => [code, pointer])).toEqual(
      Array.from({ length: 240 }, (_, index) => [
        index < 120 ? 'job_id_duplicated' : 'job_id_malformed',
        `/jobs/job/${String(index + 1)}/id`,
      ]),
    );
  });
});

test.each([
  ['JSON', { body: `{"jobs":{"job":[${Array<number>(150).fill(1).join(',')}]}}` }, ''],
  ['XML', { format: 'xml', body: `<jobs>${'<job><id>a<b/></id></job>'.repeat(150)}</jobs>` }, '/id'],
] as const)('every entry of a wrong form is named in %s', async (_, call, end) => {
  const answer = await ask(call);
  const { errors = [] } = expectProblem(answer, 'body_malformed');
  expect(errors.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 150 }, (_each, index) => `/jobs/job/${String(index)}${end}`),
  );
  expect(answer.applied).toBe('errors=all');
});

test('10,000 unknown jobs are all named, in less than twice the bytes of an acceptance', async () => {
  const jobIds = newJobIds(10_000);
  const answer = await ask({ jobIds });
  const { errors = [] } = expectProblem(answer, 'job_not_found');
  expect(errors.map(({ job_id }) => job_id)).toEqual(jobIds);
  expect(answer.text.length).toBeLessThan(2_000_000);
});

test('more faults than a request may have jobs are cut after as many', async () => {
  const members = '"id":"a",'.repeat(2);
  const body = `{"jobs":{"job":[${Array<string>(5_001).fill(`{${members}"x":{"y":1,"y":2}}`).join(',')}]}}`;
  const { json, applied } = await ask({ body });
  const { errors, errors_truncated } = json as { errors: unknown[]; errors_truncated?: boolean };
  expect([errors.length, errors_truncated, applied]).toEqual([10_000, true, undefined]);
});

test('a wrong header is named, and the preference is applied', async () => {
  const answer = await ask({ jobIds: newJobIds(1), headers: { ...all, 'X-Client-Lang': undefined } });
  expectProblem(answer, 'header_invalid', { header: 'X-Client-Lang' });
  expect(answer.applied).toBe('errors=all');
});

test.each<[string, ClientCall, number]>([
  ['an acceptance', {}, 200],
  ['a replay', { idempotencyKey: 'again' }, 200],
  ['a refusal of the token', { headers: { Authorization: undefined } }, 401],
  ['a refusal of the method', { method: 'PUT' }, 405],
  ['an unknown path', { path: '/v1/unknown' }, 404],
])('%s says nothing of the preference', async (_, call, status) => {
  const jobIds = await client().newJobs(1);
  await ask({ jobIds, ...call });
  const again = call.idempotencyKey === undefined ? await client().newJobs(1) : jobIds;
  const answer = await ask({ jobIds: again, ...call });
  expect([answer.status, answer.applied]).toEqual([status, undefined]);
});

test.each([
  [{ Prefer: ['respond-async, wait=5', 'Errors="all"; x'] }, 101],
  [{ Prefer: 'errors=first' }, 100],
  [{ Prefer: 'return=minimal, =, errors=all' }, 100],
  [{ Prefer: '\u00e9' }, 100],
])('%j is never refused, and gets %s entries', async (headers, entries) => {
  const answer = await ask({ jobIds: newJobIds(101), headers });
  expect(expectProblem(answer, 'job_not_found').errors).toHaveLength(entries);
});

test('too many jobs are one fault', async () => {
  const answer = await ask({ jobIds: newJobIds(10_001) });
  expect(expectProblem(answer, 'too_many_jobs').errors).toHaveLength(1);
  expect(answer.applied).toBe('errors=all');
});
