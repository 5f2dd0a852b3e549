import { expect, test } from '@jest/globals';
import {
  accept,
  acme,
  attempt,
  importJobs,
  jobIds,
  leaseDue,
  leaseOf,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';

export function durabilityCases(context: ContractContext): void {
  test('a reopened store has everything that it answered', async () => {
    let store = context.store();
    await importJobs(store, acme, jobIds(10));
    await importJobs(store, other, jobIds(2));
    const accepted = await accept(store, ['job0001'], { dueAtMs: 5_000, idempotencyKey: 'key' });
    const published = await accept(store, ['job0002']);
    await store.markPublished([leaseOf(published)], 200, 7_000);
    const completed = await accept(store, ['job0003']);
    await removeAndRecord(store, partsOf(completed), 300);
    const listed = await store.listDeletions(everything);
    const job = await store.findJob(acme, 'job0004');

    store = await context.reopen();
    expect(await store.listDeletions(everything)).toEqual(listed);
    expect(await store.findDeletion(accepted.id, acme)).toEqual(accepted);
    expect(await store.findJob(acme, 'job0004')).toEqual(job);
    expect(await store.countJobs(undefined)).toBe(11);
    expect((await store.measureOutbox()).accepted).toEqual({ depth: 1, oldestAtMs: accepted.acceptedAtMs });
    expect(await attempt(store, ['job0001'], { idempotencyKey: 'key' })).toEqual({
      kind: 'replayed',
      deletion: accepted,
    });
    expect((await attempt(store, ['job0001'])).kind).toBe('jobs-not-found');
  });

  test('a lease outlives a restart', async () => {
    let store = context.store();
    await importJobs(store, acme, jobIds(2));
    const { id } = await accept(store, ['job0001'], { dueAtMs: 0 });
    await leaseDue(store, 0, 5_000);
    store = await context.reopen();
    expect(await leaseDue(store, 4_999, 9_000)).toEqual([]);
    expect((await leaseDue(store, 5_000, 9_000)).map((deletion) => deletion.id)).toEqual([id]);
  });
  removalCases(context);
}

function removalCases(context: ContractContext): void {
  test('removed parts stay recorded', async () => {
    let store = context.store();
    await importJobs(store, acme, jobIds(4));
    const deletion = await accept(store, jobIds(4));
    const [first, second] = partsOf(deletion, 2);
    if (first === undefined || second === undefined) throw new Error('two parts were expected');
    await removeAndRecord(store, [second], 100);
    store = await context.reopen();
    await removeAndRecord(store, [first], 200);
    expect((await store.findDeletion(deletion.id, acme))?.state).toBe('completed');
  });

  test('a claim is never used twice, even after every job was removed', async () => {
    let store = context.store();
    await importJobs(store, acme, ['job1']);
    const first = await accept(store, ['job1']);
    await removeAndRecord(store, partsOf(first), 100);
    expect(await store.expireReceipts(-1_000, 10)).toBe(1);
    store = await context.reopen();
    await importJobs(store, acme, ['job1']);
    const second = await accept(store, ['job1']);
    expect(second.claims).not.toEqual(first.claims);
    await removeAndRecord(store, partsOf(first), 200);
    expect((await store.findJob(acme, 'job1'))?.deletionId).toBe(second.id);
  });
}

const everything = { accountId: undefined, state: undefined, pageSize: 100, after: undefined };
