import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../harness/http-client.ts';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { createClient, expectAccepted, expectProblem, newJobIds, type Client } from './client.ts';

let service: TestService;
let gateway: Awaited<ReturnType<typeof startAnotherGateway>>;
let client: Client;
beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_REQUESTS: '4',
    RATE_LIMIT_JOBS: '10000',
    RATE_LIMIT_WINDOW_SECONDS: '3600',
  });
});
afterAll(() => service.stop());

let lastAccount = 0;
const newClient = () => createClient(service, `limited${String(++lastAccount)}`);
const policy = '"requests";q=4;w=3600, "jobs";q=10000;qu="jobs";w=3600';

/** The RateLimit headers, and the time until the reset. */
function leftOf({ headers }: HttpAnswer): Record<string, number> {
  expect(headers['ratelimit-policy']).toBe(policy);
  const items = String(headers.ratelimit).split(', ');
  return Object.fromEntries(
    items.map((item) => {
      const [, name = '', left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(item) ?? [];
      expect(Number(seconds)).toBeGreaterThan(3_000);
      expect(Number(seconds)).toBeLessThanOrEqual(3_600);
      return [name, Number(left)];
    }),
  );
}

test('every answer to an account has its remaining quota', async () => {
  const there = await newClient();
  const jobIds = await there.newJobs(3);
  const accepted = await there.call({ jobIds });
  expectAccepted(accepted, jobIds);
  expect(leftOf(accepted)).toEqual({ requests: 3, jobs: 9_997 });
  const unknown = await there.call({ jobIds: newJobIds(2) });
  expectProblem(unknown, 'job_not_found');
  expect(leftOf(unknown)).toEqual({ requests: 2, jobs: 9_995 });
  const malformed = await there.call({ body: '{' });
  expectProblem(malformed, 'body_malformed');
  expect(leftOf(malformed)).toEqual({ requests: 1 });

  const unauthenticated = await there.call({ headers: { Usersecretkey: 'wrong' } });
  expectProblem(unauthenticated, 'secret_key_invalid');
  expect([unauthenticated.headers.ratelimit, unauthenticated.headers['ratelimit-policy']]).toEqual([
    undefined,
    undefined,
  ]);
});

describe.each(['json', 'xml'] as const)('beyond the limit in %s', (format) => {
  test.each(['fr', 'en', 'es'] as const)(
    'requests are refused in %s, and change nothing',
    async (language) => {
      const there = await newClient();
      const jobIds = await there.newJobs(1);
      for (let request = 0; request < 4; request++)
        expectProblem(await there.call({ format, body: '' }), 'body_malformed');
      for (let request = 0; request < 2; request++) {
        const answer = await there.call({ format, language, jobIds });
        expectProblem(answer, 'too_many_requests', { language });
        expect(leftOf(answer)).toEqual({ requests: 0 });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
      }
      const { store } = service.operator;
      expect(await store.countJobs(there.account.accountId)).toBe(1);
    },
  );

  test('jobs are refused, and those of a refused request count too', async () => {
    const there = await newClient();
    expectProblem(await there.call({ format, jobIds: newJobIds(9_999) }), 'job_not_found');
    const answer = await there.call({ format, jobIds: await there.newJobs(2) });
    expectProblem(answer, 'too_many_requests');
    expect(leftOf(answer)).toEqual({ requests: 2, jobs: 0 });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

test('each account has its own quota, separate for the sandbox and the live path', async () => {
  const there = await newClient();
  for (let request = 0; request < 5; request++) await there.call({ body: '' });
  expectProblem(await there.call({ body: '' }), 'too_many_requests');
  const jobIds = await there.newJobs(1);
  const sandbox = await there.call({ jobIds, sandbox: true });
  expectAccepted(sandbox, jobIds, true);
  expect(leftOf(sandbox)).toEqual({ requests: 3, jobs: 9_999 });
  const other = await newClient();
  expectProblem(await other.call({ body: '' }), 'body_malformed');
});

test('reading a status uses the live requests of the account, after the credentials and before the headers', async () => {
  const there = await newClient();
  const path = '/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab';
  const read = (headers = {}) => there.call({ method: 'GET', path, body: '', headers });
  expectProblem(await read({ Origin: 'null' }), 'origin_not_allowed');
  const unknown = await read();
  expectProblem(unknown, 'deletion_not_found');
  expect(leftOf(unknown)).toEqual({ requests: 3 });
  expectProblem(await there.call({ body: '' }), 'body_malformed');
  expectProblem(await read({ 'User-Agent': '' }), 'header_invalid', { header: 'User-Agent' });
  expectProblem(await read(), 'deletion_not_found');
  const answer = await read({ 'User-Agent': '' });
  expectProblem(answer, 'too_many_requests');
  expect(leftOf(answer)).toEqual({ requests: 0 });
  expectProblem(await there.call({ body: '' }), 'too_many_requests');
});

test('without limits there are no RateLimit headers', async () => {
  client = await newClient();
  gateway = await startAnotherGateway(service);
  const there = client.at(gateway.baseUrl);
  for (let request = 0; request < 6; request++) {
    const answer = await there.call({ body: '' });
    expectProblem(answer, 'body_malformed');
    expect([answer.headers.ratelimit, answer.headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  }
  await gateway.stop();
});
