import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acceptAll,
  acceptRequest,
  acme,
  importJobs,
  jobIds,
  leaseOf,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

async function readAll<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    expect(page.length).toBeGreaterThan(0);
    items.push(...page);
  }
  return items;
}

const farMs = Date.UTC(3000, 0, 1);

const idsOf = (deletions: readonly { readonly id: string }[]) => deletions.map(({ id }) => id);

export function auditCases(context: ContractContext): void {
  beforeEach(async () => {
    await importJobs(context.store(), acme, jobIds(30));
    await importJobs(context.store(), other, jobIds(2));
  });
  openDeletionCases(context.store);
  completedDeletionCases(context.store);
}

function openDeletionCases(store: () => Store): void {
  test('open deletions of all accounts are listed, the longest due first', async () => {
    const late = await accept(store(), ['job0001'], { acceptedAtMs: 100, dueAtMs: 300 });
    const early = await accept(store(), ['job0000', 'job0001'], { accountId: other, acceptedAtMs: 200 });
    const published = await accept(store(), ['job0002'], { acceptedAtMs: 100 });
    const completed = await accept(store(), ['job0003'], { acceptedAtMs: 100 });
    await store().markPublished([leaseOf(published)], 150, 2_000);
    await removeAndRecord(store(), partsOf(completed), 160);
    expect(await readAll(store().openDeletions(1_000))).toEqual([
      {
        id: late.id,
        accountId: acme,
        state: 'accepted',
        jobCount: 1,
        acceptedAtMs: 100,
        publishedAtMs: undefined,
        dueAtMs: 300,
      },
      {
        id: early.id,
        accountId: other,
        state: 'accepted',
        jobCount: 2,
        acceptedAtMs: 200,
        publishedAtMs: undefined,
        dueAtMs: 1_000,
      },
      {
        id: published.id,
        accountId: acme,
        state: 'published',
        jobCount: 1,
        acceptedAtMs: 100,
        publishedAtMs: 150,
        dueAtMs: 2_000,
      },
    ]);
  });

  test('deletions accepted at the given time or later are left out', async () => {
    const before = await accept(store(), ['job0001'], { acceptedAtMs: 499 });
    await accept(store(), ['job0002'], { acceptedAtMs: 500 });
    expect(idsOf(await readAll(store().openDeletions(500)))).toEqual([before.id]);
  });
}

function completedDeletionCases(store: () => Store): void {
  test('deletions completed between two times are listed in the order of completion', async () => {
    const completed: { id: string; atMs: number }[] = [];
    for (let index = 0; index < 4; index++) {
      const { id, ...deletion } = await accept(store(), jobIds(index + 1, 5 * index));
      // A server sets the times itself. None of them is equal to the time before.
      const before = completed.at(-1)?.atMs ?? 0;
      while (Date.now() <= before) await store().check();
      await removeAndRecord(store(), partsOf({ id, ...deletion }), Date.now());
      const atMs = (await store().findReceipt(id, acme))?.completedAtMs ?? NaN;
      completed.push({ id, atMs });
    }
    await accept(store(), ['job0029']);
    const [, second, third] = completed;
    if (second === undefined || third === undefined) throw new Error('four deletions were expected');
    const found = await readAll(store().completedDeletions(second.atMs, third.atMs));
    const common = { accountId: acme, jobsLeft: 0 };
    expect(found).toMatchObject([
      { ...common, id: second.id, jobCount: 2, recordedJobs: 2, completedAtMs: second.atMs },
      { ...common, id: third.id, jobCount: 3, recordedJobs: 3, completedAtMs: third.atMs },
    ]);
  });

  test('a completed deletion shows how many removed jobs are on record', async () => {
    const deletion = await accept(store(), jobIds(10));
    for (const part of partsOf(deletion, 4)) await removeAndRecord(store(), [part], 100);
    expect(await readAll(store().completedDeletions(0, farMs))).toMatchObject([
      { id: deletion.id, coveredJobs: 10 },
    ]);
  });

  test('a job posted again later does not count as left', async () => {
    const deletion = await accept(store(), ['job0001']);
    await removeAndRecord(store(), partsOf(deletion), 100);
    await importJobs(store(), acme, ['job0001']);
    expect(await readAll(store().completedDeletions(0, farMs))).toMatchObject([{ jobsLeft: 0 }]);
  });

  test('several pages have no gap and no repetition, even at equal times', async () => {
    await importJobs(store(), acme, jobIds(1_150, 1_000));
    const requests = jobIds(1_150, 1_000).map((id) => acceptRequest([id]));
    await acceptAll(store(), requests);
    const ids = requests.map(({ deletionId }) => deletionId);
    expect(idsOf(await readAll(store().openDeletions(2_000))).sort()).toEqual([...ids].sort());
    const completed = ids.slice(0, 250);
    const found = await Promise.all(completed.map((id) => store().findDeletion(id, acme)));
    await removeAndRecord(
      store(),
      found.flatMap((deletion) => (deletion ? partsOf(deletion) : [])),
      100,
    );
    expect(idsOf(await readAll(store().completedDeletions(0, farMs))).sort()).toEqual([...completed].sort());
    expect(await readAll(store().openDeletions(2_000))).toHaveLength(900);
  });
}
