import { beforeAll, describe, expect, test } from '@jest/globals';
import { jsonBody, xmlBody } from '../harness/http-client.ts';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import {
  createClient,
  expectAccepted,
  expectProblem,
  newJobIds,
  type Accepted,
  type Client,
  type ClientCall,
} from './client.ts';
import { problems } from './contract.ts';

const service = useService();
let client: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'limits');
  jobIds = await client.newJobs(10_000);
});

const formats = ['json', 'xml'] as const;
const chunked = { 'Transfer-Encoding': 'chunked' };

describe.each(formats)('the number of jobs in %s', (format) => {
  test('10,000 are accepted', async () => {
    const answer = await client.call({ format, sandbox: true, jobIds });
    expectAccepted(answer, jobIds, true);
    expect((answer.json as Accepted).processed_jobs).toBe(10_000);
  });

  test.each([10_001, 30_000])('%d are too many', async (count) => {
    const many = [...jobIds, ...Array.from({ length: count - 10_000 }, (_, index) => `More${String(index)}`)];
    const { errors } = expectProblem(await client.call({ format, jobIds: many }), 'too_many_jobs');
    const message = problems.too_many_jobs.en;
    expect(errors).toEqual([
      { pointer: '/jobs/job', code: 'too_many_jobs', message, detail: expect.any(String) },
    ]);
  });

  test('10,000 ids of the maximum length are checked', async () => {
    const long = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(128, 'x'));
    const problem = expectProblem(await client.call({ format, jobIds: long }), 'job_not_found');
    expect(problem.errors_truncated).toBe(true);
  });
});

test('10,000 jobs are accepted live, in one deletion', async () => {
  const deletionId = expectAccepted(await client.call({ jobIds }), jobIds);
  const deletion = await service.operator.store.findDeletion(deletionId, client.account.accountId);
  expect(deletion?.jobIds).toEqual(jobIds);
  jobIds = await client.newJobs(10_000);
});

test('MAX_JOBS_PER_REQUEST lowers the limit', async () => {
  const gateway = await startAnotherGateway(service, { MAX_JOBS_PER_REQUEST: '3' });
  const there = client.at(gateway.baseUrl);
  for (const format of formats) {
    expectAccepted(
      await there.call({ format, sandbox: true, jobIds: jobIds.slice(0, 3) }),
      jobIds.slice(0, 3),
      true,
    );
    expectProblem(await there.call({ format, jobIds: jobIds.slice(0, 4) }), 'too_many_jobs');
  }
  await gateway.stop();
});

describe.each(formats)('the size of a body in %s', (format) => {
  const limit = 4 * 1024 * 1024;
  const bodyOf = (bytes: number) => {
    const body = format === 'json' ? jsonBody(jobIds.slice(0, 2)) : xmlBody(jobIds.slice(0, 2));
    return body + ' '.repeat(bytes - body.length);
  };

  test.each([
    ['announced', {}],
    ['in chunks', chunked],
  ])('4 MiB %s are accepted, and one more byte is too large', async (_, headers) => {
    const fits = await client.call({ format, sandbox: true, headers, body: bodyOf(limit) });
    expectAccepted(fits, jobIds.slice(0, 2), true);
    expectProblem(await client.call({ format, headers, body: bodyOf(limit + 1) }), 'body_too_large');
  });

  test('a much larger body is too large', async () => {
    const body = bodyOf(limit * 2 - 1);
    expectProblem(await client.call({ format, body }), 'body_too_large');
    expectProblem(await client.call({ format, headers: chunked, body }), 'body_too_large');
  });

  test('MAX_BODY_BYTES sets the exact limit', async () => {
    const gateway = await startAnotherGateway(service, { MAX_BODY_BYTES: '1000' });
    const there = client.at(gateway.baseUrl);
    for (const headers of [{}, chunked]) {
      const fits = await there.call({ format, sandbox: true, headers, body: bodyOf(1_000) });
      expectAccepted(fits, jobIds.slice(0, 2), true);
      for (const bytes of [1_001, 1_500, 2_000])
        expectProblem(await there.call({ format, headers, body: bodyOf(bytes) }), 'body_too_large');
    }
    await gateway.stop();
  });

  test.each<[string, ClientCall]>([
    ['a Content-Length of 0', { body: '' }],
    ['no framing', { body: undefined }],
    ['no chunk', { body: '', headers: chunked }],
  ])('%s is an absent body, and the detail says what to do', async (_, call) => {
    for (const language of ['fr', 'en', 'es'] as const) {
      const problem = expectProblem(await client.call({ format, language, ...call }), 'body_malformed', {
        language,
      });
      expect(problem.detail).toMatch(/Content-Length/);
      expect(problem.errors).toMatchObject([{ pointer: '', code: 'body_malformed' }]);
    }
  });
});

