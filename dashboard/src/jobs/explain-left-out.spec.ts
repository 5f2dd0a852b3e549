import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeletionsPage, Job } from '../deleter/deleter-calls.ts';
import type { Deletion, DeletionRequest } from '../deleter/deletion.ts';
import { partOf } from '../testing/part-of.ts';
import { explainLeftOut } from './explain-left-out.ts';

const free: Job = { importedAtMs: 1, deletionId: undefined };
const claimed: Job = { importedAtMs: 1, deletionId: 'd' };

interface Account {
  readonly jobs?: Readonly<Record<string, Job | 'away'>>;
  /** The newest first. */
  readonly deletions?: readonly Partial<Deletion>[];
  /** In no list, but a search for one of their ids finds them. */
  readonly older?: readonly Partial<Deletion>[] | undefined;
}

/** Explains the ids to an account. `calls` has the number of calls of each method. */
async function explain(ids: readonly string[], { jobs = {}, deletions = [], older }: Account) {
  const calls = { getJob: 0, getDeletion: 0, listDeletions: 0, deleteJobs: 0 };
  const count = <Value>(name: keyof typeof calls, value: Value) => {
    calls[name] += 1;
    return Promise.resolve(value);
  };
  const complete = (each: Partial<Deletion>) =>
    partOf<Deletion>({ accountId: 'acme', keptJobCount: 0, jobCount: each.jobIds?.length ?? 0, ...each });
  const getJob = (_: string, id: string) => {
    const job = jobs[id];
    return job === 'away' ? Promise.reject(new Fault('unavailable', 'away')) : count('getJob', job);
  };
  const listDeletions = ({ jobId }: { readonly jobId?: string | undefined }) => {
    const naming = older?.filter(({ jobIds }) => jobIds?.includes(jobId ?? '')) ?? [];
    const listed = (jobId === undefined ? deletions : naming).map(complete);
    const nextPageToken = jobId === undefined && older !== undefined ? 'next' : undefined;
    return count('listDeletions', partOf<DeletionsPage>({ deletions: listed, nextPageToken }));
  };
  const getDeletion = (_: string, id: string) => {
    const found = [...deletions, ...(older ?? [])].find((each) => each.id === id);
    return count('getDeletion', found && complete(found));
  };
  const deleteJobs = ({ jobIds }: DeletionRequest) => {
    const isFree = (id: string | undefined) => id !== undefined && jobs[id] === free;
    const positions = [...jobIds.keys()].filter((each) => !isFree(jobIds[each]));
    return count('deleteJobs', { kind: 'jobs-not-found' as const, positions });
  };
  const deleter = { getJob, listDeletions, getDeletion, deleteJobs };
  return { leftOut: await explainLeftOut(deleter, 'acme', ids), calls };
}

test.each([
  ['another deletion has', { jobs: { Aa01: claimed }, older: [] }, 'removing'],
  ['a waiting deletion has', { deletions: [{ id: 'd', state: 'waiting', jobIds: ['Aa01'] }] }, 'removing'],
  ['a deletion is removing', { deletions: [{ id: 'd', state: 'published', jobIds: ['Aa01'] }] }, 'removing'],
  [
    'a deletion removes that has kept another',
    { deletions: [{ id: 'd', state: 'published', keptJobCount: 1, jobIds: ['Aa01'] }] },
    'removing',
  ],
  ['a deletion has removed', { deletions: [{ id: 'd', state: 'completed', jobIds: ['Aa01'] }] }, 'deleted'],
  ['an old one has removed', { older: [{ id: 'd', state: 'completed', jobIds: ['Aa01'] }] }, 'deleted'],
] as const)('a job that %s leads to it', async (_, account, why) => {
  const { leftOut } = await explain(['Aa01'], account);
  expect(leftOut).toEqual([{ id: 'Aa01', why, deletionId: 'd' }]);
});

