import { findDeletions } from '../activity/find-deletions.ts';
import type { DeleterCalls, DeletionsPage } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';

/** What became of a job id, and the deletions that name it. */
export interface FoundJob {
  readonly fate: JobFate;
  /** Undefined: the account does not have the job. */
  readonly importedAtMs: number | undefined;
  readonly named: DeletionsPage;
}

export type JobFate =
  /** The account has the job, and no deletion will remove it. */
  | { readonly kind: 'exists' }
  | { readonly kind: 'waiting' | 'removing' | 'deleted'; readonly by: Deletion }
  /** The account does not have it. Deletions name it, and perhaps none of them has removed it. */
  | { readonly kind: 'gone' }
  /** The account does not have it, and none of the examined deletions names it. */
  | { readonly kind: 'unknown' };

const pageSize = 10;

/** Resolves to undefined for an invalid page token. */
export async function findJob(
  deleter: Pick<DeleterCalls, 'getJob' | 'getDeletion' | 'listDeletions'>,
  accountId: string,
  jobId: string,
  pageToken: string | undefined,
): Promise<FoundJob | undefined> {
  // First: a deletion that ends between the two reads is in the list as completed.
  const job = await deleter.getJob(accountId, jobId);
  const [named, holder] = await Promise.all([
    findDeletions(deleter, { accountId, jobId, pageSize, pageToken }),
    job?.deletionId === undefined ? undefined : deleter.getDeletion(accountId, job.deletionId),
  ]);
  if (named === undefined) return undefined;
  const importedAtMs = job?.importedAtMs;
  if (job !== undefined && job.deletionId === undefined)
    return { fate: { kind: 'exists' }, importedAtMs, named };
  const by = holder ?? named.deletions.find(removes);
  return { fate: by === undefined ? withoutRemoval(named) : fateOf(by), importedAtMs, named };
}

/** Returns whether a job is gone because of this deletion. One that has kept a job may have kept this one. */
export function removes({ state, keptJobCount }: Deletion): boolean {
  return state !== 'waiting' && state !== 'cancelled' && keptJobCount === 0;
}

function withoutRemoval({ deletions }: DeletionsPage): JobFate {
  return { kind: deletions.length === 0 ? 'unknown' : 'gone' };
}

function fateOf(by: Deletion): JobFate {
  switch (by.state) {
    case 'waiting':
      return { kind: 'waiting', by };
    case 'accepted':
    case 'published':
      return { kind: 'removing', by };
    case 'completed':
      return { kind: 'deleted', by };
    case 'cancelled':
      return { kind: 'exists' };
  }
}
