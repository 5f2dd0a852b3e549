import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acceptAll,
  acceptOne,
  acceptRequest,
  acme,
  allDeletions,
  attempt,
  importJobs,
  jobIds,
  leaseOf,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { AcceptRequest, Store } from '../store.ts';

const missing = (positions: readonly number[]) => ({ kind: 'jobs-not-found', positions });

export function acceptingCases(context: ContractContext): void {
  beforeEach(async () => {
    await importJobs(context.store(), acme, jobIds(10));
    await importJobs(context.store(), other, ['theirs1', 'theirs2']);
  });
  wholeRequestCases(context.store);
  jobIdentityCases(context.store);
  batchCases(context.store);
  dryRunCases(context.store);
}

function wholeRequestCases(store: () => Store): void {
  test('the answer is the stored deletion, with a claim for each job', async () => {
    const request = acceptRequest(['job0003', 'job0001'], { idempotencyKey: 'key', acceptedAtMs: 77 });
    const outcome = await acceptOne(store(), request);
    expect(outcome).toMatchObject({ kind: 'accepted' });
    const stored = await store().findDeletion(request.deletionId, acme);
    expect(outcome).toEqual({ kind: 'accepted', deletion: stored });
    expect(stored).toEqual({
      id: request.deletionId,
      accountId: acme,
      jobIds: ['job0003', 'job0001'],
      claims: [expect.any(String), expect.any(String)],
      state: 'accepted',
      acceptedAtMs: 77,
      publishedAtMs: undefined,
      completedAtMs: undefined,
      publications: 0,
      idempotencyKey: 'key',
      origin,
    });
    expect(new Set(stored?.claims).size).toBe(2);
    expect((await store().findJob(acme, 'job0001'))?.deletionId).toBe(request.deletionId);
    expect((await store().findJob(acme, 'job0002'))?.deletionId).toBeUndefined();
  });

  test('one missing job refuses the whole request and changes nothing', async () => {
    const request = acceptRequest(['job0001', 'missing', 'job0002']);
    expect(await acceptOne(store(), request)).toEqual(missing([1]));
    expect(await store().findDeletion(request.deletionId, undefined)).toBeUndefined();
    expect((await store().listDeletions(everything)).deletions).toEqual([]);
    expect((await store().measureOutbox()).accepted.depth).toBe(0);
    expect((await attempt(store(), ['job0001', 'job0002'])).kind).toBe('accepted');
  });

  test("another account's job is refused exactly like one that does not exist", async () => {
    const foreign = await attempt(store(), ['job0001', 'theirs1']);
    expect(foreign).toEqual(missing([1]));
    expect(await attempt(store(), ['job0001', 'unknown'])).toEqual(foreign);
    expect((await store().findJob(other, 'theirs1'))?.deletionId).toBeUndefined();
  });
}

function jobIdentityCases(store: () => Store): void {
  test('accounts that use the same job id do not touch each other', async () => {
    await importJobs(store(), other, ['job0001']);
    await accept(store(), ['job0001']);
    expect((await store().findJob(other, 'job0001'))?.deletionId).toBeUndefined();
    expect((await attempt(store(), ['job0001'], { accountId: other })).kind).toBe('accepted');
  });

  test('ids are case-sensitive', async () => {
    await importJobs(store(), acme, ['CASE', 'case']);
    await accept(store(), ['case']);
    expect((await attempt(store(), ['CASE'])).kind).toBe('accepted');
    expect(await attempt(store(), ['Case'])).toEqual(missing([0]));
  });

  test('a claimed job is not found, before and after its removal', async () => {
    const deletion = await accept(store(), ['job0001']);
    expect(await attempt(store(), ['job0000', 'job0001'])).toEqual(missing([1]));
    await store().markPublished([leaseOf(deletion)], 2_000, 3_000);
    expect(await attempt(store(), ['job0000', 'job0001'])).toEqual(missing([1]));
    await removeAndRecord(store(), partsOf(deletion), 4_000);
    expect(await attempt(store(), ['job0000', 'job0001'])).toEqual(missing([1]));
  });

  test('positions are ascending indexes of the request, for any order of ids', async () => {
    const ids = ['zzzz', 'job0009', 'aaaa', 'job0000', 'mmmm'];
    expect(await attempt(store(), ids)).toEqual(missing([0, 2, 4]));
  });

  test('all positions of a large request are named', async () => {
    const ids = [...jobIds(5_000, 1_000_000), 'job0001', ...jobIds(4_999, 2_000_000)];
    const positions = [...ids.keys()].filter((position) => position !== 5_000);
    expect(await attempt(store(), ids)).toEqual(missing(positions));
    expect(await attempt(store(), ids, { dryRun: true })).toEqual(missing(positions));
  });
}

