import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectDeleterCalls, type DeleterCallsOptions } from '@jobs-delete/dashboard/deleter/grpc-calls';
import type { Deletion } from '@jobs-delete/dashboard/deleter/deletion';
import { startTestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { deleterHandlers } from '@jobs-delete/deleter-service/grpc/deleter-handlers';
import { createGrpcHealth, startGrpcServer } from '@jobs-delete/deleter-service/grpc/start-grpc-server';
import { openSqliteStore } from '@jobs-delete/deleter-service/store/sqlite-store';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '@jobs-delete/deleter-service/testing/deletions';
import { temporaryFolder } from '@jobs-delete/deleter-service/testing/temporary-folder';
import { systemClock } from '@jobs-delete/runtime/time/clock';

const newPath = temporaryFolder();
const token = 'the-token-of-the-dashboard-that-manages';
const unknownToken = 'a-token-that-the-api-does-not-know-at-all';
const callers = {
  tokens: [{ caller: 'dashboard', token }],
  roles: new Map([['dashboard', 'manage' as const]]),
};
const unknownId = '00000000-0000-4000-8000-ffffffffffff';
const dayMs = Date.UTC(2026, 0, 31);

let store: Store;
let stops: (() => unknown)[];

beforeEach(async () => {
  store = openSqliteStore(newPath());
  stops = [() => store.close()];
  await importJobs(store, acme, jobIds(20));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Starts an api that reads the given store. */
async function startApi(read: Store = store) {
  const stopping = new AbortController();
  const handlers = deleterHandlers({
    acceptDeletion: () => Promise.reject(new Error('nothing is accepted here')),
    store: read,
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) },
    signal: stopping.signal,
    retentionMs: 86_400_000,
    onFault: () => undefined,
  });
  const health = createGrpcHealth({ check: read.check, clock: systemClock });
  const server = await startGrpcServer(handlers, {
    host: '127.0.0.1',
    port: 0,
    callers,
    health: health.implementation,
  });
  const address = `127.0.0.1:${String(server.port)}`;
  const stop = async () => {
    stopping.abort();
    health.stop();
    await server.stop(1_000);
  };
  stops.push(stop);
  return { address, stop };
}

function connect(address: string, more: Partial<DeleterCallsOptions> = {}) {
  const reads = connectDeleterCalls({
    address,
    serviceToken: () => token,
    certificates: undefined,
    timeoutMs: 10_000,
    ...more,
  });
  stops.push(() => reads.close());
  return reads;
}

interface Count {
  reads: number;
}

/** Counts the calls of findReceipt. */
function counting(counted: Count): Store {
  return {
    ...store,
    findReceipt: (...given) => {
      counted.reads += 1;
      return store.findReceipt(...given);
    },
  };
}

const unavailable = { name: 'Fault', code: 'unavailable' };
const idsOf = (deletions: readonly Deletion[] = []) => deletions.map(({ id }) => id);
const never = new AbortController().signal;

test('a list has pages of deletions, newest first', async () => {
  const { listDeletions } = connect((await startApi()).address);
  const first = await accept(store, ['job0001'], { acceptedAtMs: 100 });
  const second = await accept(store, ['job0002', 'job0003'], { acceptedAtMs: 200 });
  await removeAndRecord(store, partsOf(second), 300);
  const { requestId, tokenId, person = '', webOrigin, userAgent, clientTechnology, language } = origin;
  const page = await listDeletions({ accountId: acme, pageSize: 1 });
  expect(page?.deletions).toEqual([
    {
      id: second.id,
      accountId: acme,
      state: 'completed',
      jobCount: 2,
      keptJobCount: 0,
      acceptedAtMs: 200,
      publishedAtMs: undefined,
      completedAtMs: 300,
      origin: { requestId, tokenId, person, webOrigin, userAgent, clientTechnology, language },
    },
  ]);
  const last = await listDeletions({ accountId: acme, pageSize: 1, pageToken: page?.nextPageToken });
  expect(idsOf(last?.deletions)).toEqual([first.id]);
  expect(last?.nextPageToken).toBeUndefined();
});

test('a list can be filtered by state, token and time', async () => {
  const { listDeletions } = connect((await startApi()).address);
  const first = await accept(store, ['job0001'], { acceptedAtMs: 100 });
  const byToken = { origin: { ...origin, tokenId: 'token-2' } };
  const second = await accept(store, ['job0002'], { acceptedAtMs: 200, ...byToken });
  await removeAndRecord(store, partsOf(first), 300);
  const list = async (filter: object) =>
    idsOf((await listDeletions({ accountId: acme, pageSize: 10, ...filter }))?.deletions);
  expect(await list({})).toEqual([second.id, first.id]);
  expect(await list({ state: 'completed' })).toEqual([first.id]);
  expect(await list({ tokenId: 'token-2' })).toEqual([second.id]);
  expect(await list({ acceptedFromMs: 101 })).toEqual([second.id]);
  expect(await list({ acceptedToMs: 200 })).toEqual([first.id]);
});

test('a page token that no api has issued has no page', async () => {
  const { listDeletions } = connect((await startApi()).address);
  expect(await listDeletions({ accountId: acme, pageSize: 1, pageToken: 'forged' })).toBeUndefined();
});

test('a deletion is found by its account only, with its job ids on request', async () => {
  const { getDeletion } = connect((await startApi()).address);
  const { id } = await accept(store, ['job0002', 'job0001']);
  expect(await getDeletion(acme, id)).toMatchObject({ id, state: 'accepted', jobCount: 2 });
  expect((await getDeletion(acme, id))?.jobIds).toBeUndefined();
  expect((await getDeletion(acme, id, { includeJobIds: true }))?.jobIds).toEqual(['job0002', 'job0001']);
  expect(await getDeletion(other, id)).toBeUndefined();
  expect(await getDeletion(acme, unknownId)).toBeUndefined();
});

test('deletions are counted by day', async () => {
  const { countDeletions } = connect((await startApi()).address);
  await removeAndRecord(store, partsOf(await accept(store, jobIds(3), { acceptedAtMs: dayMs })), dayMs + 1);
  const query = { accountId: acme, fromMs: dayMs, toMs: dayMs + 2 * 86_400_000 };
  const { days, retentionMs } = await countDeletions(query);
  expect(days[0]).toMatchObject({ dayMs, jobsRemoved: 3, states: [{ state: 'completed', jobs: 3 }] });
  const ofToken = await countDeletions({ ...query, tokenId: 'unknown' });
  expect([days.length, retentionMs, ofToken.days[0]?.deletions]).toEqual([2, 86_400_000, 0]);
});

test('a watch has each state of the deletion, and ends after its completion', async () => {
  const { watchDeletion } = connect((await startApi()).address);
  const deletion = await accept(store, ['job0001']);
  const states: string[] = [];
  for await (const { state } of watchDeletion(acme, deletion.id, never)) {
    states.push(state);
    if (state === 'accepted') await removeAndRecord(store, partsOf(deletion), 5);
  }
  expect(states).toEqual(['accepted', 'completed']);
});

test('a watch ends when the signal is aborted, and after its longest time', async () => {
  const { address } = await startApi();
  const { id } = await accept(store, ['job0001']);
  const leaving = new AbortController();
  const states: string[] = [];
  for await (const { state } of connect(address).watchDeletion(acme, id, leaving.signal)) {
    states.push(state);
    leaving.abort();
  }
  expect(states).toEqual(['accepted']);
  for await (const { state } of connect(address, { maxWatchMs: 300 }).watchDeletion(acme, id, never))
    expect(state).toBe('accepted');
});

test('a watch of an unknown deletion is empty', async () => {
  const { watchDeletion } = connect((await startApi()).address);
  const watch = watchDeletion(acme, unknownId, never)[Symbol.asyncIterator]();
  expect(await watch.next()).toEqual({ done: true, value: undefined });
});

test('a waiting deletion is cancelled, and another one is not', async () => {
  const { cancelDeletion } = connect((await startApi()).address);
  const removalAtMs = Date.now() + 86_400_000;
  const waiting = await accept(store, ['job0001'], { removalAtMs, dueAtMs: removalAtMs });
  const begun = await accept(store, ['job0002']);
  const by = { person: 'ada@example.com', userAgent: 'Browser/1', language: 'en' };
  expect(await cancelDeletion(acme, waiting.id, by)).toMatchObject({ id: waiting.id, state: 'cancelled' });
  expect((await store.findReceipt(waiting.id, acme))?.cancelOrigin).toMatchObject(by);
  expect(await cancelDeletion(acme, begun.id, by)).toBe('not-cancellable');
  expect(await cancelDeletion(other, waiting.id, by)).toBeUndefined();
});

test('safety rules are read and changed', async () => {
  const { getSafety, changeSafety, allowDeletions } = connect((await startApi()).address);
  const none = { removalDelayMs: 0, limit: undefined, allowances: [], usage: undefined };
  expect(await getSafety(acme)).toEqual(none);
  await changeSafety(acme, { limit: { kind: 'jobs', jobs: 10 } });
  await changeSafety(acme, { removalDelayMs: 60_000 });
  const allowance = { id: 'a', jobs: 5, untilMs: Date.now() + 60_000 };
  expect(await allowDeletions(acme, allowance)).toBe('allowed');
  expect(await getSafety(acme)).toMatchObject({
    removalDelayMs: 60_000,
    limit: { kind: 'jobs', jobs: 10 },
    allowances: [allowance],
    usage: { used: 0, held: 0, limitJobs: 15 },
  });
  await changeSafety(acme, { limit: { kind: 'percent', percent: 20 } });
  expect((await getSafety(acme)).limit).toEqual({ kind: 'percent', percent: 20 });
  await changeSafety(acme, { limit: 'none', removalDelayMs: 0 });
  expect(await getSafety(acme)).toMatchObject({ removalDelayMs: 0, limit: undefined });
  expect((await getSafety(other)).limit).toBeUndefined();
});

test('calls go to all apis in turn, and to the others when one stops', async () => {
  const counts: [Count, Count] = [{ reads: 0 }, { reads: 0 }];
  const apis = await Promise.all(counts.map((count) => startApi(counting(count))));
  const { getDeletion } = connect(`ipv4:${apis.map(({ address }) => address).join(',')}`);
  const { id } = await accept(store, ['job0001']);
  for (let call = 1; call <= 100 && counts.some(({ reads }) => reads === 0); call++)
    await getDeletion(acme, id);
  expect(counts.filter(({ reads }) => reads === 0)).toEqual([]);
  await apis[0]?.stop();
  const before = counts[1].reads;
  for (let call = 1; call <= 5; call++) expect(await getDeletion(acme, id)).toMatchObject({ id });
  expect(counts[1].reads - before).toBe(5);
});

test('every read is unavailable without an api, and after the client is closed', async () => {
  const { address, stop } = await startApi();
  await stop();
  const reads = connect(address);
  const query = { accountId: acme, fromMs: dayMs, toMs: dayMs + 1 };
  const expectUnavailable = async () => {
    await expect(reads.listDeletions({ accountId: acme, pageSize: 1 })).rejects.toMatchObject(unavailable);
    await expect(reads.getDeletion(acme, unknownId)).rejects.toMatchObject(unavailable);
    await expect(reads.countDeletions(query)).rejects.toMatchObject(unavailable);
    const watch = reads.watchDeletion(acme, unknownId, never)[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toMatchObject(unavailable);
  };
  expect(await reads.check()).toMatch(/^UNAVAILABLE: /);
  await expectUnavailable();
  reads.close();
  await expectUnavailable();
});

test('a call to an api that does not answer ends at its deadline', async () => {
  const hung = { ...store, findReceipt: () => new Promise<never>(() => undefined) };
  const { getDeletion } = connect((await startApi(hung)).address, { timeoutMs: 200 });
  await expect(getDeletion(acme, unknownId)).rejects.toMatchObject({
    ...unavailable,
    message: expect.stringMatching(/^deleter: DEADLINE_EXCEEDED: /),
  });
});

test('the check has the reason why no api can be used', async () => {
  const { address } = await startApi();
  expect(await connect(address).check()).toBeUndefined();
  const unauthenticated = connect(address, { serviceToken: () => unknownToken });
  expect(await unauthenticated.check()).toMatch(/^UNAUTHENTICATED: /);
  await expect(unauthenticated.getDeletion(acme, unknownId)).rejects.toMatchObject(unavailable);
});

test('a token that changes counts for the next call', async () => {
  const { address } = await startApi();
  let current = unknownToken;
  const reads = connect(address, { serviceToken: () => current });
  await expect(reads.getDeletion(acme, unknownId)).rejects.toMatchObject(unavailable);
  current = token;
  expect(await reads.getDeletion(acme, unknownId)).toBeUndefined();
});

test('a dashboard that may not delete logs it once', async () => {
  const { address } = await startApi();
  const env = { DASHBOARD_DELETES: 'on', DELETER_ADDRESS: address, GRPC_SERVICE_TOKENS: token };
  const lines: string[] = [];
  const dashboard = await startTestDashboard(env, { logTo: { write: (line) => void lines.push(line) } });
  stops.push(() => dashboard.stop());
  const manager = await dashboard.signIn(acme, 'manager');
  for (let times = 0; times < 2; times++)
    expect(await manager.post('/jobs/delete', { ids: 'job0001' })).toMatchObject({ status: 503 });
  expect(lines.filter((line) => /PERMISSION_DENIED.*manage-and-delete in/.test(line))).toHaveLength(1);
});
