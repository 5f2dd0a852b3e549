import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  leaseDue,
  leaseOf,
  noSuchPart,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { Deletion } from '../deletion.ts';
import type { ContractContext } from './store.contract.ts';
import type { RemovalPart, Store } from '../store.ts';

/** A deletion of 7 jobs in parts of 3, 3 and 1. The account has one more job. */
export function removingPartsCases(context: ContractContext): void {
  let store: Store;
  let deletion: Deletion;
  beforeEach(async () => {
    store = context.store();
    await importJobs(store, acme, jobIds(8));
    deletion = await accept(store, jobIds(7));
  });
  const part = (index: number): RemovalPart => {
    const found = partsOf(deletion, 3)[index];
    if (found === undefined) throw new Error(`no part ${index}`);
    return found;
  };
  const stateOf = async () => (await store.findDeletion(deletion.id, acme))?.state;

  describe('completion', () => {
    test.each([
      ['in order', [0, 1, 2]],
      ['out of order', [2, 0, 1]],
      ['backwards', [2, 1, 0]],
    ])('parts %s each remove their jobs, and the last one completes the deletion', async (_, order) => {
      let left = 8;
      for (const [count, index] of order.entries()) {
        expect(await stateOf()).toBe('accepted');
        await removeAndRecord(store, [part(index)], 100 + count);
        left -= part(index).claims.length;
        expect(await store.countJobs(acme)).toBe(left);
      }
      expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
        state: 'completed',
        completedAtMs: expect.any(Number),
      });
      expect(await store.findJob(acme, 'job0007')).toMatchObject({ deletionId: undefined });
    });

    test.each([
      [7, 3, 4],
      [2_500, 1_000, 1_250],
    ])(
      'of %i jobs, parts of %i and of %i complete the deletion when they cover all jobs',
      async (count, size, other) => {
        await importJobs(store, acme, jobIds(count, 2_000));
        const deletion = await accept(store, jobIds(count, 2_000));
        const [first, second] = partsOf(deletion, size);
        const [, last] = partsOf(deletion, other);
        if (!first || !second || !last) throw new Error('two parts were expected');
        await removeAndRecord(store, [first], 100);
        await removeAndRecord(store, [last], 101);
        await removeAndRecord(store, [first, last], 102);
        expect((await store.findDeletion(deletion.id, acme))?.state).toBe('accepted');
        expect(await store.countJobs(acme)).toBeGreaterThan(1);
        await removeAndRecord(store, [second], 103);
        expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
          state: 'completed',
          completedAtMs: expect.any(Number),
        });
        expect(await store.countJobs(acme)).toBe(8);
      },
    );
  });

  describe('the answer', () => {
    test('counts the removed jobs of all parts of a call, and none twice', async () => {
      await importJobs(store, acme, jobIds(4_000, 1_000));
      const large = await accept(store, jobIds(4_000, 1_000));
      const many = partsOf(large, 1_000);
      expect(await removeAndRecord(store, [...many, part(0)], 100)).toMatchObject({
        refused: [],
        removed: 4_003,
      });
      expect((await store.findDeletion(large.id, acme))?.state).toBe('completed');
      expect(await removeAndRecord(store, [...many, part(0), part(1)], 200)).toMatchObject({
        refused: [],
        removed: 3,
      });
    });
  });

  describe('repeated and refused parts', () => {
    test('a repeated part does not stand for the others', async () => {
      await removeAndRecord(store, [part(0), part(0), part(0)], 100);
      await removeAndRecord(store, [part(0)], 101);
      expect(await stateOf()).toBe('accepted');
      await removeAndRecord(store, [part(1), part(1)], 102);
      expect(await stateOf()).toBe('accepted');
      await removeAndRecord(store, [part(2)], 103);
      expect(await stateOf()).toBe('completed');
    });

    test('a part with another count of parts is refused and has no effect', async () => {
      const counted = [
        { ...part(0), parts: 1 },
        { ...part(0), parts: 4 },
        { ...part(0), part: 1 },
        { ...part(2), part: 0, parts: 1 },
      ];
      expect(await removeAndRecord(store, counted, 100)).toEqual({
        refused: [0, 1, 2, 3].map(noSuchPart),
        parts: [],
        removed: 0,
      });
      expect(await stateOf()).toBe('accepted');
      expect(await store.countJobs(acme)).toBe(8);
    });

    test('jobs of a removed part can be posted again before the other parts are removed', async () => {
      await removeAndRecord(store, [part(0)], 100);
      await importJobs(store, acme, ['job0000']);
      await removeAndRecord(store, partsOf(deletion, 3), 200);
      expect(await stateOf()).toBe('completed');
      expect(await store.findJob(acme, 'job0000')).toMatchObject({ deletionId: undefined });
      expect(await store.countJobs(acme)).toBe(2);
    });

    test('concurrent calls for the parts complete the deletion', async () => {
      await Promise.all(
        [part(1), part(0), part(2), part(1)].map((each) => removeAndRecord(store, [each], 100)),
      );
      expect(await stateOf()).toBe('completed');
      expect(await store.countJobs(acme)).toBe(1);
    });
  });

  describe('the outbox', () => {
    test('a publication between two parts undoes none', async () => {
      await removeAndRecord(store, [part(0)], 100);
      await store.markPublished([leaseOf(deletion)], 150, 700);
      expect(await stateOf()).toBe('published');
      await removeAndRecord(store, [part(1)], 200);
      expect(await stateOf()).toBe('published');
      await removeAndRecord(store, [part(2)], 300);
      expect(await stateOf()).toBe('completed');
    });

    test('the deletion stays due until the last part is removed', async () => {
      await removeAndRecord(store, [part(0), part(2)], 100);
      expect((await leaseDue(store, 99_999, 100_000)).map(({ id }) => id)).toEqual([deletion.id]);
      await removeAndRecord(store, [part(1)], 200);
      expect(await leaseDue(store, 200_000, 200_001)).toEqual([]);
    });
  });
}
