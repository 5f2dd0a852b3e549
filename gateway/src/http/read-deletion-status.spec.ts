import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Authenticator } from '@jobs-delete/accounts/authenticator';
import { createLogger } from '@jobs-delete/runtime/telemetry/logger';
import { createApp } from '../app.ts';
import type { DeleterClient } from '../deleter/deleter-client.ts';
import type { DeletionQuery, DeletionStatus } from '../deleter/read-deletion.ts';
import { createLoadShedder } from '../limits/load-shedder.ts';

const deletionId = '01936d5e-7d53-7000-8000-0123456789ab';
const headers = {
  Authorization: 'Bearer token',
  Usersecretkey: 'key',
  Origin: 'https://example.com',
  'Accept-Language': 'en',
  'User-Agent': 'shop/1.0',
  'X-Client-Lang': 'Test',
};
const queued: DeletionStatus = { deletionId, jobs: 2, acceptedAtMs: 0, completedAtMs: undefined };

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A gateway with one place for a request that waits. */
async function setUp(readDeletion: DeleterClient['readDeletion']) {
  const authenticator: Authenticator = {
    authenticateToken: () =>
      Promise.resolve({ accountId: 'Acme', tokenId: 't', allowedDomains: ['example.com'] }),
    verifySecretKey: () => Promise.resolve({ secretKeyId: 'k' }),
    recordUse: () => undefined,
    recordRefusal: () => undefined,
  };
  const stopping = new AbortController();
  const load = { minConcurrent: 1, maxConcurrent: 0, maxBufferedBytes: 1_000 };
  const app = createApp({
    authenticator,
    deleter: {
      readDeletion,
      deleteJobs: () => Promise.reject(new Error('not used here')),
      check: () => Promise.resolve(undefined),
      close: () => undefined,
    },
    loadShedder: createLoadShedder({ ...load, now: () => 0 }),
    log: createLogger('silent', 'test'),
    basePath: '/api',
    publicUrl: '',
    maxJobsPerRequest: 10,
    maxBodyBytes: 1_000,
    maxWaitingRequests: 1,
    stopping: stopping.signal,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v1/deletions/${deletionId}`;
  const get = (query: string, signal?: AbortSignal) =>
    fetch(url + query, { headers, ...(signal && { signal }) });
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

test('one request too many that waits gets 503, and a place is free once a caller is gone', async () => {
  const { read, queries, untilAsked } = neverCompleted();
  const { get, stop } = await setUp(read);
  const leaving = new AbortController();
  const first = get('?wait=30', leaving.signal);
  await untilAsked;
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
