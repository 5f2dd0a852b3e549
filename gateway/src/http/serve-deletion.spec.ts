import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { createApp } from '../app.ts';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { DeletionQuery, DeletionStatus } from '../deleter/repeated-calls.ts';
import { createLoadShedder } from '../limits/load-shedder.ts';

const deletionId = '01936d5e-7d53-7000-8000-0123456789ab';
const headers = {
  Usersecretkey: 'key',
  Origin: 'https://example.com',
  'Accept-Language': 'en',
  'User-Agent': 'shop/1.0',
  'X-Client-Lang': 'Test',
};
const queued: DeletionStatus = {
  deletionId,
  state: 'queued',
  jobs: 2,
  acceptedAtMs: 0,
  removalAtMs: undefined,
  completedAtMs: undefined,
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A gateway that serves one request. The token of an account is its id. */
async function setUp(readDeletion: DeleterClient['readDeletion'], maxWaitingRequests = 1) {
  const authenticator: Authenticator = {
    authenticateToken: (token) =>
      Promise.resolve({ accountId: token, tokenId: 't', allowedDomains: ['example.com'] }),
    verifySecretKey: () => Promise.resolve({ secretKeyId: 'k' }),
    recordUse: () => undefined,
    recordRefusal: () => undefined,
  };
  const stopping = new AbortController();
  const app = createApp({
    accounts: {
      findAccount: () => Promise.reject(new Error('not used here')),
      findCredential: () => Promise.reject(new Error('not used here')),
    },
    authenticator,
    deleter: {
      readDeletion,
      deleteJobs: () => Promise.reject(new Error('not used here')),
      listJobs: () => Promise.reject(new Error('not used here')),
      cancelDeletion: () => Promise.reject(new Error('not used here')),
      check: () => Promise.resolve(undefined),
      close: () => undefined,
    },
    loadShedder: createLoadShedder({ maxConcurrent: 1, maxBufferedBytes: 1_000 }),
    log: createLogger('silent', 'test'),
    basePath: '/api',
    publicUrl: '',
    maxJobsPerRequest: 10,
    maxBodyBytes: 1_000,
    maxWaitingRequests,
    stopping: stopping.signal,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v1/deletions/${deletionId}`;
  const get = (query: string, signal?: AbortSignal, accountId = 'Acme') =>
    fetch(url + query, {
      headers: { ...headers, Authorization: `Bearer ${accountId}` },
      ...(signal && { signal }),
    });
  return {
    get,
    stop: () => stopping.abort(),
    stopListeners: () => getEventListeners(stopping.signal, 'abort'),
  };
}

/** A deleter whose deletion is never completed. */
function neverCompleted() {
  const queries: DeletionQuery[] = [];
  let onQuery: () => void = () => undefined;
  const read = (query: DeletionQuery) => {
    if (query.waitMs === 0) return Promise.resolve(queued);
    queries.push(query);
    onQuery();
    return new Promise<DeletionStatus>((resolve) => {
      query.signal?.addEventListener('abort', () => resolve(queued));
      if (query.signal?.aborted === true) resolve(queued);
    });
  };
  const untilAsked = new Promise<void>((resolve) => (onQuery = resolve));
  return { read, queries, untilAsked };
}

test('a queued deletion has no time of completion, and may be asked for again in a second', async () => {
  const { get } = await setUp(() => Promise.resolve(queued));
  const response = await get('');
  expect([response.status, response.headers.get('retry-after')]).toEqual([200, '1']);
  expect(await response.text()).toBe(
    `{"deletion_id":"${deletionId}","state":"queued","jobs":2,"accepted_at":"1970-01-01T00:00:00.000Z","completed_at":null}`,
  );
});

test('a stop of the gateway answers the requests that wait', async () => {
  const { read, queries, untilAsked } = neverCompleted();
  const { get, stop } = await setUp(read);
  const waiting = get('?wait=30');
  await untilAsked;
  stop();
  expect((await waiting).headers.get('retry-after')).toBe('1');
  expect(queries).toMatchObject([{ accountId: 'Acme', deletionId, waitMs: 30_000 }]);
});

test('a request that has waited leaves nothing on the signal of the stop', async () => {
  const { get, stopListeners } = await setUp(() => {
    expect(stopListeners()).toHaveLength(1);
    return Promise.resolve(queued);
  });
  expect((await get('?wait=30')).status).toBe(200);
  expect(stopListeners()).toEqual([]);
});

test('one request too many that waits gets 503, and its permit is free once a caller is gone', async () => {
  const { read, queries, untilAsked } = neverCompleted();
  const { get, stop } = await setUp(read);
  const leaving = new AbortController();
  const first = get('?wait=30', leaving.signal);
  await untilAsked;
  // The only permit of the load shedder is free.
  expect((await get('')).status).toBe(200);
  const refused = await get('?wait=30');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);

  leaving.abort();
  await expect(first).rejects.toThrow();
  await new Promise<void>((resolve) => {
    queries[0]?.signal?.addEventListener('abort', () => resolve());
    if (queries[0]?.signal?.aborted === true) resolve();
  });
  const next = get('?wait=30');
  stop();
  expect((await next).status).toBe(200);
});

test('one account that waits leaves a permit to another', async () => {
  const asked: string[] = [];
  let onAsked: () => void = () => undefined;
  const { read } = neverCompleted();
  const { get, stop } = await setUp((query) => {
    asked.push(query.accountId);
    onAsked();
    return read(query);
  }, 4);
  const untilAsked = (count: number) =>
    new Promise<void>((resolve) => {
      onAsked = () => asked.length === count && resolve();
    });
  const three = untilAsked(3);
  const waiting = Array.from({ length: 3 }, () => get('?wait=30'));
  await three;
  expect((await get('?wait=30')).status).toBe(503);
  const four = untilAsked(4);
  waiting.push(get('?wait=30', undefined, 'Other'));
  await four;
  expect(asked).toEqual(['Acme', 'Acme', 'Acme', 'Other']);
  stop();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
