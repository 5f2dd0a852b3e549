import { sumOf } from '@jobs-delete/runtime/batching/groups';
import { ifAvailable } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import { inTime } from '../web/late-value.ts';
import type { MemberVisit } from '../web/route.ts';
import { readPage } from '../trail/read-trail.ts';
import { dayMs, dayOf } from '../web/time.tsx';

/** When a limit began less than 24 hours ago: the jobs that were deleted before do not count against it. */
export interface LimitStart {
  readonly atMs: number;
  /** Those of the 24 hours. At least 1. Undefined: they are not counted in time. */
  readonly uncountedJobs: number | undefined;
}

interface Needed {
  readonly accounts: Pick<Services['accounts'], 'listActions'>;
  readonly deleter: Pick<Services['deleter'], 'countDeletions'>;
}

/** Resolves to undefined if every job of the last 24 hours counts. */
export async function findLimitStart(
  { accounts, deleter }: Needed,
  visit: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<LimitStart | undefined> {
  const range = await findUnlimited({ accounts }, visit);
  if (range === undefined) return undefined;
  const counts = await ifAvailable(inTime(deleter.countDeletions({ accountId: visit.accountId, ...range })));
  const uncountedJobs = counts && sumOf(counts.days, 'jobsAccepted');
  return uncountedJobs === 0 ? undefined : { atMs: range.toMs, uncountedJobs };
}

/**
 * Resolves to the part of the last 24 hours that had no limit, if one holds now: its deletions do not count. The trail tells
 * when an owner has set the limit.
 */
export async function findUnlimited(
  { accounts }: Pick<Needed, 'accounts'>,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<{ readonly fromMs: number; readonly toMs: number } | undefined> {
  const dayAgoMs = nowMs - dayMs;
  const days = { from: dayOf(dayAgoMs), to: '' };
  const { entries } = await readPage(accounts, accountId, { ...days, action: 'limit.changed' }, undefined);
  const changes = entries.filter(({ atMs }) => atMs >= dayAgoMs);
  const index = changes.findIndex(({ subject }) => subject?.startsWith('off → '));
  const toMs = changes[index]?.atMs;
  const ended = changes.slice(index + 1).find(({ subject }) => subject?.endsWith(' → off'));
  const fromMs = ended?.atMs ?? dayAgoMs;
  return toMs === undefined || toMs <= fromMs ? undefined : { fromMs, toMs };
}
