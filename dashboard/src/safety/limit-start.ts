import { sumOf } from '@jobs-delete/runtime/batching/groups';
import { ifSoon } from '../deleter/answer-to.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { readPage } from '../trail/read-trail.ts';
import { dayMs, dayOf } from '../web/time.tsx';

/** How a limit that began less than 24 hours ago counts. Jobs that were accepted while there was none do not count. */
export interface LimitStart {
  /** When it began. Undefined: jobs that an earlier limit of the 24 hours counted count too. */
  readonly atMs: number | undefined;
  /** The jobs of the 24 hours that do not count. At least 1. Undefined: they are not counted in time. */
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
  const ranges = await findUnlimited({ accounts }, visit);
  const [first, ...others] = ranges;
  if (first === undefined) return undefined;
  const counts = await ifSoon(
    Promise.all(ranges.map((range) => deleter.countDeletions({ accountId: visit.accountId, ...range }))),
  );
  const uncountedJobs =
    counts &&
    sumOf(
      counts.flatMap(({ days }) => days),
      'jobsAccepted',
    );
  const isOnlyLimit = others.length === 0 && first.fromMs === visit.nowMs - dayMs;
  return uncountedJobs === 0 ? undefined : { atMs: isOnlyLimit ? first.toMs : undefined, uncountedJobs };
}

/**
 * Resolves to the parts of the last 24 hours that had no limit, if one holds now: their deletions do not count. The trail tells
 * what was set. The command line records only the new value.
 */
export async function findUnlimited(
  { accounts }: Pick<Needed, 'accounts'>,
  { accountId, nowMs }: Pick<MemberVisit, 'accountId' | 'nowMs'>,
): Promise<readonly { readonly fromMs: number; readonly toMs: number }[]> {
  const dayAgoMs = nowMs - dayMs;
  const days = { from: dayOf(dayAgoMs), to: '' };
  const { entries } = await readPage(accounts, accountId, { ...days, action: 'limit.changed' }, undefined);
  const changes = entries.filter(({ atMs }) => atMs >= dayAgoMs).toReversed();
  return changes.flatMap(({ subject = '', atMs: toMs }, index) => {
    const before = changes[index - 1];
    const fromMs = before?.atMs ?? dayAgoMs;
    const wasOff = before === undefined ? subject.startsWith('off → ') : before.subject?.endsWith('off');
    return wasOff && toMs > fromMs ? [{ fromMs, toMs }] : [];
  });
}
