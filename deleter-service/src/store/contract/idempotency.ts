import { beforeEach, expect, test } from '@jest/globals';
import {
  accept,
  acceptAll,
  acceptOne,
  acceptRequest,
  acme,
  allDeletions,
  attempt,
  importJobs,
  jobIds,
  leaseOf,
  origin,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Deletion } from '../deletion.ts';
import type { AcceptRequest, Store } from '../store.ts';

const idempotencyKey = 'key-1';

export function idempotencyCases(context: ContractContext): void {
  beforeEach(async () => {
    await importJobs(context.store(), acme, jobIds(10));
    await importJobs(context.store(), other, jobIds(10));
  });
  repeatedKeyCases(context.store);
  keyLifetimeCases(context.store);
  concurrentKeyCases(context.store);
  repeatedIdCases(context.store);
  otherIdCases(context.store);
}

function repeatedKeyCases(store: () => Store): void {
  test('the same key with the same ids returns the first deletion', async () => {
    const deletion = await accept(store(), ['job0001', 'job0002'], { idempotencyKey });
    const again = { idempotencyKey, acceptedAtMs: 9_999, origin: { ...origin, language: 'es' } };
    expect(await attempt(store(), ['job0001', 'job0002'], again)).toEqual({ kind: 'replayed', deletion });
    expect(await attempt(store(), ['job0001', 'job0002'], again)).toEqual({ kind: 'replayed', deletion });
  });

  test.each([
    ['other ids', ['job0003']],
    ['one id more', ['job0001', 'job0002', 'job0003']],
    ['one id less', ['job0001']],
    ['the same ids in another order', ['job0002', 'job0001']],
    ['ids that do not exist', ['missing']],
  ])('the same key with %s is refused and changes nothing', async (_, ids) => {
    const deletion = await accept(store(), ['job0001', 'job0002'], { idempotencyKey });
    expect(await attempt(store(), ids, { idempotencyKey })).toEqual({ kind: 'key-reused' });
    expect(await store().findDeletion(deletion.id, acme)).toEqual(deletion);
    expect((await store().findJob(acme, 'job0003'))?.deletionId).toBeUndefined();
  });

  test('two accounts may use the same key', async () => {
    await accept(store(), ['job0001'], { idempotencyKey });
    const theirs = { accountId: other, idempotencyKey };
    expect((await attempt(store(), ['job0002'], theirs)).kind).toBe('accepted');
    expect((await attempt(store(), ['job0002'], theirs)).kind).toBe('replayed');
  });

  test('keys differ by case and by spaces', async () => {
    await accept(store(), ['job0001'], { idempotencyKey: 'key' });
    await accept(store(), ['job0002'], { idempotencyKey: 'KEY' });
    await accept(store(), ['job0003'], { idempotencyKey: 'key ' });
  });
}

function keyLifetimeCases(store: () => Store): void {
  test('a refused request does not use up its key', async () => {
    const refused = await attempt(store(), ['job0001', 'missing'], { idempotencyKey });
    expect(refused.kind).toBe('jobs-not-found');
    expect((await attempt(store(), ['job0001'], { idempotencyKey })).kind).toBe('accepted');
  });

  test('requests without a key never replay one another', async () => {
    await accept(store(), ['job0001']);
    expect((await attempt(store(), ['job0001'])).kind).toBe('jobs-not-found');
    await accept(store(), ['job0002']);
  });

  test('a key still replays after the jobs are removed, and after they are posted again', async () => {
    const deletion = await accept(store(), ['job0001'], { idempotencyKey });
    await removeAndRecord(store(), partsOf(deletion), 5_000);
    const completed = await store().findDeletion(deletion.id, acme);
    expect(completed?.state).toBe('completed');
    expect(await attempt(store(), ['job0001'], { idempotencyKey })).toEqual({
      kind: 'replayed',
      deletion: completed,
    });
    await importJobs(store(), acme, ['job0001']);
    expect((await attempt(store(), ['job0001'], { idempotencyKey })).kind).toBe('replayed');
    expect((await store().findJob(acme, 'job0001'))?.deletionId).toBeUndefined();
  });
}

function concurrentKeyCases(store: () => Store): void {
  test('one key twice in one call is accepted once and replayed once', async () => {
    const requests = [1, 2].map(() => acceptRequest(['job0001'], { idempotencyKey }));
    const outcomes = await acceptAll(store(), requests);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['accepted', 'replayed']);
    expect(new Set(outcomes.map((outcome) => 'deletion' in outcome && outcome.deletion.id)).size).toBe(1);
  });

  test('one key with the same ids in concurrent calls is accepted once, else replayed', async () => {
    const outcomes = await Promise.all(
      jobIds(10).map(() => attempt(store(), ['job0001', 'job0002'], { idempotencyKey })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(9);
    expect(new Set(outcomes.map((outcome) => 'deletion' in outcome && outcome.deletion.id)).size).toBe(1);
  });

  test('one key with different ids in concurrent calls is accepted once, else refused', async () => {
    const outcomes = await Promise.all(jobIds(10).map((id) => attempt(store(), [id], { idempotencyKey })));
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'key-reused')).toHaveLength(9);
    const claimed = await Promise.all(jobIds(10).map((id) => store().findJob(acme, id)));
    expect(claimed.filter((job) => job?.deletionId !== undefined)).toHaveLength(1);
  });
}

