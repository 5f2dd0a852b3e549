import { beforeEach, expect, test } from '@jest/globals';
import { accept, acme, importJobs, jobIds, noSuchPart, partsOf } from '../../testing/deletions.ts';
import type { Deletion } from '../deletion.ts';
import type { ContractContext } from './store.contract.ts';
import type { RemovalPart, Store } from '../store.ts';

export function removingPartsCases(context: ContractContext): void {
  let store: Store;
  let deletion: Deletion;
  let parts: RemovalPart[];
  beforeEach(async () => {
    store = context.store();
    await importJobs(store, acme, jobIds(8));
    deletion = await accept(store, jobIds(7));
    parts = partsOf(deletion, 3);
  });

  const part = (index: number): RemovalPart => {
    const found = parts[index];
    if (found === undefined) throw new Error(`no part ${index}`);
    return found;
  };
  const stateNow = async () => (await store.findDeletion(deletion.id, acme))?.state;

  test.each([
    ['in order', [0, 1, 2]],
    ['out of order', [2, 0, 1]],
    ['backwards', [2, 1, 0]],
  ])('parts %s each remove theirs, and the last one completes', async (_, order) => {
    let left = 8;
    for (const [count, index] of order.entries()) {
      expect(await stateNow()).toBe('accepted');
      await store.removeJobs([part(index)], 100 + count);
      left -= part(index).claims.length;
      expect(await store.countJobs(acme)).toBe(left);
    }
    expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'completed',
      completedAtMs: 102,
    });
    expect(await store.findJob(acme, 'job0007')).toMatchObject({ deletionId: undefined });
  });

  test('tells how many jobs are gone by the call, of many parts too, and none a second time', async () => {
    await importJobs(store, acme, jobIds(4_000, 1_000));
    const many = partsOf(await accept(store, jobIds(4_000, 1_000)), 1_000);
    expect(await store.removeJobs([...many, part(0)], 100)).toEqual({ refused: [], removed: 4_003 });
    expect(await store.removeJobs([...many, part(0), part(1)], 200)).toEqual({ refused: [], removed: 3 });
  });

  test('a part that counts the parts otherwise is refused: nothing is left behind by it', async () => {
    const counted = [
      { ...part(0), parts: 1 },
      { ...part(0), parts: 4 },
      { ...part(0), part: 1 },
      { ...part(2), part: 0, parts: 1 },
    ];
    expect(await store.removeJobs(counted, 100)).toEqual({
      refused: [0, 1, 2, 3].map(noSuchPart),
      removed: 0,
    });
    expect(await stateNow()).toBe('accepted');
    expect(await store.countJobs(acme)).toBe(8);
  });

  test('all the parts in one call complete it', async () => {
    await store.removeJobs(parts, 100);
    expect(await stateNow()).toBe('completed');
    expect(await store.countJobs(acme)).toBe(1);
  });

  test('one part many times does not stand for the others', async () => {
    await store.removeJobs([part(0), part(0), part(0)], 100);
    await store.removeJobs([part(0)], 101);
    expect(await stateNow()).toBe('accepted');
    await store.removeJobs([part(1), part(1)], 102);
    expect(await stateNow()).toBe('accepted');
    await store.removeJobs([part(2)], 103);
    expect(await stateNow()).toBe('completed');
  });

  test.each([
    [7, 3, 4],
    [2_500, 1_000, 1_250],
  ])('of %i jobs, parts of %i and of %i complete it once they cover all jobs', async (count, size, other) => {
    await importJobs(store, acme, jobIds(count, 2_000));
    deletion = await accept(store, jobIds(count, 2_000));
    parts = partsOf(deletion, size);
    const [, last] = partsOf(deletion, other);
    if (last === undefined) throw new Error('two parts were expected');
    await store.removeJobs([part(0)], 100);
    await store.removeJobs([last], 101);
    await store.removeJobs([part(0), last], 102);
    expect(await stateNow()).toBe('accepted');
    expect(await store.countJobs(acme)).toBeGreaterThan(1);
    await store.removeJobs([part(1)], 103);
    expect(await store.findDeletion(deletion.id, acme)).toMatchObject({
      state: 'completed',
      completedAtMs: 103,
    });
    for (const id of deletion.jobIds) expect(await store.findJob(acme, id)).toBeUndefined();
  });

  test('concurrent calls for its parts complete it', async () => {
    await Promise.all([part(1), part(0), part(2), part(1)].map((each) => store.removeJobs([each], 100)));
    expect(await stateNow()).toBe('completed');
    expect(await store.countJobs(acme)).toBe(1);
  });

  test('a publication between its parts does not undo one', async () => {
    await store.removeJobs([part(0)], 100);
    await store.markPublished([deletion.id], 150, 700);
    expect(await stateNow()).toBe('published');
    await store.removeJobs([part(1)], 200);
    expect(await stateNow()).toBe('published');
    await store.removeJobs([part(2)], 300);
    expect(await stateNow()).toBe('completed');
  });

  test('it stays due until the last part is done', async () => {
    await store.removeJobs([part(0), part(2)], 100);
    expect((await store.leaseDue(99_999, 100_000, 10)).map(({ id }) => id)).toEqual([deletion.id]);
    await store.removeJobs([part(1)], 200);
    expect(await store.leaseDue(200_000, 200_001, 10)).toEqual([]);
  });

  test('jobs of a part that is removed can be posted again while the others wait', async () => {
    await store.removeJobs([part(0)], 100);
    await importJobs(store, acme, ['job0000']);
    await store.removeJobs(parts, 200);
    expect(await stateNow()).toBe('completed');
    expect(await store.findJob(acme, 'job0000')).toMatchObject({ deletionId: undefined });
    expect(await store.countJobs(acme)).toBe(2);
  });
}
