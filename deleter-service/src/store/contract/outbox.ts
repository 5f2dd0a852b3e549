import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acme,
  importJobs,
  jobIds,
  keyOf,
  leaseDue,
  leaseOf,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

const idsOf = (deletions: readonly { readonly id: string }[]) => deletions.map(({ id }) => id);

export function outboxCases(context: ContractContext): void {
  beforeEach(async () => {
    await importJobs(context.store(), acme, jobIds(60));
  });
  leaseCases(context.store);
  leaseLimitCases(context.store);
  publicationCases(context.store);
  outboxStateCases(context.store);
}

function leaseCases(store: () => Store): void {
  test('due deletions are leased as they are stored, the longest due first', async () => {
    const late = await accept(store(), ['job0001'], { dueAtMs: 300 });
    const early = await accept(store(), ['job0002', 'job0003'], { dueAtMs: 100 });
    const middle = await accept(store(), ['job0004'], { dueAtMs: 200 });
    expect(await leaseDue(store(), 1_000, 2_000)).toEqual([early, middle, late]);
  });

  test('a deletion is not leased before it is due, to the millisecond', async () => {
    const { id } = await accept(store(), ['job0001'], { dueAtMs: 500 });
    expect(await leaseDue(store(), 499, 9_000)).toEqual([]);
    expect(idsOf(await leaseDue(store(), 500, 9_000))).toEqual([id]);
  });

  test('no other caller gets a deletion before its lease ends', async () => {
    const { id } = await accept(store(), ['job0001'], { dueAtMs: 100 });
    expect(await leaseDue(store(), 100, 1_000)).toHaveLength(1);
    expect(await leaseDue(store(), 999, 9_000)).toEqual([]);
    expect(idsOf(await leaseDue(store(), 1_000, 9_000))).toEqual([id]);
  });
}

function leaseLimitCases(store: () => Store): void {
  test('a lease has at most the requested jobs, but at least one deletion', async () => {
    const wishes = [jobIds(3), jobIds(2, 10), jobIds(9, 20), jobIds(1, 40)];
    for (const [index, ids] of wishes.entries()) await accept(store(), ids, { dueAtMs: index });
    const sizes = async () =>
      (await leaseDue(store(), 100, 1_000, { maxDeletions: 10, maxJobs: 5 })).map(
        ({ jobIds: leased }) => leased.length,
      );
    expect([await sizes(), await sizes(), await sizes(), await sizes()]).toEqual([[3, 2], [9], [1], []]);
  });

  test('a lease has at most the requested deletions, and the next lease has the rest', async () => {
    const ids: string[] = [];
    for (const [index, id] of jobIds(5).entries())
      ids.push((await accept(store(), [id], { dueAtMs: index })).id);
    const pages: string[][] = [];
    for (let page = 0; page < 4; page++)
      pages.push(idsOf(await leaseDue(store(), 100, 1_000, { maxDeletions: 2 })));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1, 0]);
    // Which part of the due deletions a call leases is open, but each part is in order.
    for (const page of pages) expect(page).toEqual([...page].sort());
    expect(pages.flat().sort()).toEqual(ids.sort());
  });

  test('deletions due before the given time, or of the given accounts, are left', async () => {
    await importJobs(store(), other, jobIds(3));
    const early = await accept(store(), ['job0001'], { dueAtMs: 100 });
    const mine = await accept(store(), ['job0002'], { dueAtMs: 200 });
    const theirs = await accept(store(), ['job0001'], { dueAtMs: 200, accountId: other });
    expect(idsOf(await leaseDue(store(), 999, 9_000, { fromMs: 200, exceptAccounts: [other] }))).toEqual([
      mine.id,
    ]);
    expect(idsOf(await leaseDue(store(), 999, 9_000, { fromMs: 101 }))).toEqual([theirs.id]);
    expect(idsOf(await leaseDue(store(), 999, 9_000))).toEqual([early.id]);
  });

  test('concurrent callers never lease the same deletion', async () => {
    for (const id of jobIds(60)) await accept(store(), [id], { dueAtMs: 100 });
    const leased = await Promise.all(jobIds(12).map(() => leaseDue(store(), 100, 1_000)));
    const given = leased.flatMap(idsOf);
    expect(new Set(given).size).toBe(given.length);
    // A caller that lost a race for some may have fewer deletions; the others are still due.
    for (let more = await leaseDue(store(), 100, 1_000); more.length > 0;) {
      given.push(...idsOf(more));
      more = await leaseDue(store(), 100, 1_000);
    }
    expect(new Set(given).size).toBe(60);
    expect(given).toHaveLength(60);
  });
}

