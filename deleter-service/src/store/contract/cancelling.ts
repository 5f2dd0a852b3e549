import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  accept,
  acceptRequest,
  acme,
  attempt,
  importJobs,
  jobIds,
  keyOf,
  leaseDue,
  leaseOf,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { Deletion } from '../deletion.ts';
import { notBegun } from '../removed-parts.ts';
import type { Store } from '../store.ts';
import type { ContractContext } from './store.contract.ts';

/** A request of an account with a delay. */
const until = (removalAtMs: number) => ({ acceptedAtMs: 1_000, dueAtMs: removalAtMs, removalAtMs });
const canceller = { ...origin, requestId: 'request-2', tokenId: 'token-2' };
const farMs = 9_000_000;

export function cancellingCases({ store, reopen }: ContractContext): void {
  beforeEach(() => importJobs(store(), acme, jobIds(40)));
  const cancel = (id: string, atMs = 2_000, accountId = acme) =>
    store().cancelDeletion({ deletionId: id, accountId }, atMs, canceller);

  describe('a waiting deletion', () => waitingCases(store, reopen));

  test('is cancelled as a whole: its jobs are free, and their ids stay on record', async () => {
    const { id } = await accept(store(), jobIds(3), until(5_000));
    const cancelled = { id, state: 'cancelled', jobCount: 3, cancelledAtMs: 2_000, cancelOrigin: canceller };
    expect(await cancel(id)).toMatchObject({ kind: 'cancelled', receipt: cancelled });
    const record = await store().findDeletion(id, acme);
    expect(record).toMatchObject({ state: 'cancelled', jobIds: jobIds(3), claims: [], origin });
    expect(record?.completedAtMs).toBeUndefined();
    expect(await store().countJobs(acme)).toBe(40);
    expect((await store().findJob(acme, 'job0000'))?.deletionId).toBeUndefined();
    const again = await accept(store(), jobIds(4), until(6_000));
    expect(await store().findDeletion(again.id, acme)).toEqual(again);
  });

  test('is cancelled again with the same answer, later too', async () => {
    const { id } = await accept(store(), jobIds(2), until(5_000));
    const first = await cancel(id, 2_000);
    expect(await cancel(id, 3_000)).toEqual(first);
    // Its event is still to be published, but by a search only.
    expect(await store().leaseOpen([{ deletionId: id, accountId: acme }], 9_000)).toEqual([]);
    await (await reopen()).endCancelled([{ deletionId: id, accountId: acme }]);
    expect(await cancel(id, 4_000)).toMatchObject({ kind: 'cancelled', receipt: { cancelledAtMs: 2_000 } });
  });

  test('is not found by another account, or under an unknown id', async () => {
    const { id } = await accept(store(), jobIds(1), until(5_000));
    expect(await cancel(id, 2_000, other)).toEqual({ kind: 'not-found' });
    expect(await cancel('unknown')).toEqual({ kind: 'not-found' });
    expect(await store().findReceipt(id, acme)).toMatchObject({ state: 'waiting' });
  });

  test('can’t be cancelled without a delay, or from the lease on', async () => {
    const undelayed = await accept(store(), ['job0001'], { dueAtMs: farMs });
    expect(await cancel(undelayed.id)).toEqual({ kind: 'not-cancellable' });
    const delayed = await accept(store(), ['job0002'], until(5_000));
    const [leased] = await leaseDue(store(), 5_000, 35_000);
    expect(leased).toEqual({ ...delayed, state: 'accepted' });
    expect(await cancel(delayed.id)).toEqual({ kind: 'not-cancellable' });
    await store().markPublished([leaseOf(delayed, 35_000)], 5_100, 700_000);
    expect(await cancel(delayed.id)).toEqual({ kind: 'not-cancellable' });
    expect(await removeAndRecord(store(), partsOf(delayed), 5_200)).toMatchObject({
      removed: 1,
      refused: [],
    });
    expect(await cancel(delayed.id)).toEqual({ kind: 'not-cancellable' });
    expect(await store().findJob(acme, 'job0002')).toBeUndefined();
  });

  test('has one outcome when many cancel it while many lease it', async () => {
    const deletions = await Promise.all(
      jobIds(30).map((id, index) => accept(store(), [id], until(5_000 + (index % 3)))),
    );
    const leases: Promise<Deletion[]>[] = [];
    const cancelling = deletions.flatMap(({ id }, index) => {
      if (index % 3 === 0) leases.push(leaseDue(store(), 6_000, 36_000, { maxDeletions: 2 }));
      return [cancel(id), cancel(id)];
    });
    const leased = (await Promise.all(leases)).flat().filter(({ state }) => state !== 'cancelled');
    const outcomes = await Promise.all(cancelling);
    const leasedIds = new Set(leased.map(({ id }) => id));
    for (const [index, { id }] of deletions.entries()) {
      const kinds = [outcomes[2 * index]?.kind, outcomes[2 * index + 1]?.kind];
      const { state } = (await store().findReceipt(id, acme)) ?? {};
      if (leasedIds.has(id))
        expect([...kinds, state]).toEqual(['not-cancellable', 'not-cancellable', 'accepted']);
      else expect([...kinds, state]).toEqual(['cancelled', 'cancelled', 'cancelled']);
    }
    await removeAndRecord(
      store(),
      leased.flatMap((deletion) => partsOf(deletion)),
      7_000,
    );
    expect(await store().countJobs(acme)).toBe(40 - leasedIds.size);
  });

  test('frees its jobs once for the many that wait for them', async () => {
    const { id } = await accept(store(), jobIds(5), until(farMs));
    const asking = Array.from({ length: 6 }, () => attempt(store(), jobIds(5)).catch(() => undefined));
    await cancel(id);
    const racing = Array.from({ length: 6 }, () => attempt(store(), jobIds(5)).catch(() => undefined));
    const outcomes = await Promise.all([...asking, ...racing]);
    expect(outcomes.filter((outcome) => outcome?.kind === 'accepted')).toHaveLength(1);
  });

  test('leaves a job that was posted again meanwhile: it is deleted by itself', async () => {
    const first = await accept(store(), ['job0001', 'job0002'], until(5_000));
    await importJobs(store(), acme, ['job0001']);
    const second = await accept(store(), ['job0001'], { dueAtMs: 1_000 });
    expect(await cancel(first.id)).toMatchObject({ kind: 'cancelled' });
    expect((await store().findJob(acme, 'job0001'))?.deletionId).toBe(second.id);
    expect((await attempt(store(), ['job0001'])).kind).toBe('jobs-not-found');
    await removeAndRecord(store(), partsOf(second), 3_000);
    expect(await store().findJob(acme, 'job0001')).toBeUndefined();
    expect((await store().findJob(acme, 'job0002'))?.deletionId).toBeUndefined();
    expect(await store().countJobs(acme)).toBe(39);
  });

  test('removes nothing when its event is replayed, not even jobs of a later deletion', async () => {
    const first = await accept(store(), jobIds(2), until(5_000));
    await cancel(first.id);
    const second = await accept(store(), jobIds(2));
    const refused = [{ index: 0, reason: notBegun.cancelled }];
    expect(await removeAndRecord(store(), partsOf(first), 3_000)).toEqual({
      refused,
      removed: 0,
      parts: [],
    });
    expect(await store().countJobs(acme)).toBe(40);
    expect(await removeAndRecord(store(), partsOf(second), 4_000)).toMatchObject({ removed: 2 });
  });

  test('is repeated, and its idempotency key is replayed, as before the cancellation', async () => {
    const request = acceptRequest(jobIds(2), { idempotencyKey: 'key', ...until(5_000) });
    await attempt(store(), jobIds(2), request);
    await cancel(request.deletionId);
    expect(await attempt(store(), jobIds(2), request)).toMatchObject({ kind: 'accepted', isRepeated: true });
    const replay = { idempotencyKey: 'key' };
    expect(await attempt(store(), jobIds(2), replay)).toMatchObject({
      kind: 'replayed',
      deletion: { id: request.deletionId },
    });
    expect((await attempt(store(), jobIds(3), replay)).kind).toBe('key-reused');
    expect((await store().findJob(acme, 'job0000'))?.deletionId).toBeUndefined();
  });

  test('is due for its event at once, until that is recorded; then it is a receipt that expires', async () => {
    const { id } = await accept(store(), jobIds(2), until(farMs));
    await cancel(id, 2_000);
    expect(await leaseDue(store(), 1_999, 9_000)).toEqual([]);
    const [leased] = await leaseDue(store(), 2_000, 9_000);
    expect(leased).toMatchObject({ id, state: 'cancelled', jobIds: jobIds(2), cancelledAtMs: 2_000 });
    expect(await leaseDue(store(), 8_999, 9_000)).toEqual([]);
    expect(await leaseDue(store(), 9_000, 20_000)).toHaveLength(1);
    expect(await store().expireReceipts(-farMs, 100)).toBe(0);
    const key = { deletionId: id, accountId: acme };
    await store().markPublished([{ ...key, leasedUntilMs: 20_000 }], 9_100, farMs);
    await store().postpone([key], farMs);
    await store().endCancelled([key]);
    const receipt = await store().findReceipt(id, acme);
    expect(receipt).toMatchObject({ state: 'cancelled', publications: 1, publishedAtMs: undefined });
    await store().endCancelled([key]);
    expect(await store().findReceipt(id, acme)).toEqual(receipt);
    expect(await leaseDue(store(), farMs, 2 * farMs)).toEqual([]);
    expect(await store().expireReceipts(farMs, 100)).toBe(0);
    expect(await store().expireReceipts(-farMs, 100)).toBe(1);
    expect(await store().findReceipt(id, acme)).toBeUndefined();
  });

  test('is listed and counted as cancelled', async () => {
    const cancelled = await accept(store(), jobIds(3), until(5_000));
    await cancel(cancelled.id);
    const waiting = await accept(store(), ['job0009'], until(5_000));
    const counts = await store().countDeletions({ accountId: acme, fromMs: 0, toMs: 2_000 });
    expect(counts.toSorted((a, b) => (a.state < b.state ? -1 : 1))).toEqual([
      { state: 'cancelled', deletions: 1, jobs: 3, keptJobs: 0 },
      { state: 'waiting', deletions: 1, jobs: 1, keptJobs: 0 },
    ]);
    const listed = async (state: 'cancelled' | 'waiting' | 'accepted') =>
      (await store().listDeletions({ accountId: acme, state, pageSize: 9, after: undefined })).deletions;
    expect(await listed('cancelled')).toMatchObject([{ id: cancelled.id, state: 'cancelled' }]);
    expect(await listed('waiting')).toMatchObject([{ id: waiting.id, removalAtMs: 5_000 }]);
    expect(await listed('accepted')).toEqual([]);
    const states = await store().findStates([keyOf(cancelled), keyOf(waiting)]);
    expect(states).toEqual(['cancelled', 'waiting']);
  });

  test('cancelled deletions of one account do not collide', async () => {
    for (let round = 0; round < 3; round++) {
      const deletions = await Promise.all(jobIds(3).map((id) => accept(store(), [id], until(5_000))));
      for (const { id } of deletions) expect(await cancel(id)).toMatchObject({ kind: 'cancelled' });
    }
    expect(await store().countJobs(acme)).toBe(40);
  });
}