function repeatedIdCases(store: () => Store): void {
  const repeat = (deletion: Deletion, more: Partial<AcceptRequest> = {}) =>
    attempt(store(), deletion.jobIds, { deletionId: deletion.id, acceptedAtMs: 9_999, ...more });

  test('a request with an id on record is accepted again, before and after the removal', async () => {
    const deletion = await accept(store(), ['job0001', 'job0002']);
    const isRepeated = true;
    expect(await repeat(deletion)).toEqual({ kind: 'accepted', deletion, isRepeated });
    await store().markPublished([leaseOf(deletion)], 2_000, 3_000);
    await removeAndRecord(store(), partsOf(deletion), 5_000);
    const completed = await store().findDeletion(deletion.id, acme);
    expect(completed?.state).toBe('completed');
    expect(await repeat(deletion)).toEqual({ kind: 'accepted', deletion: completed, isRepeated });
    await importJobs(store(), acme, deletion.jobIds);
    expect(await repeat(deletion)).toEqual({ kind: 'accepted', deletion: completed, isRepeated });
    expect((await store().findJob(acme, 'job0001'))?.deletionId).toBeUndefined();
  });

  test('a refusal names a claimed job, also if the claim is repeated later in the same call', async () => {
    const { id: deletionId } = await accept(store(), ['job0001']);
    const outcomes = await acceptAll(store(), [
      acceptRequest(['job0001', 'missing', 'job0002']),
      acceptRequest(['job0001'], { deletionId, acceptedAtMs: 9_999 }),
    ]);
    expect(outcomes[0]).toEqual({ kind: 'jobs-not-found', positions: [0, 1] });
    expect(outcomes[1]).toMatchObject({ kind: 'accepted', isRepeated: true });
  });

  test('the id is checked before the key', async () => {
    const deletion = await accept(store(), ['job0001'], { idempotencyKey });
    expect(await repeat(deletion, { idempotencyKey })).toMatchObject({ kind: 'accepted', isRepeated: true });
    const second = await accept(store(), ['job0002']);
    expect(await repeat(second, { idempotencyKey })).toMatchObject({ kind: 'accepted', isRepeated: true });
  });

  test.each([
    ['other jobs', ['job0003', 'job0004']],
    ['a job less', ['job0001']],
    ['missing jobs', ['missing']],
  ])('an id on record with %s is refused and changes nothing', async (_, ids) => {
    const deletion = await accept(store(), ['job0001', 'job0002']);
    expect(await attempt(store(), ids, { deletionId: deletion.id })).toEqual({ kind: 'key-reused' });
    expect(await allDeletions(store(), undefined)).toEqual([deletion]);
    expect((await store().findJob(acme, 'job0003'))?.deletionId).toBeUndefined();
  });
}

function otherIdCases(store: () => Store): void {
  test("another account's id is refused, and the account is not revealed", async () => {
    const deletion = await accept(store(), ['job0001']);
    const theirs = { deletionId: deletion.id, accountId: other };
    expect(await attempt(store(), deletion.jobIds, theirs)).toEqual({ kind: 'key-reused' });
    expect((await store().findJob(other, 'job0001'))?.deletionId).toBeUndefined();
  });

  test('a refused request does not use up its id', async () => {
    const deletionId = 'refused-first';
    expect((await attempt(store(), ['job0001', 'missing'], { deletionId })).kind).toBe('jobs-not-found');
    expect((await attempt(store(), ['job0001', 'missing'], { deletionId })).kind).toBe('jobs-not-found');
    await importJobs(store(), acme, ['missing']);
    expect((await attempt(store(), ['job0001', 'missing'], { deletionId })).kind).toBe('accepted');
  });

  test('50 concurrent copies of a request, in one call or in many, are accepted as one deletion', async () => {
    const copies = (deletionId: string, ids: readonly string[]) =>
      Array.from({ length: 50 }, () => acceptRequest(ids, { deletionId }));
    const inMany = copies('in-many', ['job0001', 'job0002']).map((request) => acceptOne(store(), request));
    const outcomes = [
      await Promise.all(inMany),
      await acceptAll(store(), copies('in-one', ['job0003', 'job0004'])),
    ];
    for (const answers of outcomes) {
      const kinds = answers.map(({ kind, ...more }) => [kind, 'isRepeated' in more]);
      expect(kinds.filter(([, isRepeated]) => isRepeated === false)).toEqual([['accepted', false]]);
      expect(new Set(kinds.map(([kind]) => kind))).toEqual(new Set(['accepted']));
      expect(new Set(answers.map((answer) => 'deletion' in answer && answer.deletion.id)).size).toBe(1);
    }
    expect(await allDeletions(store(), acme)).toHaveLength(2);
  });
}
