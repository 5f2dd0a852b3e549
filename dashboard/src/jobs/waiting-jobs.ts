import { sumOf } from '@jobs-delete/runtime/batching/groups';
import type { DayCounter } from '../activity/chart-days.ts';
import { findDeletions } from '../activity/find-deletions.ts';
import type { DeleterCalls, JobsPage, StateCounts } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { inState, shownDays } from '../overview/figures.tsx';
import type { MemberVisit } from '../web/route.ts';
import { firstDayOf } from '../web/time.tsx';

/** The most jobs of a page. */
export const pageSize = 50;
/** The ids of each are a call. */
const maxDeletions = 25;
/** A deletion waits for at most 30 days, so these days have all. */
export const waitingDays = shownDays + 1;

/** Resolves to the number of waiting deletions and of their jobs. */
export async function countWaiting(
  { dayCounter }: { readonly dayCounter: DayCounter },
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<Pick<StateCounts, 'deletions' | 'jobs'>> {
  const firstMs = firstDayOf(nowMs, waitingDays);
  const { days } = await dayCounter.count({ accountId, firstMs, days: waitingDays });
  const waiting = inState(days, 'waiting');
  return { deletions: sumOf(waiting, 'deletions'), jobs: sumOf(waiting, 'jobs') };
}

export interface WaitingJobs extends JobsPage {
  /** The deletion of each job. */
  readonly deletions: ReadonlyMap<string, Deletion>;
}

/** Returns whether a text can be the `next` of a page: a page token, and the deletion and its job to begin with. */
export function isWaitingPlace(text: string): boolean {
  return /^[\w-]*(?:\.[\da-f-]{36}\.\d{1,5})?$/.test(text);
}

/** Lists the jobs of waiting deletions, the newest deletion first. Resolves to undefined for an invalid page token. */
export async function findWaitingJobs(
  deleter: Pick<DeleterCalls, 'listDeletions' | 'getDeletion'>,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
  after: string,
): Promise<WaitingJobs | undefined> {
  const [pageToken = '', firstId, firstJob = '0'] = after.split('.');
  const listed = await findDeletions(deleter, {
    accountId,
    state: 'waiting',
    acceptedFromMs: firstDayOf(nowMs, waitingDays),
    pageSize: maxDeletions,
    pageToken: pageToken || undefined,
  });
  if (listed === undefined) return undefined;
  // One that was cancelled since is not listed: then this page begins with the first deletion.
  const first = listed.deletions.findIndex(({ id }) => id === firstId);
  const skipped = first < 0 ? 0 : Number(firstJob);
  const deletions = listed.deletions.slice(Math.max(0, first));
  let missing = skipped + pageSize;
  const end = deletions.findIndex(({ jobCount }) => (missing -= jobCount) <= 0) + 1 || deletions.length;
  const read = await Promise.all(
    deletions.slice(0, end).map(({ id }) => deleter.getDeletion(accountId, id, { includeJobIds: true })),
  );
  const jobs = read.flatMap((deletion, position) =>
    (deletion?.state === 'waiting' ? (deletion.jobIds ?? []) : [])
      .map((jobId, index) => ({ jobId, deletion, index }))
      .slice(position === 0 ? skipped : 0),
  );
  const nextJob = jobs[pageSize] ?? { deletion: deletions[end], index: 0 };
  const shown = jobs.slice(0, pageSize);
  return {
    jobIds: shown.map(({ jobId }) => jobId),
    deletions: new Map(shown.flatMap(({ jobId, deletion }) => (deletion ? [[jobId, deletion]] : []))),
    next:
      nextJob.deletion === undefined
        ? listed.nextPageToken
        : `${pageToken}.${nextJob.deletion.id}.${String(nextJob.index)}`,
  };
}
