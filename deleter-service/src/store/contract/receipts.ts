import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  attempt,
  importJobs,
  jobIds,
  leaseOf,
  noSuchPart,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { Deletion } from '../deletion.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';
import type { ListDeletionsQuery } from '../receipt-store.ts';

function receiptOf(deletion: Deletion) {
  const { jobIds: ids, claims, ...rest } = deletion;
  expect(claims).toHaveLength(ids.length);
  return { ...rest, jobCount: ids.length };
}

async function complete(store: Store, id: string, atMs: number): Promise<Deletion> {
  const deletion = await accept(store, [id], { acceptedAtMs: atMs });
  await removeAndRecord(store, partsOf(deletion), atMs);
  return deletion;
}

function page(store: Store, more: Partial<ListDeletionsQuery>) {
  return store.listDeletions({ accountId: acme, state: undefined, pageSize: 100, after: undefined, ...more });
}

async function readAll(store: Store, more: Partial<ListDeletionsQuery>): Promise<string[]> {
  const ids: string[] = [];
  let after: ListDeletionsQuery['after'];
  // Bounded: endless pages would block jest's own time limit.
  for (let pages = 0; pages < 1_000; pages++) {
    const { deletions, next } = await page(store, { ...more, after });
    ids.push(...deletions.map(({ id }) => id));
    if (next === undefined) return ids;
    after = next;
  }
  throw new Error('the pages have no end');
}

export function receiptCases(context: ContractContext): void {
  beforeEach(async () => {
    await importJobs(context.store(), acme, jobIds(30));
    await importJobs(context.store(), other, jobIds(30));
  });
  findingCases(context.store);
  listCases(context.store);
  boundCases(context.store);
  pageCases(context.store);
  expiryCases(context.store);
}

function findingCases(store: () => Store): void {
  test('a deletion is found by its account and by operators, but not by another account', async () => {
    const deletion = await accept(store(), ['job0001']);
    expect(await store().findDeletion(deletion.id, acme)).toEqual(deletion);
    expect(await store().findDeletion(deletion.id, undefined)).toEqual(deletion);
    expect(await store().findDeletion(deletion.id, other)).toBeUndefined();
    expect(await store().findDeletion('unknown', acme)).toBeUndefined();
    expect(await store().findDeletion('unknown', undefined)).toBeUndefined();
  });

  test('a receipt names the service that called the api', async () => {
    const caller = 'certificate:gateway.example';
    const deletion = await accept(store(), ['job0001'], { origin: { ...origin, caller } });
    expect((await store().findReceipt(deletion.id, acme))?.origin).toEqual({ ...origin, caller });
  });

  test('a receipt has the number of jobs instead of the jobs', async () => {
    const deletion = await accept(store(), jobIds(3), { idempotencyKey: 'key' });
    expect(await store().findReceipt(deletion.id, acme)).toEqual(receiptOf(deletion));
    expect(await store().findReceipt(deletion.id, undefined)).toEqual(receiptOf(deletion));
    expect(await store().findReceipt(deletion.id, other)).toBeUndefined();
    expect(await store().findReceipt('unknown', undefined)).toBeUndefined();
    await store().markPublished([leaseOf(deletion)], 200, 700);
    await removeAndRecord(store(), partsOf(deletion), 300);
    expect(await store().findReceipt(deletion.id, acme)).toMatchObject({
      state: 'completed',
      jobCount: 3,
      publishedAtMs: 200,
      completedAtMs: expect.any(Number),
      publications: 1,
    });
  });

  test('states are returned in the order of the keys, without those of another account', async () => {
    const accepted = await accept(store(), ['job0001']);
    const completed = await complete(store(), 'job0002', 300);
    const theirs = await accept(store(), ['job0003'], { accountId: other });
    const keys = [completed, theirs, accepted, { id: 'unknown' }, accepted].map(({ id }) => ({
      deletionId: id,
      accountId: acme,
    }));
    expect(await store().findStates(keys)).toStrictEqual([
      'completed',
      undefined,
      'accepted',
      undefined,
      'accepted',
    ]);
    const others = [{ deletionId: theirs.id, accountId: other }, ...keys.slice(2, 4)];
    expect(await store().findStates(others)).toStrictEqual(['accepted', 'accepted', undefined]);
    expect(await store().findStates([])).toEqual([]);
  });
}

