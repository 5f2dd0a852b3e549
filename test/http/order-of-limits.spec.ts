import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createApp } from '@jobs-delete/gateway/app';
import type { DeleterClient } from '@jobs-delete/gateway/deleter/deleter-client';
import { startHttpServer } from '@jobs-delete/gateway/http/server/start-http-server';
import type { LoadShedder, Admission } from '@jobs-delete/gateway/limits/load-shedder';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { startAnotherGateway, startService, type TestAccount, type TestService } from '../harness/service.ts';
import { checksFor } from './checks.ts';
import { createClient, expectProblem, newJobIds, type Client, type ClientCall } from './client.ts';
import type { Code } from './contract.ts';

const stops: (() => Promise<void>)[] = [];
let service: TestService;
let other: Client;
beforeAll(async () => {
  service = await startService();
  other = await createClient(service, 'other');
});
afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
  await service.stop();
});

const checks = checksFor(() => other.account.secretKey);
const maxima = { maxBodyBytes: 5_000, maxJobsPerRequest: 10 };

/** Starts a gateway with a limit. `exhaust` uses it up. */
async function limitedGateway(
  accountId: string,
  env: NodeJS.ProcessEnv,
  exhaust: (client: Client) => Promise<unknown>,
): Promise<Client> {
  const gateway = await startAnotherGateway(service, {
    MAX_BODY_BYTES: String(maxima.maxBodyBytes),
    MAX_JOBS_PER_REQUEST: String(maxima.maxJobsPerRequest),
    ...env,
  });
  stops.push(gateway.stop);
  const client = (await createClient(service, accountId)).at(gateway.baseUrl);
  await exhaust(client);
  return client;
}

/** Starts a gateway that sheds every request at one point: on arrival, or in its admission. */
async function sheddingGateway(
  accountId: string,
  shed: Partial<Admission> | 'on arrival' | 'not admitted',
): Promise<Client> {
  const client = await createClient(service, accountId);
  const open: Admission = {
    hold: () => true,
    enter: () => true,
    leave: () => undefined,
  };
  const loadShedder: LoadShedder = {
    isFull: () => shed === 'on arrival',
    admit: () => (typeof shed === 'string' ? undefined : { ...open, ...shed }),
    state: () => ({ serving: 0, limit: 0, bufferedBytes: 0 }),
  };
  const app = createApp({
    accounts: {
      findAccount: () => Promise.resolve(undefined),
      findCredential: () => Promise.resolve(undefined),
    },
    authenticator: authenticatorOf(client.account),
    deleter: unreachedDeleter,
    loadShedder,
    log: createLogger('silent', 'test'),
    basePath: '',
    publicUrl: '',
    ...maxima,
  });
  const timeouts = { headersTimeoutMs: 10_000, requestTimeoutMs: 10_000 };
  const idle = { keepAliveTimeoutMs: 1_000, idleTimeoutMs: 30_000 };
  const bounds = { maxHeaderBytes: 16_384, maxConnections: 100, ...timeouts, ...idle };
  const server = await startHttpServer(app, { host: '127.0.0.1', port: 0, ...bounds });
  stops.push(() => server.stop(0));
  return client.at(`http://127.0.0.1:${String(server.port)}`);
}

function authenticatorOf({ accountId, token, secretKey, origin }: TestAccount): Authenticator {
  return {
    authenticateToken: (text) =>
      Promise.resolve(
        text === token ? { accountId, tokenId: 'token', allowedDomains: [origin] } : 'token_invalid',
      ),
    verifySecretKey: (_, text) =>
      Promise.resolve(text === secretKey ? { secretKeyId: 'key' } : 'secret_key_invalid'),
    recordUse: () => undefined,
    recordRefusal: () => undefined,
  };
}

const unreachedDeleter: DeleterClient = {
  deleteJobs: () => Promise.reject(new Error('a limit let the request through')),
  readDeletion: () => Promise.resolve(undefined),
  listJobs: () => Promise.resolve({ jobIds: [], next: undefined }),
  cancelDeletion: () => Promise.resolve(undefined),
  check: () => Promise.resolve(undefined),
  close: () => undefined,
};

interface Limit {
  readonly name: string;
  readonly code: Code;
  /** The last check before this limit. */
  readonly after: string;
  /** The RateLimit headers of the refusal. */
  readonly told: RegExp | undefined;
  readonly start: (accountId: string) => Promise<Client>;
}

const limits: readonly Limit[] = [
  {
    name: 'load on arrival',
    code: 'unavailable',
    after: 'method',
    told: undefined,
    start: (accountId) => sheddingGateway(accountId, 'on arrival'),
  },
  {
    name: 'failed authentications',
    code: 'too_many_requests',
    after: 'method',
    told: undefined,
    start: (accountId) =>
      limitedGateway(accountId, { FAILED_AUTHENTICATIONS_LIMIT: '1' }, async (client) => {
        const answer = await client.call({ headers: { Usersecretkey: 'wrong' } });
        expectProblem(answer, 'secret_key_invalid');
      }),
  },
  {
    name: 'load of the account',
    code: 'unavailable',
    after: 'origin',
    told: undefined,
    start: (accountId) => sheddingGateway(accountId, 'not admitted'),
  },
  {
    name: 'requests of the account',
    code: 'too_many_requests',
    after: 'origin',
    told: /^"requests";r=0;t=\d+$/,
    start: (accountId) =>
      limitedGateway(
        accountId,
        { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_JOBS: '10', RATE_LIMIT_WINDOW_SECONDS: '3600' },
        async (client) => expectProblem(await client.call({ jobIds: newJobIds(10) }), 'job_not_found'),
      ),
  },
  {
    name: 'memory for bodies',
    code: 'unavailable',
    after: 'size',
    told: undefined,
    start: (accountId) => sheddingGateway(accountId, { hold: () => false }),
  },
  {
    name: 'load when the body has arrived',
    code: 'unavailable',
    after: 'size',
    told: undefined,
    start: (accountId) => sheddingGateway(accountId, { enter: () => false }),
  },
  {
    name: 'jobs of the account',
    code: 'too_many_requests',
    after: 'id',
    told: /^"jobs";r=0;t=\d+$/,
    start: (accountId) =>
      limitedGateway(
        accountId,
        { RATE_LIMIT_JOBS: '10', RATE_LIMIT_WINDOW_SECONDS: '3600' },
        async (client) => expectProblem(await client.call({ jobIds: newJobIds(10) }), 'job_not_found'),
      ),
  },
];

describe.each(limits)('the limit of $name', ({ name, code, after, told, start }) => {
  let client: Client;
  let existing: string[];
  beforeAll(async () => {
    client = await start(name.replaceAll(' ', '-'));
    existing = await client.newJobs(2);
  });
  const last = checks.findIndex((check) => check.name === after);
  const expectLimited = async (call: ClientCall) => {
    const answer = await client.call(call);
    expectProblem(answer, code);
    const { ratelimit } = answer.headers;
    if (told === undefined) expect(ratelimit).toBeUndefined();
    else expect(ratelimit).toMatch(told);
  };

  test('refuses a valid request', () => expectLimited({ jobIds: existing }));

  test.each(checks.slice(0, last + 1))('is checked after the $name', async ({ code: earlier, spoil }) => {
    const answer = await client.call(spoil({ jobIds: existing }));
    expectProblem(answer, earlier, { header: 'X-Client-Lang' });
  });

  test.each(checks.slice(last + 1))('is checked before the $name', ({ spoil }) =>
    expectLimited(spoil({ jobIds: existing })),
  );
});
