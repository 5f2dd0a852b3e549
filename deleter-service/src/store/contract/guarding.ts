import { expect, test } from '@jest/globals';
import {
  acceptAll,
  acceptRequest,
  acme,
  attempt,
  importJobs,
  jobIds,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { Guard } from '../safety-rules.ts';
import type { AcceptRequest } from '../store.ts';
import type { ContractContext } from './store.contract.ts';

const jobsLimit = (jobs: number, allowances: Guard['allowances'] = []): Guard => ({
  limit: { kind: 'jobs', jobs },
  allowances,
});
const shareLimit = (percent: number): Guard => ({ limit: { kind: 'share', percent }, allowances: [] });
const exceeded = (limit: number, used: number) => ({ kind: 'limit-exceeded', limit, used });

/** The guard uses the time of a server where there is one. */
const now = (): Partial<AcceptRequest> => ({ acceptedAtMs: Date.now(), dueAtMs: Date.now() });

export function guardingCases({ store, reopen }: ContractContext): void {
  const ask = (ids: readonly string[], guard: Guard, more: Partial<AcceptRequest> = {}) =>
    attempt(store(), ids, { ...now(), guard, ...more });
  const kindsOf = (outcomes: readonly { kind: string }[]) => outcomes.map(({ kind }) => kind).sort();

  test('a request that exceeds the limit is refused as a whole, and changes nothing', async () => {
    await importJobs(store(), acme, jobIds(10));
    const guard = jobsLimit(5);
    expect(await ask(jobIds(3), guard)).toMatchObject({ kind: 'accepted' });
    expect(await ask(jobIds(3, 3), guard)).toEqual(exceeded(5, 3));
    expect(await store().findJob(acme, 'job0003')).toMatchObject({ deletionId: undefined });
    expect(await ask(jobIds(2, 3), guard)).toMatchObject({ kind: 'accepted' });
    expect(await ask(jobIds(1, 5), guard)).toEqual(exceeded(5, 5));
    expect(await store().readUsage(acme, guard)).toMatchObject({ used: 5, limit: 5 });
  });

  test('a limit of 0 refuses every deletion, and no limit none', async () => {
    await importJobs(store(), acme, jobIds(2));
    expect(await ask(jobIds(1), jobsLimit(0))).toEqual(exceeded(0, 0));
    expect(await attempt(store(), jobIds(1), now())).toMatchObject({ kind: 'accepted' });
  });

  test('what is missing or claimed is named before the limit', async () => {
    await importJobs(store(), acme, jobIds(2));
    const guard = jobsLimit(1);
    expect(await ask(['job0000'], guard)).toMatchObject({ kind: 'accepted' });
    const missing = { kind: 'jobs-not-found', positions: [0] };
    expect(await ask(['job0000', 'job0001'], guard)).toEqual(missing);
    expect(await ask(['unknown', 'job0001'], guard)).toEqual(missing);
  });

  test('a repeated call and a used key get their first outcome when the limit is reached', async () => {
    await importJobs(store(), acme, jobIds(3));
    const guard = jobsLimit(2);
    const first = acceptRequest(jobIds(2), { ...now(), guard, idempotencyKey: 'key' });
    const [accepted] = await acceptAll(store(), [first]);
    if (accepted?.kind !== 'accepted') throw new Error('not accepted');
    const repeats = async () => [
      await attempt(store(), first.jobIds, first),
      await ask(jobIds(2), guard, { idempotencyKey: 'key' }),
      await ask(['job0002'], guard, { idempotencyKey: 'key' }),
    ];
    const kinds = ['accepted', 'key-reused', 'replayed'];
    expect(kindsOf(await repeats())).toEqual(kinds);
    await removeAndRecord(store(), partsOf(accepted.deletion), Date.now());
    expect(kindsOf(await repeats())).toEqual(kinds);
    expect(await store().readUsage(acme, guard)).toMatchObject({ used: 2 });
  });

  test('a dry run is checked and not counted', async () => {
    await importJobs(store(), acme, jobIds(5));
    const guard = jobsLimit(3);
    for (let run = 0; run < 3; run++)
      expect(await ask(jobIds(3), guard, { dryRun: true })).toEqual({ kind: 'would-be-accepted' });
    expect(await ask(jobIds(4), guard, { dryRun: true })).toEqual(exceeded(3, 0));
    expect(await ask(jobIds(3), guard)).toMatchObject({ kind: 'accepted' });
    expect(await ask(['job0003'], guard, { dryRun: true })).toEqual(exceeded(3, 3));
  });

  test('refused requests give their jobs back', async () => {
    await importJobs(store(), acme, jobIds(4));
    const guard = jobsLimit(2);
    const same = Array.from({ length: 6 }, () => acceptRequest(['job0000'], { ...now(), guard }));
    expect(kindsOf(await acceptAll(store(), same))).toEqual([
      'accepted',
      ...Array<string>(5).fill('jobs-not-found'),
    ]);
    expect(await ask(['job0001'], guard)).toMatchObject({ kind: 'accepted' });
    expect(await ask(['job0002'], guard)).toEqual(exceeded(2, 2));
  });

  test('requests of one call are accepted up to the limit, and other accounts are not affected', async () => {
    await importJobs(store(), acme, jobIds(30));
    await importJobs(store(), other, jobIds(30));
    const guard = jobsLimit(10);
    const asked = jobIds(30).flatMap((id) => [
      acceptRequest([id], { ...now(), guard }),
      acceptRequest([id], { ...now(), accountId: other }),
    ]);
    const outcomes = await acceptAll(store(), asked);
    const accepted = (accountId: string) =>
      outcomes.filter(({ kind }, index) => kind === 'accepted' && asked[index]?.accountId === accountId)
        .length;
    expect([accepted(acme), accepted(other)]).toEqual([10, 30]);
    expect(await store().readUsage(acme, guard)).toMatchObject({ used: 10 });
  });

  test('an allowance raises the limit until its time', async () => {
    await importJobs(store(), acme, jobIds(10));
    const inAnHour = Date.now() + 3_600_000;
    const raised = jobsLimit(2, [
      { id: 'a', jobs: 3, untilMs: inAnHour },
      { id: 'b', jobs: 100, untilMs: Date.now() - 1_000 },
    ]);
    expect(await ask(jobIds(6), raised)).toEqual(exceeded(5, 0));
    expect(await ask(jobIds(5), raised)).toMatchObject({ kind: 'accepted' });
    expect(await ask(['job0007'], jobsLimit(2))).toEqual(exceeded(2, 5));
  });

  test('no request is accepted under an allowance that was ended, even with the old rules', async () => {
    await importJobs(store(), acme, jobIds(10));
    const allowance = { id: '$a', jobs: 100, untilMs: Date.now() + 3_600_000 };
    await store().addAllowance(acme, allowance, Date.now());
    const raised = jobsLimit(0, [allowance]);
    // MongoDB: a replica keeps jobs reserved under the allowance.
    expect(await ask(['job0000'], raised)).toMatchObject({ kind: 'accepted' });
    const { allowances } = await store().endAllowance(acme, '$a');
    expect(allowances).toEqual([{ ...allowance, jobs: 0 }]);
    expect(await ask(['job0001'], raised)).toEqual(exceeded(0, 1));
    expect((await store().addAllowance(acme, allowance, Date.now())).allowances).toEqual(allowances);
    const current = { ...allowance, id: 'b', jobs: 2 };
    expect(await ask(['job0001'], jobsLimit(0, [allowance, current]))).toMatchObject({ kind: 'accepted' });
  });

  test('a share is of the most jobs that the account had, also when they are removed', async () => {
    await importJobs(store(), acme, jobIds(20));
    const guard = shareLimit(25);
    const outcome = await ask(jobIds(4), guard);
    if (outcome.kind !== 'accepted') throw new Error('not accepted');
    await removeAndRecord(store(), partsOf(outcome.deletion), Date.now());
    expect(await ask(jobIds(2, 10), guard)).toEqual(exceeded(5, 4));
    expect(await ask(jobIds(1, 10), guard)).toMatchObject({ kind: 'accepted' });
    const { used, held, limit } = await store().readUsage(acme, guard);
    expect([used + held, limit]).toEqual([5, 5]);
  });

  test('a share is rounded down, and the jobs of other accounts do not count', async () => {
    await importJobs(store(), other, jobIds(5));
    await importJobs(store(), acme, ['only0001']);
    expect(await ask(['only0001'], shareLimit(50))).toEqual(exceeded(0, 0));
  });

  test('what is used survives a restart', async () => {
    await importJobs(store(), acme, jobIds(5));
    const guard = jobsLimit(3);
    await ask(jobIds(2), guard);
    await reopen();
    expect(await ask(jobIds(2, 2), guard)).toEqual(exceeded(3, 2));
    expect(await ask(jobIds(1, 2), guard)).toMatchObject({ kind: 'accepted' });
  });
}