function listCases(store: () => Store): void {
  test('a list has the deletions of one account, newest first', async () => {
    const first = await accept(store(), ['job0001'], { acceptedAtMs: 100 });
    const third = await accept(store(), ['job0003'], { acceptedAtMs: 300 });
    const second = await accept(store(), ['job0002'], { acceptedAtMs: 200 });
    await accept(store(), ['job0001'], { accountId: other, acceptedAtMs: 250 });
    const deletions = [third, second, first].map(receiptOf);
    expect(await page(store(), {})).toEqual({ deletions, next: undefined });
    expect((await page(store(), { accountId: undefined })).deletions).toHaveLength(4);
    expect(await page(store(), { accountId: 'nobody' })).toEqual({ deletions: [], next: undefined });
  });

  test('a list can be filtered by state', async () => {
    const accepted = await accept(store(), ['job0001']);
    const published = await accept(store(), ['job0002']);
    await store().markPublished([leaseOf(published)], 200, 700);
    const completed = await complete(store(), 'job0003', 300);
    const idsOf = async (state: ListDeletionsQuery['state']) =>
      (await page(store(), { state })).deletions.map(({ id }) => id);
    expect(await idsOf('accepted')).toEqual([accepted.id]);
    expect(await idsOf('published')).toEqual([published.id]);
    expect(await idsOf('completed')).toEqual([completed.id]);
  });

  test('a list can be filtered by job, idempotency key and time, over several pages', async () => {
    const first = await accept(store(), ['job0001', 'job0002'], { acceptedAtMs: 100, idempotencyKey: 'k' });
    const second = await accept(store(), ['job0003'], { acceptedAtMs: 200 });
    const third = await complete(store(), 'job0004', 300);
    expect(await readAll(store(), { jobId: 'job0002' })).toEqual([first.id]);
    expect(await readAll(store(), { jobId: 'job0004' })).toEqual([third.id]);
    expect(await readAll(store(), { jobId: 'job000' })).toEqual([]);
    expect(await readAll(store(), { idempotencyKey: 'k' })).toEqual([first.id]);
    expect(await readAll(store(), { idempotencyKey: 'k', accountId: other })).toEqual([]);
    expect(await readAll(store(), { acceptedFromMs: 200, pageSize: 1 })).toEqual([third.id, second.id]);
    expect(await readAll(store(), { jobId: 'job0001', acceptedFromMs: 101 })).toEqual([]);
  });

  test('a list can be filtered by token and by a range of time, whose end is exclusive', async () => {
    const first = await accept(store(), ['job0001'], { acceptedAtMs: 100 });
    const byToken = { origin: { ...origin, tokenId: 'token-2' } };
    const second = await accept(store(), ['job0002'], { acceptedAtMs: 200, ...byToken });
    const third = await accept(store(), ['job0003'], { acceptedAtMs: 300, ...byToken });
    await accept(store(), ['job0002'], { acceptedAtMs: 250, ...byToken, accountId: other });
    expect(await readAll(store(), { tokenId: 'token-2' })).toEqual([third.id, second.id]);
    expect(await readAll(store(), { tokenId: 'token-2', acceptedToMs: 300 })).toEqual([second.id]);
    expect(await readAll(store(), { tokenId: 'token' })).toEqual([]);
    expect(await readAll(store(), { acceptedFromMs: 100, acceptedToMs: 300 })).toEqual([second.id, first.id]);
    expect(await readAll(store(), { acceptedFromMs: 101, acceptedToMs: 200 })).toEqual([]);
  });
}

function boundCases(store: () => Store): void {
  const rare = { tokenId: 'rare', pageSize: 3, maxExamined: 5 };
  const acceptMany = async () => {
    const ids: string[] = [];
    for (const [index, id] of jobIds(20).entries()) {
      const tokenId = index % 7 === 0 ? 'rare' : 'frequent';
      // Several deletions have the same time.
      const acceptedAtMs = 100 + Math.floor(index / 6);
      const deletion = await accept(store(), [id], { acceptedAtMs, origin: { ...origin, tokenId } });
      if (tokenId === 'rare') ids.unshift(deletion.id);
    }
    return ids;
  };

  test('a filter without an index examines a limited number of deletions for each page', async () => {
    await acceptMany();
    const sizes: number[] = [];
    let after: ListDeletionsQuery['after'];
    do {
      const { deletions, next } = await page(store(), { ...rare, after });
      sizes.push(deletions.length);
      after = next;
    } while (after !== undefined && sizes.length < 100);
    // 20 deletions in pages of 5. The last page has nothing after it.
    expect(sizes.reduce((sum, size) => sum + size)).toBe(3);
    expect(sizes.length).toBeGreaterThanOrEqual(4);
    expect(sizes.length).toBeLessThanOrEqual(5);
  });

  test.each([1, 2, 3, 5, 19, 20, 21])(
    'pages that examine %i deletions have no gap and no repetition, even at equal times',
    async (maxExamined) => {
      const ids = await acceptMany();
      for (const pageSize of [1, 3, 10])
        expect(await readAll(store(), { tokenId: 'rare', pageSize, maxExamined })).toEqual(ids);
      expect(await readAll(store(), { state: 'accepted', maxExamined })).toHaveLength(20);
      expect(await readAll(store(), { jobId: 'job0007', maxExamined })).toHaveLength(1);
      const recent = { acceptedFromMs: 101, acceptedToMs: 103, maxExamined };
      expect(await readAll(store(), { state: 'accepted', ...recent })).toHaveLength(12);
    },
  );
}