test.each([
  ['has capitals', { jobs: { AA01: free } }, { why: 'otherCapitals', spelling: 'AA01' }],
  ['has no capitals', { jobs: { aa01: free } }, { why: 'otherCapitals', spelling: 'aa01' }],
  ['is claimed in capitals', { jobs: { AA01: claimed } }, { why: 'absent' }],
  ['is unknown', {}, { why: 'absent' }],
  ['is unknown among many', { older: [] }, { why: 'absent' }],
  ['has come meanwhile', { jobs: { Aa01: free }, older: [] }, { why: 'unexplained' }],
  ['a cancelled deletion names', { deletions: [{ id: 'd', state: 'cancelled' }] }, { why: 'absent' }],
] as const)('a job that %s', async (_, account, why) => {
  const deletions = 'deletions' in account ? [{ ...account.deletions[0], jobIds: ['Aa01'] }] : [];
  const { leftOut } = await explain(['Aa01'], { ...account, deletions });
  expect(leftOut).toEqual([{ id: 'Aa01', ...why }]);
});

test('the newest deletion with an id is named', async () => {
  const named = (id: string, state: Deletion['state']) => ({ id, state, jobIds: ['1234'] });
  const deletions = [named('c', 'cancelled'), named('b', 'waiting'), named('a', 'completed')];
  const { leftOut } = await explain(['1234'], { deletions });
  expect(leftOut).toEqual([{ id: '1234', why: 'removing', deletionId: 'b' }]);
});

const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `x${String(first + index)}`);

test('10,000 ids are told apart in few calls', async () => {
  const ids = idsFrom(10_000, 10_000);
  const deletions = [{ id: 'd', state: 'completed' as const, jobIds: ids.slice(0, 4_000) }];
  const { leftOut, calls } = await explain(ids, { deletions, jobs: { X19999: free } });
  const sums = new Map<string, number>();
  for (const { why } of leftOut) sums.set(why, (sums.get(why) ?? 0) + 1);
  expect(Object.fromEntries(sums)).toEqual({ deleted: 4_000, absent: 5_999, otherCapitals: 1 });
  expect(calls).toEqual({ getJob: 0, getDeletion: 1, listDeletions: 1, deleteJobs: 1 });
});

test('of an account with more deletions than are listed, 200 of the other ids are looked up', async () => {
  const ids = idsFrom(10_000, 2_000);
  const older = [{ id: 'd', state: 'completed' as const, jobIds: [...ids.slice(0, 10), 'x11999'] }];
  const { leftOut, calls } = await explain(ids, { older });
  const whys = leftOut.map(({ why }) => why);
  expect(whys.filter((why) => why === 'deleted')).toHaveLength(11);
  expect(whys[1_999]).toBe('deleted');
  expect(whys.filter((why) => why === 'absent')).toHaveLength(190);
  expect(whys.filter((why) => why === 'unexplained')).toHaveLength(1_799);
  expect(calls).toEqual({ getJob: 200, getDeletion: 1, listDeletions: 21, deleteJobs: 1 });
});

test('with more deletions than are read, all ids have a reason if those that wait are read', async () => {
  const completed = Array.from({ length: 150 }, (_, index) => ({
    id: `d${String(index)}`,
    state: 'completed' as const,
    jobIds: [`x${String(10_000 + index)}`],
  }));
  const waiting = { id: 'w', state: 'waiting' as const, jobIds: ['x11000'] };
  const ids = idsFrom(10_000, 2_000);
  const { leftOut, calls } = await explain(ids, { deletions: [...completed, waiting] });
  const whys = leftOut.map(({ why }) => why);
  expect([whys[48], whys[49], whys[1_000], whys[1_999]]).toEqual(['deleted', 'absent', 'removing', 'absent']);
  expect(whys).not.toContain('unexplained');
  expect([calls.getJob, calls.getDeletion]).toEqual([0, 50]);
});

test('an id without an answer leaves the others their reasons', async () => {
  const { leftOut } = await explain(['AAAA', 'BBBB'], { jobs: { AAAA: 'away', BBBB: claimed }, older: [] });
  expect(leftOut).toEqual([
    { id: 'AAAA', why: 'unexplained' },
    { id: 'BBBB', why: 'removing', deletionId: 'd' },
  ]);
});