function batchCases(store: () => Store): void {
  test('each request of a call is accepted or refused alone', async () => {
    const outcomes = await acceptAll(store(), [
      acceptRequest(['job0001', 'missing']),
      acceptRequest(['job0001', 'job0002']),
      acceptRequest(['theirs1'], { accountId: other }),
      acceptRequest(['unknown', 'job0003']),
      acceptRequest(['job0003']),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'jobs-not-found',
      'accepted',
      'accepted',
      'jobs-not-found',
      'accepted',
    ]);
    expect(outcomes[0]).toEqual(missing([1]));
    expect(outcomes[3]).toEqual(missing([0]));
  });

  test('one of several requests for the same job in one call is accepted', async () => {
    const outcomes = await acceptAll(
      store(),
      jobIds(8).map((id) => acceptRequest([id, 'job0009'])),
    );
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'jobs-not-found')).toHaveLength(7);
  });

  test('a call without requests has no outcomes', async () => {
    expect(await acceptAll(store(), [])).toEqual([]);
  });

  test('10,000 jobs of 128 characters are accepted as one', async () => {
    const ids = jobIds(10_000).map((id) => id.padEnd(128, 'x'));
    await importJobs(store(), acme, ids);
    const deletion = await accept(store(), ids);
    expect(deletion.jobIds).toEqual(ids);
    expect(new Set(deletion.claims).size).toBe(10_000);
    expect((await store().findDeletion(deletion.id, acme))?.claims).toEqual(deletion.claims);
  });
}

function dryRunCases(store: () => Store): void {
  const dryRun = (ids: readonly string[], more: Partial<AcceptRequest> = {}) =>
    attempt(store(), ids, { ...more, dryRun: true });

  test('a dry run answers what a request would be answered, and changes nothing', async () => {
    const claimed = await accept(store(), ['job0001']);
    expect(await dryRun(['job0001', 'job0002', 'theirs1', 'missing'])).toEqual(missing([0, 2, 3]));
    expect(await dryRun(['job0002'])).toEqual({ kind: 'would-be-accepted' });
    expect((await store().findJob(acme, 'job0002'))?.deletionId).toBeUndefined();
    expect(await allDeletions(store(), undefined)).toEqual([claimed]);
    expect((await attempt(store(), ['job0002'])).kind).toBe('accepted');
  });

  test('a dry run neither reads nor uses an id or key', async () => {
    const { id: deletionId } = await accept(store(), ['job0001'], { idempotencyKey: 'key' });
    const used = { deletionId, idempotencyKey: 'key' };
    expect(await dryRun(['job0002'], used)).toEqual({ kind: 'would-be-accepted' });
    expect(await dryRun(['job0001'], used)).toEqual(missing([0]));
    const unused = { deletionId: 'new', idempotencyKey: 'new' };
    expect(await dryRun(['job0002'], unused)).toEqual({ kind: 'would-be-accepted' });
    expect((await attempt(store(), ['job0002'], unused)).kind).toBe('accepted');
  });

  test('dry runs share a call with other requests and accounts', async () => {
    const outcomes = await acceptAll(store(), [
      acceptRequest(['job0003'], { dryRun: true }),
      acceptRequest(['job0004']),
      acceptRequest(['theirs1'], { accountId: other, dryRun: true }),
      acceptRequest(['theirs1'], { dryRun: true }),
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'would-be-accepted' },
      { kind: 'accepted' },
      { kind: 'would-be-accepted' },
      missing([0]),
    ]);
  });

  test('the check of a working store finds no problem', async () => {
    expect(await store().check()).toBeUndefined();
  });
}

const everything = { accountId: undefined, state: undefined, pageSize: 100, after: undefined };
