import {
  acceptedDeletion,
  missingAmong,
  outcomeOfRecord,
  outcomeOfUsedKey,
} from '@jobs-delete/deleter-service/store/accept-outcomes';
import {
  countCovered,
  noSuchDeletion,
  notBegun,
  rangeInRecord,
} from '@jobs-delete/deleter-service/store/removed-parts';
import type {
  Cancellation,
  AcceptOutcome,
  AcceptRequest,
  DeletionKey,
  LeaseQuery,
  RemovalPart,
  RemovedPart,
} from '@jobs-delete/deleter-service/store/store';
import type { Deletion, DeletionReceipt, RequestOrigin } from '@jobs-delete/deleter-service/store/deletion';
import type { JobPosting } from '@jobs-delete/deleter-service/store/job-store';
import { limitAt } from '@jobs-delete/deleter-service/store/safety-rules';
import { jobKey, type MemoryDatabase, type StoredDeletion } from './memory-database.ts';

/** Decides at one moment, as the unique indexes do. @param found the claims that an earlier find has returned */
export function insert(
  database: MemoryDatabase,
  request: AcceptRequest,
  found: readonly (string | undefined)[],
): AcceptOutcome {
  const { deletionId, accountId, jobIds, dryRun, idempotencyKey, guard } = request;
  if (!dryRun) {
    const record = database.deletions.get(deletionId);
    if (record !== undefined) return outcomeOfRecord(record.deletion, request);
    const used = database.findByKey(accountId, idempotencyKey);
    if (used !== undefined) return outcomeOfUsedKey(used, request);
  }
  const jobs = jobIds.map((id) => database.jobs.get(jobKey(accountId, id)));
  const positions = missingAmong(jobIds, (_, position) => {
    const job = jobs[position];
    return job === undefined || job.claim !== found[position] || job.deletionId !== undefined;
  });
  if (positions.length > 0) return { kind: 'jobs-not-found', positions };
  if (guard !== undefined) {
    const used = usedBy(database, accountId);
    const limit = limitAt(guard, 0, request.acceptedAtMs);
    if (used + jobIds.length > limit) return { kind: 'limit-exceeded', limit, used };
  }
  if (dryRun) return { kind: 'would-be-accepted' };
  const claims = found.map((claim) => claim ?? '');
  const deletion = acceptedDeletion(request, claims);
  const after = { deletion, accepted: claims, dueAtMs: request.dueAtMs, ranges: [] };
  database.write({ table: 'deletions', key: deletionId, after });
  for (const before of jobs)
    if (before !== undefined)
      database.write({ table: 'jobs', key: before.key, before, after: { ...before, deletionId } });
  return { kind: 'accepted', deletion };
}

/** Returns how many jobs the account has deleted. A simulation is shorter than the time of a limit. */
function usedBy({ deletions }: MemoryDatabase, accountId: string): number {
  let used = 0;
  for (const { deletion } of deletions.values())
    if (deletion.accountId === accountId && deletion.state !== 'cancelled') used += deletion.jobIds.length;
  return used;
}

export function lease(
  database: MemoryDatabase,
  query: LeaseQuery,
  accounts: ReadonlySet<string>,
): Deletion[] {
  if (database.due === 0) return [];
  const { nowMs, fromMs, untilMs, maxDeletions, maxJobs, exceptAccounts } = query;
  const isDue = ({ deletion: { accountId }, dueAtMs = Infinity }: StoredDeletion) =>
    dueAtMs <= nowMs && dueAtMs >= fromMs && accounts.has(accountId) && !exceptAccounts.includes(accountId);
  const due = [...database.deletions.values()].filter(isDue);
  due.sort((one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0));
  const leased: Deletion[] = [];
  let sum = 0;
  for (const before of due.slice(0, maxDeletions)) {
    sum += before.deletion.jobIds.length;
    if (leased.length > 0 && sum > maxJobs) break;
    const deletion = begun(before.deletion);
    database.write({
      table: 'deletions',
      key: deletion.id,
      before,
      after: { ...before, deletion, dueAtMs: untilMs },
    });
    leased.push(deletion);
  }
  return leased;
}