function publicationCases(store: () => Store): void {
  test('a publication is recorded and counted, and due again only when it is overdue', async () => {
    const { id } = await accept(store(), ['job0001'], { dueAtMs: 100 });
    await store().markPublished([leaseOf({ id, accountId: acme }, 100)], 200, 700);
    expect(await store().findDeletion(id, acme)).toMatchObject({
      state: 'published',
      publishedAtMs: 200,
      publications: 1,
    });
    expect(await leaseDue(store(), 699, 9_000)).toEqual([]);
    const [overdue] = await leaseDue(store(), 700, 9_000);
    expect(overdue).toMatchObject({ id, state: 'published', publications: 1 });
    await store().markPublished([leaseOf({ id, accountId: acme }, 9_000)], 800, 1_900);
    expect(await store().findDeletion(id, acme)).toMatchObject({ state: 'published', publications: 2 });
  });

  test('a publication is recorded once, and not for a deletion whose lease does not end then', async () => {
    const twice = await accept(store(), ['job0001'], { dueAtMs: 100 });
    // A worker postpones to a time before the end of the lease if the clock of the relay is ahead.
    const [early, late] = [await accept(store(), ['job0002']), await accept(store(), ['job0003'])];
    await store().postpone([keyOf(early)], 90);
    await store().postpone([keyOf(late)], 900);
    const leases = [leaseOf(twice, 100), leaseOf(early, 150), leaseOf(late, 150)];
    await store().markPublished(leases, 200, 700);
    await store().markPublished(leases, 200, 700);
    expect(await store().findDeletion(twice.id, acme)).toMatchObject({ state: 'published', publications: 1 });
    for (const postponed of [early, late])
      expect(await store().findDeletion(postponed.id, acme)).toMatchObject({
        state: 'accepted',
        publications: 0,
      });
    expect(await leaseDue(store(), 89, 9_000)).toEqual([]);
    expect((await leaseDue(store(), 899, 9_000)).map(({ id }) => id)).toEqual([early.id, twice.id]);
    expect(await leaseDue(store(), 900, 9_000)).toMatchObject([{ id: late.id }]);
  });

  test('several publications are recorded at once, and an unknown id is ignored', async () => {
    const first = await accept(store(), ['job0001']);
    const second = await accept(store(), ['job0002']);
    const third = await accept(store(), ['job0003']);
    await store().markPublished(
      [leaseOf(first), leaseOf({ id: 'unknown', accountId: acme }), leaseOf(third)],
      200,
      700,
    );
    await store().markPublished([], 200, 700);
    const states = await Promise.all([first, second, third].map(({ id }) => store().findDeletion(id, acme)));
    expect(states.map((deletion) => deletion?.state)).toEqual(['published', 'accepted', 'published']);
  });

  test('a postponed deletion is due at that time, and nothing else changes', async () => {
    const open = await accept(store(), ['job0001'], { dueAtMs: 100 });
    const published = await accept(store(), ['job0002'], { dueAtMs: 100 });
    await store().markPublished([leaseOf(published, 100)], 200, 86_400_000);
    const before = await store().findDeletion(published.id, acme);
    const unknown = { deletionId: 'unknown', accountId: acme };
    await store().postpone([keyOf(open), keyOf(published), unknown], 700);
    await store().postpone([], 800);
    expect(await leaseDue(store(), 699, 9_000)).toEqual([]);
    expect(idsOf(await leaseDue(store(), 700, 9_000)).sort()).toEqual([open.id, published.id]);
    expect(await store().findDeletion(published.id, acme)).toEqual(before);
    await removeAndRecord(store(), partsOf(open), 800);
    await store().postpone([keyOf(open)], 900);
    expect(await leaseDue(store(), 8_999, 9_999)).toEqual([]);
  });

  test('named deletions are leased, due or not, except final ones', async () => {
    const open = await accept(store(), ['job0001'], { dueAtMs: 100 });
    const published = await accept(store(), ['job0002'], { dueAtMs: 100 });
    await store().markPublished([leaseOf(published, 100)], 200, 86_400_000);
    const done = await accept(store(), ['job0003'], { dueAtMs: 100 });
    await removeAndRecord(store(), partsOf(done), 300);
    expect(await store().leaseOpen([], 900)).toEqual([]);
    const leased = await store().leaseOpen([open, published, done].map(keyOf), 900);
    expect(idsOf(leased).sort()).toEqual([open.id, published.id].sort());
    expect(leased.map(({ jobIds }) => jobIds.length)).toEqual([1, 1]);
    expect(await leaseDue(store(), 899, 9_000)).toEqual([]);
    expect(idsOf(await leaseDue(store(), 900, 9_000)).sort()).toEqual([open.id, published.id].sort());
  });

  test('a completed deletion has no lease, so a late record of its publication changes nothing', async () => {
    const deletion = await accept(store(), ['job0001'], { dueAtMs: 100 });
    await removeAndRecord(store(), partsOf(deletion), 300);
    const completed = await store().findDeletion(deletion.id, acme);
    expect(completed).toMatchObject({ state: 'completed', completedAtMs: expect.any(Number) });
    await store().markPublished([leaseOf(deletion, 100)], 400, 500);
    expect(await store().findDeletion(deletion.id, acme)).toEqual(completed);
    expect(await leaseDue(store(), 9_000, 9_999)).toEqual([]);
  });
}

