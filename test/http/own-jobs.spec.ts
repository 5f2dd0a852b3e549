import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { expectChecksInOrder, noHeaders } from './checks.ts';
import { createClient, expectAccepted, expectProblem, expectStamped, type Client } from './client.ts';

let service: TestService;
let client: Client;
let other: Client;
const ids = Array.from({ length: 1_100 }, (_, index) => `Own${String(index).padStart(5, '0')}`);
beforeAll(async () => {
  service = await startService();
  client = await createClient(service, 'owner');
  other = await createClient(service, 'other');
  await service.operator.importJobs('owner', ids);
  await other.newJobs(3);
});
afterAll(() => service.stop());

const path = '/v1/jobs';
const withoutBody = { body: '', headers: { 'Content-Type': undefined } };
const list = (query = '', from = client) => from.call({ method: 'GET', path: path + query, ...withoutBody });
interface Page {
  readonly jobs: readonly { readonly id: string }[];
  readonly next: string | null;
}
const idsOf = ({ json }: { json: unknown }) => (json as Page).jobs.map(({ id }) => id);

describe('the jobs of the account', () => {
  test('are listed by 1,000, with the id to go on after', async () => {
    const answer = await list();
    expectStamped(answer.headers, 'en');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const page = answer.json as Page;
    expect(Object.keys(page)).toEqual(['jobs', 'next']);
    expect(page).toEqual({ jobs: ids.slice(0, 1_000).map((id) => ({ id })), next: ids[999] });
    expect((await list(`?after=${String(page.next)}`)).json).toEqual({
      jobs: ids.slice(1_000).map((id) => ({ id })),
      next: null,
    });
  });

  test('are exactly those of the account', async () => {
    expect((await list('?limit=10000')).json).toEqual({ jobs: ids.map((id) => ({ id })), next: null });
    expect(idsOf(await list('', other))).toHaveLength(3);
    const none = await createClient(service, 'nothing');
    expect((await list('', none)).text).toBe('{"jobs":[],"next":null}');
  });

  test('that are queued for deletion are left out at once', async () => {
    const mixed = await createClient(service, 'mixed');
    const jobIds = await mixed.newJobs(5);
    const some = [jobIds[1] ?? '', jobIds[4] ?? ''];
    expectAccepted(await mixed.call({ jobIds: some }), some);
    expect((await list('?limit=3', mixed)).json).toEqual({
      jobs: [0, 2, 3].map((index) => ({ id: jobIds[index] })),
      next: null,
    });
  });

  test('HEAD has the same headers, and no body', async () => {
    const got = await list();
    const head = await client.call({ method: 'HEAD', path, ...withoutBody });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('the Content-Type is ignored, and so is an unknown parameter', async () => {
    const headers = { 'Content-Type': 'nonsense' };
    const answer = await client.call({ method: 'GET', path: `${path}?x=1&x=2&limit=1`, body: '', headers });
    expect([answer.status, idsOf(answer)]).toEqual([200, [ids[0]]]);
  });
});

describe('the order of the checks', () => {
  test.each(['/v1/jobs/', '/v1/Jobs', '/v1/jobs/x', '/v1-sandbox/jobs', '/v1/json/jobs'])(
    '%s is not a path of the API',
    async (unknown) => {
      expectProblem(await client.call({ method: 'GET', path: unknown, body: '' }), 'route_not_found');
    },
  );

  test.each(['DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const answer = await client.call({ method, path, headers: noHeaders });
    expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD' });
  });

  test('credentials come first, then headers, then the query', async () => {
    const answer = await expectChecksInOrder(client, {
      method: 'GET',
      path,
      query: '?limit=x',
      parameter: 'limit',
    });
    expect(answer.status).toBe(200);
  });

  test.each(['fr', 'en', 'es'] as const)('each wrong parameter is named in %s', async (language) => {
    const call = { method: 'GET', path: `${path}?after=-&limit=0`, language, ...withoutBody };
    const { errors } = expectProblem(await client.call(call), 'query_invalid', { language, header: 'after' });
    expect(errors).toMatchObject([{ parameter: 'after' }, { parameter: 'limit' }]);
  });

  test.each(['after=', 'after=a%00', 'after=a&after=b', 'limit=10001', 'limit=1&limit=1'])(
    '%s is refused',
    async (query) => {
      expectProblem(await list(`?${query}`), 'query_invalid', { header: query.split('=')[0] ?? '' });
    },
  );
});

test('they are listed below a base path, and a list counts as a request of the quota', async () => {
  const gateway = await startAnotherGateway(service, {
    BASE_PATH: '/a.b',
    RATE_LIMIT_REQUESTS: '2',
    RATE_LIMIT_WINDOW_SECONDS: '3600',
  });
  try {
    const there = client.at(gateway.baseUrl);
    expect(idsOf(await list('?limit=2', there))).toEqual(ids.slice(0, 2));
    expectProblem(await list('?limit=x', there), 'query_invalid', { header: 'limit' });
    expectProblem(await list('?limit=x', there), 'too_many_requests');
  } finally {
    await gateway.stop();
  }
});
