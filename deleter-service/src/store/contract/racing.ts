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
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { AcceptOutcome } from '../store.ts';

export function racingCases(context: ContractContext): void {
  test('of concurrent calls for one job, exactly one is accepted', async () => {
    const store = context.store();
    await importJobs(store, acme, jobIds(1));
    const outcomes = await Promise.all(jobIds(20).map(() => attempt(store, ['job0000'])));
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'jobs-not-found')).toHaveLength(19);
  });

  const pool = jobIds(60);
  const clients = fc.array(fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1, maxLength: 6 }), {
    minLength: 50,
    maxLength: 50,
  });

  test('50 racing clients on overlapping sets: each job is accepted at most once, and nothing half', async () => {
    let accounts = 0;
    const store = context.store();
    await fc.assert(
      fc.asyncProperty(clients, async (wishes) => {
        const accountId = `account-${++accounts}`;
        await importJobs(store, accountId, pool);
        const race = async (ids: readonly string[]): Promise<AcceptOutcome> => {
          const outcome = await attempt(store, ids, { accountId });
          // Removals race along with the requests that come later.
          if (outcome.kind === 'accepted') await store.removeJobs(partsOf(outcome.deletion), 2_000);
          return outcome;
        };
        const outcomes = await Promise.all(wishes.map(race));

        const accepted = wishes.filter((_, client) => outcomes[client]?.kind === 'accepted').flat();
        expect(accepted.length).toBeGreaterThan(0);
        expect(new Set(accepted).size).toBe(accepted.length);
        expect(await remaining(store.findJob, accountId)).toEqual(
          pool.filter((id) => !accepted.includes(id)),
        );
        for (const [client, outcome] of outcomes.entries()) {
          if (outcome.kind === 'accepted') continue;
          expect(outcome.kind).toBe('jobs-not-found');
          // Whatever refuses a request is a job that another one was given.
          const positions = outcome.kind === 'jobs-not-found' ? outcome.missing.positions : [];
          expect(positions.length).toBeGreaterThan(0);
          for (const position of positions) expect(accepted).toContain(wishes[client]?.[position]);
        }
      }),
      { numRuns: 10, seed: 20_260_101 },
    );
  });

  test('groups that race with overlapping groups accept each job at most once', async () => {
    const store = context.store();
    await importJobs(store, acme, pool);
    const groups = jobIds(10).map((_, group) =>
      pool.slice(group, group + 40).map((id, index) => acceptRequest([id, pool[(index * 7) % 60] ?? id])),
    );
    const distinct = groups.map((requests) =>
      requests.filter(({ jobIds: [first, second] }) => first !== second),
    );
    const outcomes = (await Promise.all(distinct.map((requests) => acceptAll(store, requests)))).flat();
    const accepted = outcomes.flatMap((outcome) =>
      outcome.kind === 'accepted' ? outcome.deletion.jobIds : [],
    );
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(accepted).size).toBe(accepted.length);
    const claims = outcomes.flatMap((outcome) =>
      outcome.kind === 'accepted' ? outcome.deletion.claims : [],
    );
    expect(new Set(claims).size).toBe(claims.length);
  });

  async function remaining(
    findJob: (accountId: string, jobId: string) => Promise<unknown>,
    accountId: string,
  ): Promise<string[]> {
    const jobs = await Promise.all(pool.map((id) => findJob(accountId, id)));
    return pool.filter((_, index) => jobs[index] !== undefined);
  }
}