function outboxStateCases(store: () => Store): void {
  test('released leases make every unpublished deletion due at once', async () => {
    const leased = await accept(store(), ['job0001'], { dueAtMs: 0 });
    await leaseDue(store(), 0, 50_000, { maxDeletions: 1 });
    const reserved = await accept(store(), ['job0002'], { dueAtMs: 60_000 });
    const published = await accept(store(), ['job0003'], { dueAtMs: 0 });
    await store().markPublished([leaseOf(published, 0)], 10, 70_000);
    const completed = await accept(store(), ['job0004'], { dueAtMs: 0 });
    await removeAndRecord(store(), partsOf(completed), 20);
    await store().releaseLeases();
    expect(idsOf(await leaseDue(store(), 1, 100_000)).sort()).toEqual([leased.id, reserved.id].sort());
    expect(idsOf(await leaseDue(store(), 70_000, 100_000))).toEqual([published.id]);
  });

  test('the outbox counts open deletions by their state', async () => {
    const none = { depth: 0, oldestAtMs: undefined };
    expect(await store().measureOutbox()).toEqual({ accepted: none, published: none });
    const oldest = await accept(store(), ['job0001'], { acceptedAtMs: 100 });
    const second = await accept(store(), ['job0002'], { acceptedAtMs: 200 });
    const third = await accept(store(), ['job0003'], { acceptedAtMs: 300 });
    await leaseDue(store(), 1_000, 9_000);
    const all = { accepted: { depth: 3, oldestAtMs: 100 }, published: none };
    expect(await store().measureOutbox()).toEqual(all);
    expect(await store().measureOutbox(3)).toEqual(all);
    expect((await store().measureOutbox(2)).accepted.depth).toBe(2);
    await store().markPublished([leaseOf(oldest, 9_000)], 1_000, 9_000);
    expect(await store().measureOutbox()).toEqual({
      accepted: { depth: 2, oldestAtMs: 200 },
      published: { depth: 1, oldestAtMs: 100 },
    });
    await removeAndRecord(store(), partsOf(second), 1_000);
    await store().markPublished([leaseOf(third, 9_000)], 1_000, 9_000);
    expect(await store().measureOutbox()).toEqual({
      accepted: none,
      published: { depth: 2, oldestAtMs: 100 },
    });
    await removeAndRecord(store(), partsOf(oldest), 1_000);
    expect(await store().measureOutbox()).toEqual({
      accepted: none,
      published: { depth: 1, oldestAtMs: 300 },
    });
  });
}
