import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createApp } from '@jobs-delete/gateway/app';
import type { DeleterClient } from '@jobs-delete/gateway/deleter/deleter-client';
import { startHttpServer, type HttpServer } from '@jobs-delete/gateway/http/server/start-http-server';
import { createLoadShedder } from '@jobs-delete/gateway/limits/load-shedder';
import { Fault } from '@jobs-delete/runtime/fault';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { callerHeaders, send } from '../harness/http-client.ts';
import { startAnotherGateway, startService, type TestAccount, type TestService } from '../harness/service.ts';
import { completed, createClient, expectAccepted, expectProblem, type Client } from './client.ts';
import { languages, type Code } from './contract.ts';

/** A possible message of a driver. No part of it may reach a caller. */
const secret = 'E11000 mongodb://user:password@db.internal:27017 at /srv/app/store.js:12:3';

const account: TestAccount = {
  accountId: 'account',
  token: 'token',
  secretKey: 'secret',
  origin: 'https://account.example',
};

const authenticator: Authenticator = {
  authenticateToken: () =>
    Promise.resolve({ accountId: 'account', tokenId: 'token', allowedDomains: [account.origin] }),
  verifySecretKey: () => Promise.resolve({ secretKeyId: 'secret' }),
  recordUse: () => undefined,
  recordRefusal: () => undefined,
};
const accounts = {
  findAccount: () => Promise.resolve({ id: 'account', createdAtMs: 0 }),
  findCredential: () => Promise.resolve(undefined),
};
const deleter: DeleterClient = {
  deleteJobs: () => Promise.resolve({ kind: 'accepted', deletionId: 'id', replayed: false, language: 'en' }),
  readDeletion: () => Promise.resolve(undefined),
  listJobs: () => Promise.resolve({ jobIds: [], next: undefined }),
  cancelDeletion: () => Promise.resolve(undefined),
  check: () => Promise.resolve(undefined),
  close: () => undefined,
};

const servers: HttpServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(0))));

type Parts = Partial<Pick<Parameters<typeof createApp>[0], 'accounts' | 'authenticator' | 'deleter'>>;

async function serve(parts: Parts): Promise<string> {
  const limits = { maxJobsPerRequest: 10, maxBodyBytes: 1_000, basePath: '', publicUrl: '' };
  const timeouts = {
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    keepAliveTimeoutMs: 1_000,
    idleTimeoutMs: 30_000,
  };
  const log = createLogger('silent', 'test');
  const loadShedder = createLoadShedder({ maxConcurrent: 0, maxBufferedBytes: 100_000 });
  const app = createApp({ accounts, authenticator, deleter, loadShedder, log, ...limits, ...parts });
  const server = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    maxHeaderBytes: 16_384,
    maxConnections: 100,
    ...timeouts,
  });
  servers.push(server);
  return `http://127.0.0.1:${String(server.port)}`;
}

// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- some cases reject with no Error
const rejecting = (error: unknown) => () => Promise.reject(error);
const faults: readonly [string, unknown, Code][] = [
  ['an internal fault', new Fault('internal', secret, new Error(secret)), 'internal_error'],
  ['an unexpected error', new TypeError(secret), 'internal_error'],
  [
    'an error with an HTTP status',
    Object.assign(new Error(secret), { status: 404, statusCode: 404, expose: true }),
    'internal_error',
  ],
  ['a thrown text', secret, 'internal_error'],
  ['nothing thrown', undefined, 'internal_error'],
  ['an unavailable dependency', new Fault('unavailable', secret), 'unavailable'],
  ['an unknown outcome', new Fault('unknown-outcome', secret), 'unavailable'],
];

describe.each(faults)('%s', (_, error, code) => {
  test.each<[string, () => Parameters<typeof serve>[0]]>([
    ['of the deleter', () => ({ deleter: { ...deleter, deleteJobs: rejecting(error) } })],
    [
      'of the token check',
      () => ({ authenticator: { ...authenticator, authenticateToken: rejecting(error) } }),
    ],
    [
      'of the secret key check',
      () => ({ authenticator: { ...authenticator, verifySecretKey: rejecting(error) } }),
    ],
  ])('%s gives a problem in each language and leaks nothing', async (_place, parts) => {
    const baseUrl = await serve(parts());
    for (const language of languages)
      for (const sandbox of [false, true]) {
        const answer = await send(baseUrl, completed(account, { jobIds: ['ABC123'], language, sandbox }));
        expectProblem(answer, code, { language });
        expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(
          /mongo|E11000|password|internal:|store\.js|Fault/,
        );
      }
  });
});

test('a method that throws synchronously gives the same problem', async () => {
  const deleteJobs = () => {
    throw new Fault('internal', secret);
  };
  const answer = await send(
    await serve({ deleter: { ...deleter, deleteJobs } }),
    completed(account, { jobIds: ['ABC123'] }),
  );
  expectProblem(answer, 'internal_error');
});

test('a fault of the accounts gives the same problem', async () => {
  const call = completed(account, { method: 'GET', path: '/v1/whoami', body: '' });
  for (const [error, code] of [
    [new Fault('unavailable', secret), 'unavailable'],
    [new TypeError(secret), 'internal_error'],
  ] as const) {
    const findAccount = () => Promise.reject(error);
    const answer = await send(await serve({ accounts: { ...accounts, findAccount } }), call);
    expectProblem(answer, code);
  }
  expectProblem(await send(await serve({}), call), 'internal_error');
});

test('the service works after a fault', async () => {
  let calls = 0;
  const deleteJobs: DeleterClient['deleteJobs'] = (call) =>
    calls++ === 0 ? Promise.reject(new Fault('internal', secret)) : deleter.deleteJobs(call);
  const baseUrl = await serve({ deleter: { ...deleter, deleteJobs } });
  const call = { ...completed(account, { jobIds: ['ABC123'] }), headers: callerHeaders(account) };
  expect([(await send(baseUrl, call)).status, (await send(baseUrl, call)).status]).toEqual([500, 200]);
});

describe('a deleter', () => {
  let service: TestService;
  let client: Client;
  let silent: Server;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    service = await startService();
    client = await createClient(service, 'faults');
    silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    silent.close();
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  const at = async (DELETER_ADDRESS: string, use: (there: Client) => Promise<void>) => {
    const gateway = await startAnotherGateway(service, { DELETER_ADDRESS }, { answerTimeoutMs: 1_000 });
    await use(client.at(gateway.baseUrl));
    await gateway.stop();
  };

  test('that is unreachable gives 503, after the checks that do not need it', async () => {
    const jobIds = await client.newJobs(1);
    await at('127.0.0.1:1', async (there) => {
      for (const sandbox of [false, true])
        expectProblem(await there.call({ jobIds, sandbox }), 'unavailable');
      expectProblem(await there.call({ jobIds: ['-'] }), 'job_id_malformed');
      expectProblem(await there.call({ headers: { Origin: 'null' } }), 'origin_not_allowed');
    });
    expectAccepted(await client.call({ jobIds }), jobIds);
  });

  test('whose name is unknown gives 503', async () => {
    await at('deleter.invalid:50051', async (there) => {
      expectProblem(await there.call({ jobIds: ['ABC123'] }), 'unavailable');
    });
  });

  test('that never answers gives 503 within the answer timeout', async () => {
    await at(`127.0.0.1:${String((silent.address() as { port: number }).port)}`, async (there) => {
      const startedAt = performance.now();
      expectProblem(await there.call({ jobIds: ['ABC123'] }), 'unavailable');
      expect(performance.now() - startedAt).toBeLessThan(3_000);
    });
  });
});
