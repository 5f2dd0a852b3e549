import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  leaseOf,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';

export function countingCases({ store }: ContractContext): void {
  beforeEach(async () => {
    await importJobs(store(), acme, jobIds(20));
    await importJobs(store(), other, jobIds(20));
  });

  const count = async (fromMs: number, toMs: number, { accountId = acme, tokenId }: Of = {}) => {
    const states = await store().countDeletions({ accountId, fromMs, toMs, tokenId });
    return states.toSorted((a, b) => (a.state < b.state ? -1 : 1));
  };

  test('deletions and jobs of one account are counted', async () => {
    await accept(store(), jobIds(3), { acceptedAtMs: 100 });
    await accept(store(), jobIds(2, 3), { acceptedAtMs: 200 });
    await accept(store(), jobIds(4), { acceptedAtMs: 150, accountId: other });
    expect(await count(0, 1_000)).toEqual([{ state: 'accepted', deletions: 2, jobs: 5, keptJobs: 0 }]);
    expect(await count(0, 1_000, { accountId: other })).toMatchObject([{ deletions: 1, jobs: 4 }]);
    expect(await count(0, 1_000, { accountId: 'nobody' })).toEqual([]);
  });

  test('the range has its start and not its end', async () => {
    await accept(store(), ['job0000'], { acceptedAtMs: 10 });
    await accept(store(), ['job0001', 'job0002'], { acceptedAtMs: 20 });
    const jobs = async (fromMs: number, toMs: number) => (await count(fromMs, toMs))[0]?.jobs;
    expect(await jobs(10, 20)).toBe(1);
    expect(await jobs(11, 21)).toBe(2);
    expect(await jobs(10, 21)).toBe(3);
    expect(await jobs(11, 20)).toBeUndefined();
  });

  test('each deletion counts in its state', async () => {
    const deletion = await accept(store(), jobIds(3), { acceptedAtMs: 10 });
    const published = await accept(store(), jobIds(2, 3), { acceptedAtMs: 20 });
    await store().markPublished([leaseOf(published)], 30, 30);
    await accept(store(), jobIds(4, 5), { acceptedAtMs: 30, dueAtMs: 5_000, removalAtMs: 5_000 });
    await removeAndRecord(store(), partsOf(deletion), 500);
    expect(await count(0, 100)).toEqual([
      { state: 'completed', deletions: 1, jobs: 3, keptJobs: 0 },
      { state: 'published', deletions: 1, jobs: 2, keptJobs: 0 },
      { state: 'waiting', deletions: 1, jobs: 4, keptJobs: 0 },
    ]);
  });

  test('only the deletions of a token are counted', async () => {
    const by = (tokenId: string) => ({ acceptedAtMs: 10, origin: { ...origin, tokenId } });
    await accept(store(), jobIds(3), by('shop'));
    await accept(store(), jobIds(2, 3), by('feed'));
    expect(await count(0, 100, { tokenId: 'shop' })).toMatchObject([{ deletions: 1, jobs: 3 }]);
    expect(await count(0, 100, { tokenId: 'none' })).toEqual([]);
  });
}

interface Of {
  readonly accountId?: string;
  readonly tokenId?: string;
}
