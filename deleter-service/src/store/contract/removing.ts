import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  attempt,
  importJobs,
  jobIds,
  keyOf,
  leaseDue,
  leaseOf,
  noSuchPart,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

const nothingDone = { refused: [], parts: [], removed: 0 };

export function removingCases(context: ContractContext): void {
  let store: Store;
  beforeEach(async () => {
    store = context.store();
    await importJobs(store, acme, jobIds(10));
    await importJobs(store, other, jobIds(10));
  });

  describe('a deletion', () => {
    test('the jobs are removed and the deletion is completed', async () => {
      const deletion = await accept(store, ['job0001', 'job0002']);
      await store.markPublished([leaseOf(deletion)], 200, 700);
      expect(await removeAndRecord(store, partsOf(deletion), 300)).toEqual({
        refused: [],
        parts: [{ ...keyOf(deletion), from: 0, to: 2, claimCount: 2 }],
        removed: 2,
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
        completedAtMs: expect.any(Number),
      });
      expect(await leaseDue(store, 99_999, 99_999)).toEqual([]);
    });

    test('a removal before the record of the publication counts one publication', async () => {
      const deletion = await accept(store, ['job0001']);
      await removeAndRecord(store, partsOf(deletion), 300);
      expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
        state: 'completed',
        publishedAtMs: undefined,
        publications: 1,
      });
    });

    test('removed jobs are no completion: the deletion stays due until the removal is recorded', async () => {
      const deletion = await accept(store, ['job0001', 'job0002']);
      const { parts } = await store.removeJobs(partsOf(deletion));
      expect(await store.countJobs(acme)).toBe(8);
      expect(await store.findDeletion(deletion.id, acme)).toEqual(deletion);
      expect((await leaseDue(store, 99_999, 99_999)).map(({ id }) => id)).toEqual([deletion.id]);
      // A process that died meanwhile repeats the removal.
      expect(await store.removeJobs(partsOf(deletion))).toEqual({ refused: [], parts, removed: 0 });
      await store.recordRemovals(parts, 300);
      expect((await store.findDeletion(deletion.id, acme))?.state).toBe('completed');
      expect(await leaseDue(store, 999_999, 999_999)).toEqual([]);
    });

    test('a repeated removal, at once or later, changes nothing', async () => {
      const deletion = await accept(store, ['job0001', 'job0002']);
      await removeAndRecord(store, [...partsOf(deletion), ...partsOf(deletion)], 300);
      const completed = await store.findDeletion(deletion.id, acme);
      expect(await removeAndRecord(store, partsOf(deletion), 999)).toMatchObject({
        refused: [],
        removed: 0,
      });
      expect(await store.findDeletion(deletion.id, acme)).toEqual(completed);
      expect(completed?.completedAtMs).toEqual(expect.any(Number));
      expect(await store.countJobs(acme)).toBe(8);
    });
  });

  describe('calls', () => {
    test('concurrent removals of one deletion complete it once', async () => {
      const deletion = await accept(store, jobIds(10));
      await Promise.all([1, 2, 3, 4, 5].map((atMs) => removeAndRecord(store, partsOf(deletion), atMs)));
      const completed = await store.findDeletion(deletion.id, acme);
      expect(completed?.state).toBe('completed');
      await removeAndRecord(store, partsOf(deletion), 99);
      expect(await store.findDeletion(deletion.id, acme)).toEqual(completed);
      expect(await store.countJobs(acme)).toBe(0);
    });

    test('several deletions of several accounts are removed in one call', async () => {
      const mine = await accept(store, ['job0001']);
      const mine2 = await accept(store, ['job0002']);
      const theirs = await accept(store, ['job0001'], { accountId: other });
      const deletions = [mine, theirs, mine2];
      const parts = deletions.flatMap((deletion) => partsOf(deletion));
      await removeAndRecord(store, parts, 300);
      const states = await store.findStates(deletions.map(keyOf));
      expect(states).toEqual(['completed', 'completed', 'completed']);
      expect(await store.countJobs(acme)).toBe(8);
      expect(await store.countJobs(other)).toBe(9);
    });

    test('a call without parts has no effect', async () => {
      expect(await removeAndRecord(store, [], 300)).toEqual(nothingDone);
    });
  });

  describe('refusals', () => {
    test('an unknown deletion is refused, and the others are completed', async () => {
      const deletion = await accept(store, ['job0001']);
      const ghost = { ...deletion, id: 'ghost' };
      const ghosts = partsOf(ghost);
      const answer = await removeAndRecord(store, [...ghosts, ...partsOf(deletion)], 300);
      expect(answer).toEqual({
        refused: [noSuchPart(0)],
        parts: [{ ...keyOf(deletion), from: 0, to: 1, claimCount: 1 }],
        removed: 1,
      });
      expect((await store.findDeletion(deletion.id, acme))?.state).toBe('completed');
      expect(await store.countJobs(acme)).toBe(9);
    });

    test("another account's deletion is refused like an unknown one", async () => {
      const deletion = await accept(store, ['job0001']);
      const claimedByOther = partsOf({ ...deletion, accountId: other });
      expect(await removeAndRecord(store, claimedByOther, 300)).toEqual({
        ...nothingDone,
        refused: [noSuchPart(0)],
      });
      expect(await store.findDeletion(deletion.id, acme)).toEqual(deletion);
      expect((await store.findJob(acme, 'job0001'))?.deletionId).toBe(deletion.id);
    });

    test('a part with other claims than the deletion is refused and has no effect', async () => {
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
        expect(await removeAndRecord(store, parts, 300)).toEqual({
          ...nothingDone,
          refused: parts.map((_, index) => noSuchPart(index)),
        });
      }
      expect(await store.findDeletion(first.id, acme)).toEqual(first);
      for (const id of first.jobIds) expect((await store.findJob(acme, id))?.deletionId).toBe(first.id);
      expect((await store.findJob(acme, 'job0002'))?.deletionId).toBe(second.id);
      expect((await store.findJob(other, 'job0003'))?.deletionId).toBe(theirs.id);
    });
  });

  describe('jobs posted again', () => {
    test('an old event does not remove a job posted again under the same id', async () => {
      const first = await accept(store, ['job0001']);
      await removeAndRecord(store, partsOf(first), 300);
      await importJobs(store, acme, ['job0001']);
      await removeAndRecord(store, partsOf(first), 400);
      expect(await store.findJob(acme, 'job0001')).toMatchObject({ deletionId: undefined });

      const second = await accept(store, ['job0001']);
      expect(second.claims).not.toEqual(first.claims);
      await removeAndRecord(store, partsOf(first), 500);
      expect((await store.findJob(acme, 'job0001'))?.deletionId).toBe(second.id);
      await removeAndRecord(store, partsOf(second), 600);
      expect(await store.findJob(acme, 'job0001')).toBeUndefined();
    });

    test('a job can be posted, accepted and removed many times', async () => {
      const claims = new Set<string>();
      for (let round = 0; round < 5; round++) {
        await importJobs(store, acme, ['again']);
        const deletion = await accept(store, ['again']);
        claims.add(deletion.claims[0] ?? '');
        await removeAndRecord(store, partsOf(deletion), round);
      }
      expect(claims.size).toBe(5);
      expect((await attempt(store, ['again'])).kind).toBe('jobs-not-found');
    });
  });
}