describe('the errors of one answer', () => {
  const entries = (count: number, entry: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => entry(i));

  test.each(formats)('are cut to the first 100, with a mark for more, in %s', async (format) => {
    for (const [count, code, jobs] of [
      [100, 'job_id_malformed', entries(100, () => '-')],
      [101, 'job_id_malformed', entries(101, () => '-')],
      [10_000, 'job_id_required', entries(10_000, () => '')],
      [100, 'job_id_duplicated', entries(101, () => 'SAME')],
      [101, 'job_id_duplicated', entries(102, () => 'SAME')],
      [100, 'job_not_found', newJobIds(100)],
      [101, 'job_not_found', newJobIds(101)],
      [9_999, 'job_not_found', newJobIds(9_999)],
    ] as const) {
      const problem = expectProblem(await client.call({ format, jobIds: jobs }), code);
      expect(problem.errors).toHaveLength(Math.min(count, 100));
      expect(problem.errors_truncated).toBe(count > 100 ? true : undefined);
      const shift = code === 'job_id_duplicated' ? 1 : 0;
      const pointers = entries(Math.min(count, 100), (index) => `/jobs/job/${String(index + shift)}/id`);
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    }
  });

  test('include entries that are not objects, with the same limit', async () => {
    const call = (count: number) =>
      client.call({ body: JSON.stringify({ jobs: { job: Array(count).fill(0) } }) });
    expect(expectProblem(await call(100), 'body_malformed').errors_truncated).toBeUndefined();
    const problem = expectProblem(await call(101), 'body_malformed');
    expect([problem.errors?.length, problem.errors_truncated]).toEqual([100, true]);
  });

  test('name entries that are far apart', async () => {
    const jobs = jobIds.map((id, index) => (index % 200 === 199 ? `Gone${String(index)}` : id));
    const problem = expectProblem(await client.call({ jobIds: jobs }), 'job_not_found');
    expect(problem.errors?.map(({ job_id }) => job_id)).toEqual(jobs.filter((id) => id.startsWith('Gone')));
    expect(problem.errors_truncated).toBeUndefined();
  });
});

describe('a caller’s value is cut to 128 characters', () => {
  test.each<[string, string]>([
    ['a'.repeat(129), 'a'.repeat(128)],
    ['-'.repeat(1_000_000), '-'.repeat(128)],
    ['é'.repeat(200), 'é'.repeat(128)],
  ])('an id', async (id, echoed) => {
    for (const format of formats) {
      const { errors } = expectProblem(await client.call({ format, jobIds: [id] }), 'job_id_malformed');
      expect(errors?.[0]?.job_id).toBe(echoed);
    }
  });

  test('an id is not cut within a character', async () => {
    const answer = await client.call({ jobIds: [`${'a'.repeat(127)}😀😀`] });
    const { errors } = expectProblem(answer, 'job_id_malformed');
    expect(errors?.[0]?.job_id).toBe('a'.repeat(127));
    expect(answer.text).not.toMatch(/\p{Surrogate}|\\ud/iu);
  });

  test('half a surrogate pair is not repeated', async () => {
    const answer = await client.call({ body: String.raw`{"jobs":{"job":[{"id":"ab\ud83d"}]}}` });
    expectProblem(answer, 'job_id_malformed');
    expect(answer.text).not.toMatch(/\\ud[89a-f]/i);
  });

  test('the name of a member', async () => {
    const name = 'n'.repeat(100_000);
    const answer = await client.call({ body: `{"${name}":1,"${name}":2}` });
    expect(answer.text.length).toBeLessThan(1_000);
    expect(expectProblem(answer, 'body_malformed').errors?.[0]?.pointer).toBe(`/${'n'.repeat(128)}`);
  });
});
