import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  attempt,
  importJobs,
  jobIds,
  other,
  noSuchPart,
  partsOf,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

export function removingCases(context: ContractContext): void {
  let store: Store;
  beforeEach(async () => {
    store = context.store();
    await importJobs(store, acme, jobIds(10));
    await importJobs(store, other, jobIds(10));
  });
  const nothingLeft = { refused: [], removed: 0 };

  test('the jobs are gone for good and the deletion is completed', async () => {
    const deletion = await accept(store, ['job0001', 'job0002']);
    await store.markPublished([deletion.id], 200, 700);
    expect(await store.removeJobs(partsOf(deletion), 300)).toEqual({
      refused: [],
      removed: deletion.jobIds.length,
    });
    expect(await store.findJob(acme, 'job0001')).toBeUndefined();
    expect(await store.findJob(acme, 'job0002')).toBeUndefined();
    expect(await store.countJobs(acme)).toBe(8);
    expect(await store.countJobs(other)).toBe(10);
    expect(await store.findDeletion(deletion.id, acme)).toEqual({
      ...deletion,
      state: 'completed',
      publishedAtMs: 200,
      publications: 1,
      completedAtMs: 300,
    });
    expect(await store.leaseDue(99_999, 99_999, 10)).toEqual([]);
  });

  test('it may come before its publication is recorded, which it then shows', async () => {
    const deletion = await accept(store, ['job0001']);
    await store.removeJobs(partsOf(deletion), 300);
    expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'completed',
      publishedAtMs: undefined,
      publications: 1,
    });
  });

  test('doing it again, at once or later, changes nothing', async () => {
    const deletion = await accept(store, ['job0001', 'job0002']);
    await store.removeJobs([...partsOf(deletion), ...partsOf(deletion)], 300);
    const completed = await store.findDeletion(deletion.id, acme);
    expect(await store.removeJobs(partsOf(deletion), 999)).toEqual(nothingLeft);
    expect(await store.findDeletion(deletion.id, acme)).toEqual(completed);
    expect(completed?.completedAtMs).toBe(300);
    expect(await store.countJobs(acme)).toBe(8);
  });

  test('concurrent removals of one deletion complete it once', async () => {
    const deletion = await accept(store, jobIds(10));
    await Promise.all([1, 2, 3, 4, 5].map((atMs) => store.removeJobs(partsOf(deletion), atMs)));
    const completed = await store.findDeletion(deletion.id, acme);
    expect(completed?.state).toBe('completed');
    await store.removeJobs(partsOf(deletion), 99);
    expect(await store.findDeletion(deletion.id, acme)).toEqual(completed);
    expect(await store.countJobs(acme)).toBe(0);
  });

  test('several deletions of several accounts are removed in one call', async () => {
    const mine = await accept(store, ['job0001']);
    const mine2 = await accept(store, ['job0002']);
    const theirs = await accept(store, ['job0001'], { accountId: other });
    await store.removeJobs(
      [mine, theirs, mine2].flatMap((deletion) => partsOf(deletion)),
      300,
    );
    expect(await store.countJobs(acme)).toBe(8);
    expect(await store.countJobs(other)).toBe(9);
  });

  test('a deletion that does not exist is told, and the others are done', async () => {
    const deletion = await accept(store, ['job0001']);
    const ghost = { ...deletion, id: 'ghost' };
    const ghosts = partsOf(ghost);
    const answer = await store.removeJobs([...ghosts, ...partsOf(deletion)], 300);
    expect(answer).toEqual({ refused: [noSuchPart(0)], removed: deletion.jobIds.length });
    expect((await store.findDeletion(deletion.id, acme))?.state).toBe('completed');
    expect(await store.countJobs(acme)).toBe(9);
  });

  test("another account's deletion is as if it did not exist: nothing is removed", async () => {
    const deletion = await accept(store, ['job0001']);
    const claimedByOther = partsOf({ ...deletion, accountId: other });
    expect(await store.removeJobs(claimedByOther, 300)).toEqual({ refused: [noSuchPart(0)], removed: 0 });
    expect(await store.findDeletion(deletion.id, acme)).toEqual(deletion);
    expect((await store.findJob(acme, 'job0001'))?.deletionId).toBe(deletion.id);
  });

  test('a part of other claims than the deletion has is refused, and nothing is done for it', async () => {
    const first = await accept(store, ['job0001', 'job0004']);
    const second = await accept(store, ['job0002']);
    const theirs = await accept(store, ['job0003'], { accountId: other });
    const wrong = [
      [...first.claims, ...second.claims],
      [...theirs.claims, ...first.claims.slice(1)],
      first.claims.slice(1),
      [...first.claims].reverse(),
      [...first.claims.slice(1), 'never-given'],
    ];
    for (const claims of wrong) {
      const parts = partsOf({ ...first, claims });
      expect(await store.removeJobs(parts, 300)).toEqual({
        refused: parts.map((_, index) => noSuchPart(index)),
        removed: 0,
      });
    }
    expect(await store.findDeletion(first.id, acme)).toEqual(first);
    for (const id of first.jobIds) expect((await store.findJob(acme, id))?.deletionId).toBe(first.id);
    expect((await store.findJob(acme, 'job0002'))?.deletionId).toBe(second.id);
    expect((await store.findJob(other, 'job0003'))?.deletionId).toBe(theirs.id);
  });

  test('a job posted again under the same id is another one: an old event leaves it', async () => {
    const first = await accept(store, ['job0001']);
    await store.removeJobs(partsOf(first), 300);
    await importJobs(store, acme, ['job0001']);
    await store.removeJobs(partsOf(first), 400);
    expect(await store.findJob(acme, 'job0001')).toMatchObject({ deletionId: undefined });

    const second = await accept(store, ['job0001']);
    expect(second.claims).not.toEqual(first.claims);
    await store.removeJobs(partsOf(first), 500);
    expect((await store.findJob(acme, 'job0001'))?.deletionId).toBe(second.id);
    await store.removeJobs(partsOf(second), 600);
    expect(await store.findJob(acme, 'job0001')).toBeUndefined();
  });

  test('jobs posted again can be accepted and removed over and over', async () => {
    const claims = new Set<string>();
    for (let round = 0; round < 5; round++) {
      await importJobs(store, acme, ['again']);
      const deletion = await accept(store, ['again']);
      claims.add(deletion.claims[0] ?? '');
      await store.removeJobs(partsOf(deletion), round);
    }
    expect(claims.size).toBe(5);
    expect((await attempt(store, ['again'])).kind).toBe('jobs-not-found');
  });

  test('a call without parts does nothing', async () => {
    expect(await store.removeJobs([], 300)).toEqual(nothingLeft);
  });
}
