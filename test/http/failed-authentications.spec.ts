import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startAnotherGateway } from '../harness/service.ts';
import { useService } from '../harness/use-service.ts';
import { createClient, expectAccepted, expectProblem, type Client, type ClientCall } from './client.ts';

const service = useService();
let client: Client;
let jobIds: string[];
beforeAll(async () => {
  client = await createClient(service, 'failures');
  jobIds = await client.newJobs(1);
});

const limits = { protection: { failedAuthentications: { limit: 3, windowSeconds: 3_600 } } };
const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });
const wrong = { Usersecretkey: 'wrong' };

describe('behind a trusted proxy', () => {
  let gateway: Awaited<ReturnType<typeof startAnotherGateway>>;
  let there: Client;
  beforeEach(async () => {
    gateway = await startAnotherGateway(service, { TRUST_PROXY: 'loopback' }, limits);
    there = client.at(gateway.baseUrl);
  });
  afterEach(() => gateway.stop());
  const fail = async (address: string, times = 3) => {
    for (let time = 0; time < times; time++)
      expectProblem(await there.call({ headers: { ...wrong, ...from(address) } }), 'secret_key_invalid');
  };
  const callFrom = (address: string, call: ClientCall = {}) =>
    there.call({ jobIds, sandbox: true, ...call, headers: { ...from(address), ...call.headers } });

  test.each(['fr', 'en', 'es'] as const)(
    'a caller with too many failures is refused in %s, with the time to wait',
    async (language) => {
      await fail('192.0.2.7');
      for (const headers of [wrong, {}]) {
        const answer = await callFrom('192.0.2.7', { language, headers });
        expectProblem(answer, 'too_many_requests', { language });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
        expect(answer.headers.ratelimit).toBeUndefined();
      }
    },
  );

  test.each([
    ['Authorization', { Authorization: 'Bearer nobody' }, 'token_invalid'],
    ['Usersecretkey', wrong, 'secret_key_invalid'],
    ['Origin', { Origin: 'https://other.example' }, 'origin_not_allowed'],
  ] as const)('a wrong %s counts as a failure', async (_, headers, code) => {
    for (let time = 0; time < 3; time++) expectProblem(await callFrom('192.0.2.7', { headers }), code);
    expectProblem(await callFrom('192.0.2.7', { headers }), 'too_many_requests');
  });

  test('a missing token or another fault does not count as a failure', async () => {
    const headers = { Authorization: undefined };
    for (let time = 0; time < 5; time++) {
      expectProblem(await callFrom('192.0.2.7', { headers }), 'authentication_required');
      expectProblem(await callFrom('192.0.2.7', { body: '' }), 'body_malformed');
    }
    await fail('192.0.2.7');
  });

  test('the account is not locked out on another network', async () => {
    await fail('192.0.2.7');
    expectProblem(await callFrom('192.0.2.7'), 'too_many_requests');
    expectAccepted(await callFrom('192.0.2.8'), jobIds, true);
  });

  test('proven credentials are not locked out on the same network', async () => {
    expectAccepted(await callFrom('192.0.2.7'), jobIds, true);
    await fail('192.0.2.7');
    expectProblem(await callFrom('192.0.2.7', { headers: wrong }), 'too_many_requests');
    expectAccepted(await callFrom('192.0.2.7'), jobIds, true);
  });

  test('the addresses of an IPv6 subscriber count as one network', async () => {
    for (const host of ['1', '2', 'ffff:0:1']) await fail(`2001:db8:1:2::${host}`, 1);
    expectProblem(await callFrom('2001:db8:1:2:abcd::'), 'too_many_requests');
    expectAccepted(await callFrom('2001:db8:1:3::1'), jobIds, true);
  });

  test('an address that a caller claims is ignored', async () => {
    for (const claimed of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
      await fail(`${claimed}, 192.0.2.7`, 1);
    expectProblem(await callFrom('198.51.100.4, 192.0.2.7'), 'too_many_requests');
    expectAccepted(await callFrom('198.51.100.1'), jobIds, true);
  });
});

test('without a trusted proxy, only the address of the connection counts', async () => {
  const gateway = await startAnotherGateway(service, {}, limits);
  const there = client.at(gateway.baseUrl);
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    expectProblem(await there.call({ headers: { ...wrong, ...from(address) } }), 'secret_key_invalid');
  expectProblem(await there.call({ jobIds, headers: from('192.0.2.4') }), 'too_many_requests');
  await gateway.stop();
});
