import type { DeletionState } from '../deletion.ts';
import type { CountDeletionsQuery, DeletionCounts } from '../store.ts';
import { byAccepted, type Collections } from './collections.ts';

/** The server stops a count that takes longer. */
const maxTimeMS = 5_000;

interface StateCounts {
  readonly _id: DeletionState;
  readonly deletions: number;
  readonly jobs: number;
  readonly kept: number;
}

/** Groups by a plain field: an expression for each deletion would double the time of the server. */
export async function countDeletions(
  { accountId, fromMs, toMs }: CountDeletionsQuery,
  { deletions }: Collections,
): Promise<DeletionCounts> {
  const inRange = { account_id: accountId, accepted_at: { $gte: new Date(fromMs), $lt: new Date(toMs) } };
  const sums = { deletions: { $sum: 1 }, jobs: { $sum: '$job_count' }, kept: { $sum: '$kept_count' } };
  const states = await deletions
    .aggregate<StateCounts>([{ $match: inRange }, { $group: { _id: '$state', ...sums } }], {
      ...byAccepted,
      maxTimeMS,
    })
    .toArray();
  const completed = states.find(({ _id }) => _id === 'completed');
  return {
    deletions: states.reduce((sum, state) => sum + state.deletions, 0),
    completed: completed?.deletions ?? 0,
    jobsAccepted: states.reduce((sum, { jobs }) => sum + jobs, 0),
    jobsRemoved: completed === undefined ? 0 : completed.jobs - completed.kept,
  };
}
