import { expect, test } from '@jest/globals';
import { accept, acme, importJobs, jobIds, keyOf, origin, other } from '../../testing/deletions.ts';
import type { ListDeletionsQuery } from '../receipt-store.ts';
import type { ContractContext } from './store.contract.ts';

/** The deletions that name a job. */
export function searchingCases({ store }: ContractContext): void {
  const page = (jobId: string, more: Partial<ListDeletionsQuery> = {}) =>
    store().listDeletions({
      accountId: acme,
      state: undefined,
      pageSize: 100,
      after: undefined,
      jobId,
      ...more,
    });
  const search = async (jobId: string, more: Partial<ListDeletionsQuery> = {}): Promise<string[]> => {
    const { deletions, next } = await page(jobId, more);
    const ids = deletions.map(({ id }) => id);
    return next === undefined ? ids : [...ids, ...(await search(jobId, { ...more, after: next }))];
  };

  test('a search finds exactly the id, in every deletion of the account that names it', async () => {
    await importJobs(store(), acme, ['aaaa', 'aaaab', 'baaaa', 'AAAA']);
    await importJobs(store(), other, ['aaaa']);
    const until = { acceptedAtMs: 100, dueAtMs: 9_000, removalAtMs: 9_000 };
    const cancelled = await accept(store(), ['aaaa'], until);
    await store().cancelDeletion(keyOf(cancelled), 150, origin);
    const rest = await accept(store(), ['aaaab', 'AAAA', 'baaaa'], { acceptedAtMs: 200 });
    const again = await accept(store(), ['aaaa'], { acceptedAtMs: 300 });
    await accept(store(), ['aaaa'], { acceptedAtMs: 400, accountId: other });
    expect(await search('aaaa')).toEqual([again.id, cancelled.id]);
    expect(await search('AAAA')).toEqual([rest.id]);
    expect(await search('unknown')).toEqual([]);
  });

  test('a page ends at the deletion with which it has examined enough ids', async () => {
    await importJobs(store(), acme, jobIds(40));
    const ids: string[] = [];
    for (const first of [0, 10, 20, 30])
      ids.unshift((await accept(store(), jobIds(10, first), { acceptedAtMs: 100 + first })).id);
    const ends = [1, 10, 11, 30, 31, 40, 41].map(
      async (maxJobs) => (await page('unknown', { maxJobs })).next,
    );
    const expected = [0, 0, 1, 2, 3, 3].map((index) => ({ acceptedAtMs: 130 - 10 * index, id: ids[index] }));
    expect(await Promise.all(ends)).toEqual([...expected, undefined]);
    for (const maxJobs of [1, 10, 15, 25, 40, 41]) {
      expect(await search('job0005', { maxJobs })).toEqual([ids[3]]);
      expect(await search('job0035', { maxJobs })).toEqual([ids[0]]);
    }
  });
}