function waitingCases(store: () => Store, reopen: ContractContext['reopen']): void {
  test('has the end of its delay on record, and is leased then, not earlier', async () => {
    const waiting = await accept(store(), jobIds(2), until(5_000));
    expect(waiting).toMatchObject({ state: 'waiting', removalAtMs: 5_000 });
    expect(await (await reopen()).findDeletion(waiting.id, acme)).toEqual(waiting);
    expect(await leaseDue(store(), 4_999, 35_000)).toEqual([]);
    expect(await leaseDue(store(), 5_000, 35_000)).toEqual([{ ...waiting, state: 'accepted' }]);
  });

  test('is not released with the leases of a dead process, unless its removal has begun', async () => {
    const waiting = await accept(store(), ['job0001'], until(50_000));
    const begun = await accept(store(), ['job0002'], until(5_000));
    await leaseDue(store(), 6_000, 36_000);
    await store().releaseLeases();
    expect(await leaseDue(store(), 7_000, 37_000)).toMatchObject([{ id: begun.id }]);
    expect(await store().findReceipt(waiting.id, acme)).toEqual(
      expect.objectContaining({ state: 'waiting', removalAtMs: 50_000 }),
    );
  });

  test('is not in the outbox, and counts from the end of its delay when it is', async () => {
    const none = { depth: 0, oldestAtMs: undefined };
    const delayed = await accept(store(), ['job0001'], until(farMs));
    expect(await store().measureOutbox()).toEqual({ accepted: none, published: none });
    await leaseDue(store(), farMs, farMs + 30_000);
    const begun = { depth: 1, oldestAtMs: farMs };
    expect(await store().measureOutbox()).toEqual({ accepted: begun, published: none });
    await store().markPublished([leaseOf(delayed, farMs + 30_000)], farMs, farMs + 600_000);
    expect(await store().measureOutbox()).toEqual({ accepted: none, published: begun });
    await accept(store(), ['job0002'], { acceptedAtMs: 900 });
    expect(await store().measureOutbox()).toMatchObject({ accepted: { oldestAtMs: 900 }, published: begun });
  });

  test('removes nothing when an event arrives early, and goes on waiting', async () => {
    const waiting = await accept(store(), jobIds(2), until(5_000));
    const refused = [{ index: 0, reason: notBegun.waiting }];
    expect(await removeAndRecord(store(), partsOf(waiting), 3_000)).toEqual({
      refused,
      removed: 0,
      parts: [],
    });
    expect(await store().findDeletion(waiting.id, acme)).toEqual(waiting);
    expect(await store().countJobs(acme)).toBe(40);
  });

  test('is not postponed, and begins with a lease', async () => {
    const waiting = await accept(store(), ['job0001'], until(5_000));
    await store().markPublished([leaseOf(waiting, 5_000)], 2_000, 9_000);
    await store().postpone([keyOf(waiting)], 8_000);
    expect(await store().findDeletion(waiting.id, acme)).toEqual(waiting);
    const [begun] = await store().leaseOpen([keyOf(waiting)], 8_000);
    expect(begun).toMatchObject({ id: waiting.id, state: 'accepted' });
    expect(await store().cancelDeletion(keyOf(waiting), 3_000, origin)).toEqual({ kind: 'not-cancellable' });
    expect(await leaseDue(store(), 8_000, 9_000)).toMatchObject([{ id: waiting.id, state: 'accepted' }]);
  });

  test('is audited only if no relay has taken it in time', async () => {
    await accept(store(), ['job0001'], until(50_000));
    const late = await accept(store(), ['job0002'], until(5_000));
    const cancelled = await accept(store(), ['job0003'], until(50_000));
    await store().cancelDeletion(keyOf(cancelled), 2_000, origin);
    const open: string[] = [];
    for await (const page of store().openDeletions(6_000)) open.push(...page.map(({ id }) => id));
    expect(open.sort()).toEqual([late.id, cancelled.id].sort());
    await store().endCancelled([keyOf(cancelled)]);
    for await (const page of store().completedDeletions(0, Date.UTC(3000, 0, 1))) expect(page).toEqual([]);
  });
}