function pageCases(store: () => Store): void {
  test.each([1, 2, 3, 7, 19, 20, 100])(
    'pages of %i have no gap and no repetition, even at equal times',
    async (pageSize) => {
      const ids: string[] = [];
      for (const [index, id] of jobIds(20).entries())
        ids.push((await accept(store(), [id], { acceptedAtMs: 100 + Math.floor(index / 6) })).id);
      await accept(store(), ['job0001'], { accountId: other, acceptedAtMs: 101 });
      const read = await readAll(store(), { pageSize });
      expect(read).toHaveLength(20);
      expect([...read].sort()).toEqual([...ids].sort());
      expect(read).toEqual(await readAll(store(), { pageSize: 100 }));
      expect(await readAll(store(), { pageSize, state: 'accepted' })).toEqual(read);
      expect(await readAll(store(), { pageSize, accountId: undefined })).toHaveLength(21);
    },
  );

  test('a full last page is not followed by an empty one', async () => {
    for (const id of jobIds(4)) await accept(store(), [id]);
    expect((await page(store(), { pageSize: 4 })).next).toBeUndefined();
    const { deletions, next } = await page(store(), { pageSize: 3 });
    expect(deletions).toHaveLength(3);
    const last = await page(store(), { pageSize: 3, after: next });
    expect(last.deletions).toHaveLength(1);
    expect(last.next).toBeUndefined();
  });

  test('a deletion accepted between two pages does not shift them', async () => {
    const ids: string[] = [];
    for (const [index, id] of jobIds(4).entries())
      ids.unshift((await accept(store(), [id], { acceptedAtMs: 100 + index })).id);
    const { deletions, next } = await page(store(), { pageSize: 2 });
    await accept(store(), ['job0009'], { acceptedAtMs: 500 });
    const rest = await page(store(), { pageSize: 2, after: next });
    expect([...deletions, ...rest.deletions].map(({ id }) => id)).toEqual(ids);
  });
}

const hourMs = 3_600_000;
/** A retention after which every completed deletion is old. */
const inFuture = -hourMs;

function expiryCases(store: () => Store): void {
  test('only completed deletions older than the retention expire, with their keys', async () => {
    const accepted = await accept(store(), ['job0001'], { acceptedAtMs: 1 });
    const published = await accept(store(), ['job0002'], { acceptedAtMs: 1 });
    await store().markPublished([leaseOf(published)], 2, 3);
    const keyed = await accept(store(), ['job0003'], { idempotencyKey: 'key' });
    await removeAndRecord(store(), partsOf(keyed), Date.now());
    expect(await store().expireReceipts(hourMs, 100)).toBe(0);
    expect(await store().expireReceipts(inFuture, 100)).toBe(1);
    expect(await store().findDeletion(keyed.id, acme)).toBeUndefined();
    for (const { id } of [accepted, published]) expect(await store().findDeletion(id, acme)).toBeDefined();
    expect((await attempt(store(), ['job0005'], { idempotencyKey: 'key' })).kind).toBe('accepted');
  });

  test('at most the requested number of deletions expires at a time', async () => {
    for (const id of jobIds(5)) await complete(store(), id, 100);
    const counts = [];
    for (let call = 0; call < 4; call++) counts.push(await store().expireReceipts(inFuture, 2));
    expect(counts).toEqual([2, 2, 1, 0]);
  });

  test('concurrent callers expire all old deletions', async () => {
    for (const id of jobIds(20)) await complete(store(), id, 100);
    const caller = async () => {
      // Each round but the last expires at least one receipt.
      for (let rounds = 0; (await store().expireReceipts(inFuture, 3)) > 0; rounds++)
        if (rounds > 20) throw new Error('more receipts expire than there are');
      return (await page(store(), {})).deletions.length;
    };
    expect(await Promise.all([caller(), caller(), caller(), caller()])).toEqual([0, 0, 0, 0]);
  });

  test('an event of an expired deletion is refused and removes no job posted again', async () => {
    const deletion = await complete(store(), 'job0001', 100);
    await store().expireReceipts(inFuture, 10);
    await importJobs(store(), acme, ['job0001']);
    const successor = await accept(store(), ['job0001']);
    const parts = partsOf(deletion);
    expect(await removeAndRecord(store(), parts, 600)).toEqual({
      refused: [noSuchPart(0)],
      removed: 0,
      parts: [],
    });
    expect((await store().findJob(acme, 'job0001'))?.deletionId).toBe(successor.id);
  });
}
