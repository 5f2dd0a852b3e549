import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  acceptAll,
  acceptRequest,
  acme,
  attempt,
  importJobs,
  jobIds,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { AcceptOutcome, Store } from '../store.ts';

const pool = jobIds(60);

/** 50 clients, with 1 to 6 jobs each. */
const clients = fc.array(fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1, maxLength: 6 }), {
  minLength: 50,
  maxLength: 50,
});

export function racingCases(context: ContractContext): void {
  test('of concurrent calls for one job, exactly one is accepted', async () => {
    const store = context.store();
    await importJobs(store, acme, jobIds(1));
    const outcomes = await Promise.all(jobIds(20).map(() => attempt(store, ['job0000'])));
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'jobs-not-found')).toHaveLength(19);
  });

  test('50 clients race for overlapping jobs: each job is accepted at most once, each request whole', async () => {
    let accounts = 0;
    const store = context.store();
    await fc.assert(
      fc.asyncProperty(clients, async (wishes) => {
        const accountId = `account-${++accounts}`;
        await importJobs(store, accountId, pool);
        const outcomes = await Promise.all(wishes.map((ids) => acceptAndRemove(store, accountId, ids)));
        await expectEachJobOnce(store, accountId, wishes, outcomes);
      }),
      { numRuns: 10, seed: 20_260_101 },
    );
  });

  test('racing groups with overlapping jobs accept each job at most once', async () => {
    const store = context.store();
    await importJobs(store, acme, pool);
    const groups = jobIds(10).map((_, group) =>
      pool.slice(group, group + 40).map((id, index) => acceptRequest([id, pool[(index * 7) % 60] ?? id])),
    );
    const distinct = groups.map((requests) =>
      requests.filter(({ jobIds: [first, second] }) => first !== second),
    );
    const outcomes = (await Promise.all(distinct.map((requests) => acceptAll(store, requests)))).flat();
    const deletions = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.deletion] : []));
    const accepted = deletions.flatMap((deletion) => deletion.jobIds);
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(accepted).size).toBe(accepted.length);
    const claims = deletions.flatMap((deletion) => deletion.claims);
    expect(new Set(claims).size).toBe(claims.length);
  });
}

/** Removes an accepted deletion at once: removals race with later requests. */
async function acceptAndRemove(
  store: Store,
  accountId: string,
  ids: readonly string[],
): Promise<AcceptOutcome> {
  const outcome = await attempt(store, ids, { accountId });
  if (outcome.kind === 'accepted') await removeAndRecord(store, partsOf(outcome.deletion), 2_000);
  return outcome;
}

/** @param wishes the job ids of each client; outcomes[i] answers wishes[i] */
async function expectEachJobOnce(
  store: Store,
  accountId: string,
  wishes: readonly (readonly string[])[],
  outcomes: readonly AcceptOutcome[],
): Promise<void> {
  const accepted = wishes.filter((_, client) => outcomes[client]?.kind === 'accepted').flat();
  expect(accepted.length).toBeGreaterThan(0);
  expect(new Set(accepted).size).toBe(accepted.length);
  expect(await remaining(store, accountId)).toEqual(pool.filter((id) => !accepted.includes(id)));
  for (const [client, outcome] of outcomes.entries()) {
    if (outcome.kind === 'accepted') continue;
    expect(outcome.kind).toBe('jobs-not-found');
    // Each job that refused a request was accepted for another one.
    const positions = outcome.kind === 'jobs-not-found' ? outcome.positions : [];
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) expect(accepted).toContain(wishes[client]?.[position]);
  }
}

async function remaining(store: Store, accountId: string): Promise<string[]> {
  const jobs = await Promise.all(pool.map((id) => store.findJob(accountId, id)));
  return pool.filter((_, index) => jobs[index] !== undefined);
}
