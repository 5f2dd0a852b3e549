import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startAnotherGateway, startService, type TestService } from '../harness/service.ts';
import { expectChecksInOrder, noHeaders } from './checks.ts';
import { createClient, credentialsOf, expectProblem, expectStamped, type Client } from './client.ts';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await createClient(service, 'who');
});
afterAll(() => service.stop());

const path = '/v1/whoami';
const withoutBody = { body: '', headers: { 'Content-Type': undefined } };
const ask = (from = client, method = 'GET') => from.call({ method, path, ...withoutBody });
const publicPart = (credential: string) => credential.split('_')[1] ?? '';

describe('the caller', () => {
  test('is told the account, the credentials without their secrets, and the limits', async () => {
    const { token, secretKey, origin } = client.account;
    const answer = await ask();
    expectStamped(answer.headers, 'en');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.text).toBe(
      JSON.stringify({
        account_id: 'who',
        account_name: null,
        token: { id: publicPart(token), expires_at: null },
        secret_key: { id: publicPart(secretKey), expires_at: null },
        origin,
        limits: { max_jobs_per_request: 10_000, max_body_bytes: 4_194_304 },
      }),
    );
  });

  test('is told the name of the account, and when a token expires', async () => {
    const { operator } = service;
    const named = await operator.createAccount('named', { expiresAtMs: Date.UTC(2126, 0, 1) });
    await operator.accounts.changeAccount('named', { name: 'Nämed GmbH' });
    const answer = await client.call({ method: 'GET', path, body: '', headers: credentialsOf(named) });
    expect(answer.json).toMatchObject({
      account_name: 'Nämed GmbH',
      token: { id: publicPart(named.token), expires_at: '2126-01-01T00:00:00.000Z' },
    });
  });

  test('gets the same headers for HEAD, and no body', async () => {
    const [got, head] = [await ask(), await ask(client, 'HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('uses no credential up: their last use is that of a deletion', async () => {
    const { accounts } = service.operator;
    await ask();
    const [token] = await accounts.listCredentials('token', 'who');
    expect(token?.lastUsedAtMs).toBeUndefined();
  });
});

describe('the order of the checks', () => {
  test.each(['/v1/whoami/', '/v1/Whoami', '/v1/whoami/x', '/v1-sandbox/whoami', '/whoami'])(
    '%s is not a path of the API',
    async (unknown) => {
      expectProblem(await client.call({ method: 'GET', path: unknown, body: '' }), 'route_not_found');
    },
  );

  test.each(['DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const answer = await client.call({ method, path, headers: noHeaders });
    expectProblem(answer, 'method_not_allowed', { allow: 'GET, HEAD' });
  });

  test('credentials come first, then headers; any query is ignored', async () => {
    const { status } = await expectChecksInOrder(client, { method: 'GET', path, query: '?account_id=other' });
    expect(status).toBe(200);
  });

  test('a refused caller learns nothing of the account', async () => {
    const { token, secretKey, origin } = client.account;
    for (const headers of [{ Usersecretkey: 'jds_x' }, { Origin: 'https://evil.example' }]) {
      const { text } = await client.call({ method: 'GET', path, body: '', headers });
      for (const told of ['"who"', publicPart(token), publicPart(secretKey), origin])
        expect(text).not.toContain(told);
    }
  });
});

test('it works below a base path, with the limits of the gateway, and counts as a request of the quota', async () => {
  const gateway = await startAnotherGateway(service, {
    BASE_PATH: '/a.b',
    MAX_JOBS_PER_REQUEST: '7',
    MAX_BODY_BYTES: '5000',
    RATE_LIMIT_REQUESTS: '1',
    RATE_LIMIT_WINDOW_SECONDS: '3600',
  });
  try {
    const there = client.at(gateway.baseUrl);
    const answer = await ask(there);
    expect(answer.json).toMatchObject({ limits: { max_jobs_per_request: 7, max_body_bytes: 5_000 } });
    expect(answer.headers.ratelimit).toMatch(/^"requests";r=0;/);
    expectProblem(await ask(there), 'too_many_requests');
  } finally {
    await gateway.stop();
  }
});
