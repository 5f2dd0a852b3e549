import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeletionsPage, Job } from '../deleter/deleter-calls.ts';
import type { Deletion, DeletionState } from '../deleter/deletion.ts';
import { partOf } from '../testing/part-of.ts';
import { shownIds } from './id-list.tsx';
import { explainLeftOut } from './left-out.tsx';

const free: Job = { importedAtMs: 1, deletionId: undefined };
const claimed: Job = { importedAtMs: 1, deletionId: 'd' };

/**
 * Explains the ids to an account with these jobs. `asked` are the ids that the api was asked for. `named` is the state of a
 * deletion with each of the ids.
 */
async function explain(
  jobs: Readonly<Record<string, Job | 'away'>>,
  ids: readonly string[],
  named?: DeletionState,
) {
  const asked: string[] = [];
  const getJob = (_: string, id: string) => {
    asked.push(id);
    const job = jobs[id];
    return job === 'away' ? Promise.reject(new Fault('unavailable', 'away')) : Promise.resolve(job);
  };
  const deletions = named === undefined ? [] : [partOf<Deletion>({ id: 'e', state: named, keptJobCount: 0 })];
  const listDeletions = () => Promise.resolve(partOf<DeletionsPage>({ deletions }));
  return { leftOut: await explainLeftOut({ getJob, listDeletions }, 'acme', ids), asked };
}

test.each([
  ['another deletion has', { Aa01: claimed, AA01: free }, { why: 'removing', deletionId: 'd' }, ['Aa01']],
  ['has come meanwhile', { Aa01: free, AA01: free }, { why: 'unexplained' }, ['Aa01']],
  ['has capitals', { AA01: free }, { why: 'otherCapitals', spelling: 'AA01' }, ['Aa01', 'AA01']],
  ['has no capitals', { aa01: free }, { why: 'otherCapitals', spelling: 'aa01' }, ['Aa01', 'AA01', 'aa01']],
  ['is claimed in capitals', { AA01: claimed }, { why: 'absent' }, ['Aa01', 'AA01', 'aa01']],
  ['is unknown', {}, { why: 'absent' }, ['Aa01', 'AA01', 'aa01']],
] as const)('a job that %s', async (_, jobs, why, ids) => {
  const { leftOut, asked } = await explain(jobs, ['Aa01']);
  expect(leftOut).toEqual([{ id: 'Aa01', ...why }]);
  expect(asked).toEqual(ids);
});

test('an id that a deletion has removed leads to it, and one of a cancelled deletion does not', async () => {
  const whyOf = async (state: DeletionState) => (await explain({}, ['1234'], state)).leftOut;
  expect(await whyOf('completed')).toEqual([{ id: '1234', why: 'deleted', deletionId: 'e' }]);
  expect(await whyOf('cancelled')).toEqual([{ id: '1234', why: 'absent' }]);
});

test('no spelling is asked for twice', async () => {
  expect((await explain({}, ['1234', 'ABCD'])).asked.sort()).toEqual(['1234', 'ABCD', 'abcd']);
});

test('an id without an answer leaves the others their reasons', async () => {
  const { leftOut } = await explain({ AAAA: 'away', BBBB: claimed }, ['AAAA', 'BBBB']);
  expect(leftOut).toEqual([
    { id: 'AAAA', why: 'unexplained' },
    { id: 'BBBB', why: 'removing', deletionId: 'd' },
  ]);
});

test('ids that no page shows are not asked for', async () => {
  const ids = Array.from({ length: shownIds + 1 }, (_, index) => String(1_000 + index));
  const { leftOut, asked } = await explain({}, ids);
  expect(asked).toEqual(ids.slice(0, shownIds));
  expect(leftOut.map(({ why }) => why)).toEqual([...ids.slice(1).map(() => 'absent'), 'unexplained']);
});
