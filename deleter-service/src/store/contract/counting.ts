import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  keyOf,
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

  const count = (fromMs: number, toMs: number, accountId = acme) =>
    store().countDeletions({ accountId, fromMs, toMs });
  const none = { deletions: 0, ended: 0, jobsAccepted: 0, jobsRemoved: 0 };

  test('deletions and jobs of one account are counted', async () => {
    await accept(store(), jobIds(3), { acceptedAtMs: 100 });
    await accept(store(), jobIds(2, 3), { acceptedAtMs: 200 });
    await accept(store(), jobIds(4), { acceptedAtMs: 150, accountId: other });
    expect(await count(0, 1_000)).toEqual({ ...none, deletions: 2, jobsAccepted: 5 });
    expect(await count(0, 1_000, other)).toEqual({ ...none, deletions: 1, jobsAccepted: 4 });
    expect(await count(0, 1_000, 'nobody')).toEqual(none);
  });

  test('the range has its start and not its end', async () => {
    await accept(store(), ['job0000'], { acceptedAtMs: 10 });
    await accept(store(), ['job0001', 'job0002'], { acceptedAtMs: 20 });
    const jobs = async (fromMs: number, toMs: number) => (await count(fromMs, toMs)).jobsAccepted;
    expect(await jobs(10, 20)).toBe(1);
    expect(await jobs(11, 21)).toBe(2);
    expect(await jobs(10, 21)).toBe(3);
    expect(await jobs(11, 20)).toBe(0);
  });

  test('removed jobs count once their deletion is completed', async () => {
    const deletion = await accept(store(), jobIds(3), { acceptedAtMs: 10 });
    const published = await accept(store(), jobIds(2, 3), { acceptedAtMs: 20 });
    await store().markPublished([keyOf(published)], 30, 30);
    const open = { ...none, deletions: 2, jobsAccepted: 5 };
    expect(await count(0, 100)).toEqual(open);
    await removeAndRecord(store(), partsOf(deletion), 500);
    expect(await count(0, 100)).toEqual({ ...open, ended: 1, jobsRemoved: 3 });
  });
}