export function cancel(
  database: MemoryDatabase,
  key: DeletionKey,
  atMs: number,
  origin: RequestOrigin,
): Cancellation {
  const before = database.deletions.get(key.deletionId);
  if (before?.deletion.accountId !== key.accountId) return { kind: 'not-found' };
  const { deletion } = before;
  if (deletion.state === 'cancelled') return { kind: 'cancelled', receipt: receiptOf(deletion) };
  if (deletion.state !== 'waiting') return { kind: 'not-cancellable' };
  for (const id of deletion.jobIds) {
    const job = database.jobs.get(jobKey(key.accountId, id));
    if (job?.deletionId !== deletion.id) continue;
    const after = { ...job, deletionId: undefined };
    database.write({ table: 'jobs', key: jobKey(key.accountId, id), before: job, after });
  }
  const state = 'cancelled' as const;
  const cancelled = { ...deletion, state, claims: [], cancelledAtMs: atMs, cancelOrigin: origin };
  database.write({
    table: 'deletions',
    key: deletion.id,
    before,
    after: { ...before, deletion: cancelled, dueAtMs: atMs },
  });
  return { kind: 'cancelled', receipt: receiptOf(cancelled) };
}

/** Returns the reason if the part is refused. */
export function removePart(
  database: MemoryDatabase,
  part: RemovalPart,
): string | { jobs: number; part: RemovedPart } {
  const { deletionId, accountId } = part;
  const stored = database.deletions.get(deletionId);
  if (stored?.deletion.accountId !== accountId) return noSuchDeletion;
  const { state } = stored.deletion;
  if (state === 'waiting' || state === 'cancelled') return notBegun[state];
  const range = rangeInRecord(stored.accepted, part);
  if (range === undefined) return noSuchDeletion;
  let jobs = 0;
  for (const claim of part.claims) {
    const before = database.findByClaim(accountId, claim);
    if (before === undefined) continue;
    database.write({ table: 'jobs', key: before.key, before });
    jobs += 1;
  }
  return { jobs, part: { deletionId, accountId, ...range, claimCount: stored.accepted.length } };
}

export function recordPart(
  before: StoredDeletion,
  part: RemovedPart,
  atMs: number,
): StoredDeletion | undefined {
  const { deletion } = before;
  if (deletion.accountId !== part.accountId || !isOpen(deletion)) return undefined;
  const ranges = [...before.ranges, { from: part.from, to: part.to }];
  if (countCovered(ranges, part.claimCount) < part.claimCount) return { ...before, ranges };
  const publications = Math.max(1, deletion.publications);
  const completed = { ...deletion, state: 'completed' as const, completedAtMs: atMs, publications };
  return { ...before, deletion: completed, dueAtMs: undefined, ranges };
}

/** Returns whether the posting is new. A claimed job is replaced. */
export function importJob(
  database: MemoryDatabase,
  accountId: string,
  { id, posting }: JobPosting,
  atMs: number,
): boolean {
  const key = jobKey(accountId, id);
  const before = database.jobs.get(key);
  if (before !== undefined && before.deletionId === undefined) return false;
  if (before !== undefined) database.write({ table: 'jobs', key, before });
  const after = {
    key,
    accountId,
    id,
    claim: database.nextClaim(),
    posting,
    importedAtMs: atMs,
    deletionId: undefined,
  };
  database.write({ table: 'jobs', key, after });
  return true;
}

/** The lease of a relay ends the wait. */
export function begun(deletion: Deletion): Deletion {
  return deletion.state === 'waiting' ? { ...deletion, state: 'accepted' } : deletion;
}

export function isOpen({ state }: Deletion): boolean {
  return state === 'accepted' || state === 'published';
}

export function receiptOf(deletion: Deletion): DeletionReceipt;
export function receiptOf(deletion: Deletion | undefined): DeletionReceipt | undefined;
export function receiptOf(deletion: Deletion | undefined): DeletionReceipt | undefined {
  if (deletion === undefined) return undefined;
  const receipt: Partial<Deletion> & DeletionReceipt = { ...deletion, jobCount: deletion.jobIds.length };
  delete (receipt as { jobIds?: unknown }).jobIds;
  delete (receipt as { claims?: unknown }).claims;
  return receipt;
}
