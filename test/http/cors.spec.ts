import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { createClient, expectAccepted, expectProblem, pathOf, type Client } from './client.ts';

let service: TestService;
let open: Awaited<ReturnType<typeof startAnotherGateway>>;
let closed: Client;
let client: Client;
beforeAll(async () => {
  service = await startService();
  open = await startAnotherGateway(service, { CORS: 'allowed-domains', BASE_PATH: '/a.b' });
  closed = await createClient(service, 'browsers');
  client = closed.at(open.baseUrl);
});
afterAll(async () => {
  await open.stop();
  await service.stop();
});

const deletionPath = '/v1/deletions/01936d5e-7d53-7000-8000-0123456789ab';
const origin = 'https://page.example';
const preflight = (path: string, headers: Record<string, string | undefined> = {}) => ({
  method: 'OPTIONS',
  path,
  body: '',
  headers: {
    Authorization: undefined,
    Usersecretkey: undefined,
    'Content-Type': undefined,
    'User-Agent': undefined,
    'X-Client-Lang': undefined,
    Origin: origin,
    'Access-Control-Request-Method': 'DELETE',
    ...headers,
  },
});

const readable = {
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    'Deletion-Id, Request-Id, Idempotent-Replayed, Preference-Applied, Retry-After, Sandbox, RateLimit, RateLimit-Policy',
  vary: 'Origin',
};

describe.each([
  [pathOf('json'), 'DELETE'],
  [pathOf('xml', true), 'DELETE'],
  [deletionPath, 'GET, HEAD, DELETE'],
  ['/v1/whoami', 'GET, HEAD'],
  ['/v1/jobs', 'GET, HEAD'],
])('a preflight for %s', (path, methods) => {
  test('is answered without credentials', async () => {
    const answer = await client.call(preflight(path));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      ...readable,
      'access-control-allow-methods': methods,
      'access-control-allow-headers':
        'Authorization, Usersecretkey, Content-Type, Accept-Language, User-Agent, X-Client-Lang, Idempotency-Key, Prefer',
      'access-control-max-age': '600',
    });
  });

  test.each(['Origin', 'Access-Control-Request-Method'])('is not recognized without %s', async (header) => {
    const answer = await client.call(preflight(path, { [header]: undefined }));
    expectProblem(answer, 'method_not_allowed', { allow: methods });
  });

  test('is 405 while CORS is off', async () => {
    const answer = await closed.call(preflight(path));
    expectProblem(answer, 'method_not_allowed', { allow: methods });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('a path that does not exist has no preflight', async () => {
  const answer = await client.call(preflight('/v1/none'));
  expectProblem(answer, 'route_not_found');
  expect(answer.headers).toMatchObject(readable);
});

test('a page may read an answer and a refusal, and its origin is still checked', async () => {
  const jobIds = await client.newJobs(1);
  const own = { ...readable, 'access-control-allow-origin': client.account.origin };
  const foreign = await client.call({ jobIds, headers: { Origin: origin } });
  expectProblem(foreign, 'origin_not_allowed');
  expect(foreign.headers).toMatchObject(readable);
  const accepted = await client.call({ jobIds });
  expectAccepted(accepted, jobIds);
  expect(accepted.headers).toMatchObject(own);
});

test('without CORS no answer allows an origin', async () => {
  const answer = await closed.call({ jobIds: ['NoSuchJob'] });
  expect(Object.keys(answer.headers).filter((name) => /^access-control|^vary$/.test(name))).toEqual([]);
});

test('a request without an Origin allows none', async () => {
  const { headers } = await client.call({ headers: { Origin: undefined } });
  expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'Origin']);
});
