import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { noRules } from '../store/safety-rules.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, other } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { serveReads } from './serve-reads.fixture.ts';
import type { TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();
let store: Store;
let client: TestClient;
let stop: () => Promise<void>;

beforeEach(async () => {
  store = openStore(newPath());
  ({ client, stop } = await serveReads(store));
});
afterEach(() => stop());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const change = (limit: object | undefined, more: object = {}) =>
  client.changeSafetyRules({ accountId: acme, ...(limit && { limit }), ...more });
const endEarly = (id: string) =>
  client.allowDeletions({ accountId: acme, allowance: { id }, endEarly: true });
const allow = (fields: object = {}) => {
  const allowance = { id: 'a', jobs: 5, untilMs: Date.now() + hourMs, ...fields };
  return client.allowDeletions({ accountId: acme, allowance });
};

test('an account without rules has no delay and no limit', async () => {
  expect(await client.getSafetyRules({ accountId: acme })).toMatchObject({
    removalDelayMs: 0,
    limit: null,
    allowances: [],
    usage: null,
  });
});

test('the rules have the limit, what is used, and what is allowed more', async () => {
  await change({ jobs: 10 });
  await importJobs(store, acme, jobIds(5));
  const guard = { limit: { kind: 'jobs', jobs: 10 }, allowances: [] } as const;
  await accept(store, jobIds(3), { guard, acceptedAtMs: Date.now() });
  const raised = await allow();
  expect(raised).toMatchObject({
    limit: { kind: 'jobs', jobs: 10 },
    allowances: [{ id: 'a', jobs: 5 }],
    usage: { used: 3, held: 0, limitJobs: 15 },
  });
  expect(await client.getSafetyRules({ accountId: acme })).toEqual(raised);
  expect(await client.getSafetyRules({ accountId: other })).toMatchObject({ limit: null });
});

test('a share whose jobs are not counted has no limit in jobs yet', async () => {
  const { limit, usage } = await change({ percent: 20 });
  expect(limit).toMatchObject({ kind: 'percent', percent: 20 });
  expect(usage).toMatchObject({ used: 0 });
  expect(usage?.limitJobs).toBeUndefined();
});

test('only what a change names changes, and a limit without a kind is removed', async () => {
  await change({ jobs: 0 });
  const delayed = await change(undefined, { removalDelayMs: dayMs });
  expect(delayed).toMatchObject({ removalDelayMs: dayMs, limit: { kind: 'jobs', jobs: 0 } });
  expect(await change({})).toMatchObject({ removalDelayMs: dayMs, limit: null });
  expect(await change(undefined, { removalDelayMs: 0 })).toMatchObject({ removalDelayMs: 0 });
});

test('a repeated allowance counts once', async () => {
  await change({ jobs: 10 });
  const first = await allow();
  expect(await allow({ untilMs: Date.now() + 2 * hourMs })).toEqual(first);
  expect(first.usage?.limitJobs).toBe(15);
});

test('an allowance ends early by its id, and an unknown id changes nothing', async () => {
  await change({ jobs: 10 });
  await allow();
  await allow({ id: 'b' });
  const ended = await endEarly('a');
  expect(ended).toMatchObject({ allowances: [{ id: 'b' }], usage: { limitJobs: 15 } });
  expect(await allow()).toEqual(ended);
  expect(await endEarly('c')).toEqual(ended);
});

test('an allowance that the store does not add is refused', async () => {
  const full = await serveReads({
    ...openStore(newPath()),
    addAllowance: () => Promise.resolve(noRules),
  });
  const allowance = { id: 'a', jobs: 5, untilMs: Date.now() + hourMs };
  const refused = full.client.allowDeletions({ accountId: acme, allowance });
  await expect(refused).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
  await full.stop();
});

describe('wrong values are refused and change nothing', () => {
  test.each<[field: string, call: () => Promise<unknown>]>([
    ['account_id', () => client.getSafetyRules({})],
    ['account_id', () => client.changeSafetyRules({ limit: { jobs: 1 } })],
    ['account_id', () => client.allowDeletions({ allowance: { id: 'a', jobs: 1, untilMs: Date.now() + 9 } })],
    ['removal_delay_ms', () => change({ jobs: 1 }, { removalDelayMs: 30 * dayMs + 1 })],
    ['removal_delay_ms', () => change({ jobs: 1 }, { removalDelayMs: -1 })],
    ['limit.jobs', () => change({ jobs: -1 })],
    ['limit.jobs', () => change({ jobs: 1e12 + 1 })],
    ['limit.percent', () => change({ percent: 101 })],
    ['allowance.id', () => client.allowDeletions({ accountId: acme })],
    ['allowance.id', () => allow({ id: 'a b' })],
    ['allowance.jobs', () => allow({ jobs: 0 })],
    ['allowance.jobs', () => allow({ jobs: 1e12 + 1 })],
    ['allowance.until_ms', () => allow({ untilMs: Date.now() - 1 })],
    ['allowance.until_ms', () => allow({ untilMs: Date.now() + 31 * dayMs })],
  ])('%s (case %#)', async (field, call) => {
    await expect(call()).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      violations: [{ field }],
    });
    expect(await store.findRules([acme])).toEqual(new Map());
  });
});
