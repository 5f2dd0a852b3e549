import { expect, test } from '@jest/globals';
import {
  accept,
  acme,
  attempt,
  importJobs,
  jobIds,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

export function jobCases(context: ContractContext): void {
  importCases(context.store);
  jobLifetimeCases(context.store);
  claimedImportCases(context.store);
}

function importCases(store: () => Store): void {
  test('an imported job is found unchanged', async () => {
    const posting = {
      title: 'Développeur « full-stack » 👩‍💻',
      salary: 45_000.5,
      tags: ['a', null, { deep: [true, false] }],
      nothing: null,
      empty: '',
    };
    expect(await store().importJobs(acme, [{ id: 'job1', posting }], 123)).toEqual({
      imported: 1,
      existing: 0,
    });
    expect(await store().findJob(acme, 'job1')).toEqual({
      id: 'job1',
      accountId: acme,
      posting,
      importedAtMs: 123,
      deletionId: undefined,
    });
  });

  test("another account's job is not found", async () => {
    await importJobs(store(), acme, ['job1']);
    expect(await store().findJob(other, 'job1')).toBeUndefined();
    expect(await store().findJob(acme, 'unknown')).toBeUndefined();
  });

  test('existing jobs of the account are counted and left unchanged', async () => {
    await store().importJobs(acme, [{ id: 'job1', posting: { title: 'first' } }], 100);
    const later = [
      { id: 'job1', posting: { title: 'second' } },
      { id: 'job2', posting: {} },
    ];
    expect(await store().importJobs(acme, later, 200)).toEqual({ imported: 1, existing: 1 });
    expect(await store().findJob(acme, 'job1')).toMatchObject({
      posting: { title: 'first' },
      importedAtMs: 100,
    });
    expect(await store().findJob(acme, 'job2')).toMatchObject({ importedAtMs: 200 });
    expect(await store().importJobs(other, later, 300)).toEqual({ imported: 2, existing: 0 });
  });

  test('the first of two jobs with the same id is imported', async () => {
    const twice = ['first', 'second'].map((title) => ({ id: 'job1', posting: { title } }));
    expect(await store().importJobs(acme, twice, 100)).toEqual({ imported: 1, existing: 1 });
    expect(await store().findJob(acme, 'job1')).toMatchObject({ posting: { title: 'first' } });
  });

  test('concurrent imports of the same jobs add each job once', async () => {
    const jobs = jobIds(100).map((id) => ({ id, posting: {} }));
    const counts = await Promise.all([1, 2, 3].map((atMs) => store().importJobs(acme, jobs, atMs)));
    expect(counts.reduce((sum, { imported }) => sum + imported, 0)).toBe(100);
    expect(counts.reduce((sum, { existing }) => sum + existing, 0)).toBe(200);
    expect(await store().countJobs(acme)).toBe(100);
  });
}

function jobLifetimeCases(store: () => Store): void {
  test('a claimed job exists until it is removed; then its id is free', async () => {
    await importJobs(store(), acme, ['job1']);
    const deletion = await accept(store(), ['job1']);
    expect((await store().findJob(acme, 'job1'))?.deletionId).toBe(deletion.id);
    await removeAndRecord(store(), partsOf(deletion), 300);
    const again = [{ id: 'job1', posting: { again: true } }];
    expect(await store().importJobs(acme, again, 400)).toEqual({ imported: 1, existing: 0 });
    expect(await store().findJob(acme, 'job1')).toMatchObject({ deletionId: undefined, importedAtMs: 400 });
  });

  test('jobs are counted by account and in total, including claimed ones', async () => {
    expect(await store().countJobs(acme)).toBe(0);
    expect(await store().countJobs(undefined)).toBe(0);
    await importJobs(store(), acme, jobIds(5));
    await importJobs(store(), other, jobIds(3));
    await accept(store(), ['job0001']);
    expect(await store().countJobs(acme)).toBe(5);
    expect(await store().countJobs(other)).toBe(3);
    expect(await store().countJobs(undefined)).toBe(8);
  });

  test('one call imports thousands of jobs, or none', async () => {
    const jobs = jobIds(5_000).map((id) => ({ id, posting: { text: 'x'.repeat(200) } }));
    expect(await store().importJobs(acme, jobs, 1)).toEqual({ imported: 5_000, existing: 0 });
    expect(await store().importJobs(acme, [], 1)).toEqual({ imported: 0, existing: 0 });
    expect(await store().countJobs(acme)).toBe(5_000);
  });
}

function claimedImportCases(store: () => Store): void {
  test('a claimed job that is imported again is a new posting and survives the removal', async () => {
    await importJobs(store(), acme, jobIds(4));
    await importJobs(store(), other, jobIds(4));
    const deletion = await accept(store(), ['job0001', 'job0002']);
    const theirs = await accept(store(), ['job0001'], { accountId: other });
    const posting = { again: true };
    const again = ['job0000', 'job0001', 'job0001', 'new1'].map((id) => ({ id, posting }));
    expect(await store().importJobs(acme, again, 400)).toEqual({ imported: 2, existing: 2 });
    expect(await store().findJob(acme, 'job0001')).toMatchObject({ posting, deletionId: undefined });
    expect((await store().findJob(acme, 'job0002'))?.deletionId).toBe(deletion.id);
    expect((await store().findJob(other, 'job0001'))?.deletionId).toBe(theirs.id);
    expect(await store().countJobs(acme)).toBe(5);

    const answer = await removeAndRecord(store(), partsOf(deletion), 500);
    expect(answer).toMatchObject({ refused: [], removed: 1, parts: [{ deletionId: deletion.id }] });
    expect(await store().findJob(acme, 'job0001')).toMatchObject({ posting, importedAtMs: 400 });
    expect(await store().findJob(acme, 'job0002')).toBeUndefined();
    await removeAndRecord(store(), partsOf(await accept(store(), ['job0001'])), 600);
    expect(await store().findJob(acme, 'job0001')).toBeUndefined();
  });

  test('imports race with acceptances and removals: what an import counts is there', async () => {
    await importJobs(store(), acme, jobIds(40));
    const one = async (id: string) => {
      const [outcome, { imported }] = await Promise.all([
        attempt(store(), [id]),
        store().importJobs(acme, [{ id, posting: { again: true } }], 400),
      ]);
      // Both orders are right, but the only posting can't be new and accepted.
      if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
      await removeAndRecord(store(), partsOf(outcome.deletion), 500);
      return [(await store().findJob(acme, id)) !== undefined, imported === 1];
    };
    // Few at a time: no call waits for a connection.
    for (let first = 0; first < 40; first += 8)
      for (const [isLeft, wasImported] of await Promise.all(jobIds(8, first).map(one)))
        expect(isLeft).toBe(wasImported);
  });
}
