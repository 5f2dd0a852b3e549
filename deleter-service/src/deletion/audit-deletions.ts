import { deletionAcceptedTopic, maxJobsPerEvent } from '@jobs-delete/proto/events';
import type { EventLog } from '../event-log/event-log.ts';
import type { CompletedDeletion, OpenDeletion, Store } from '../store/store.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import { markAllPublished } from './record-publications.ts';
import { maxJobsPerPublication } from './relay-outbox.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/groups';

export interface AuditOptions {
  readonly store: Pick<
    Store,
    'openDeletions' | 'completedDeletions' | 'leaseOpen' | 'markPublished' | 'endCancelled'
  >;
  readonly eventLog: Pick<EventLog, 'listDeadLetters' | 'publish'>;
  readonly now: () => number;
  /** A deletion that was accepted longer ago must be completed. */
  readonly olderThanMs: number;
  /** Deletions that were completed longer ago are not checked. */
  readonly sinceMs: number;
  readonly maxDeadLetters: number;
  /** If true, the audit publishes stuck deletions again. Otherwise it writes nothing. */
  readonly repair: boolean;
  readonly onFinding: (finding: AuditFinding) => void;
}

/** A broken guarantee. */
export interface AuditFinding {
  readonly kind: FindingKind;
  /** Missing for a dead letter. */
  readonly deletionId?: string;
  readonly accountId?: string;
  readonly deadLetterId?: string;
  readonly message: string;
  readonly republished: boolean;
}

/**
 * - `not_published`: the lease or the delay is over, or the deletion is cancelled, and no relay has taken it.
 * - `not_completed`: the deletion is open for too long.
 * - `jobs_left`: the deletion is completed, but jobs that it has claimed still exist.
 * - `record_incomplete`: the deletion is completed, but its record lacks jobs or parts.
 * - `dead_letter`: an event could not be processed, and nobody has replayed or discarded it.
 */
export type FindingKind =
  'not_published' | 'not_completed' | 'jobs_left' | 'record_incomplete' | 'dead_letter';

export interface Audited {
  /** The number of checked deletions. */
  readonly openDeletions: number;
  readonly completedDeletions: number;
}

/** Relays take a due deletion within a second. One that is due for this long has no relay. */
const unpublishedAfterMs = 60_000;
/** The time that a repair has for one publication. */
const leaseMs = 30_000;

/**
 * Compares open and recently completed deletions with the jobs, and reports dead letters. The cost depends on these, not
 * on the size of the database. May run while the services work: a concurrent change is reported in its old or new state.
 */
export async function auditDeletions(options: AuditOptions): Promise<Audited> {
  const startedAtMs = options.now();
  const openDeletions = await auditOpen(options, startedAtMs);
  const completedDeletions = await auditCompleted(options, startedAtMs);
  await auditDeadLetters(options);
  return { openDeletions, completedDeletions };
}

async function auditOpen(options: AuditOptions, startedAtMs: number): Promise<number> {
  const { store, olderThanMs, repair, onFinding } = options;
  let looked = 0;
  const acceptedBeforeMs = startedAtMs - Math.min(olderThanMs, unpublishedAfterMs);
  for await (const page of store.openDeletions(acceptedBeforeMs)) {
    looked += page.length;
    const findings = page.flatMap((deletion) => {
      const kind = stuckAs(deletion, startedAtMs, olderThanMs);
      return kind === undefined ? [] : [{ deletion, kind }];
    });
    const republished = repair
      ? await publishAgain(
          findings.map(({ deletion }) => deletion),
          options,
        )
      : new Set<string>();
    for (const { deletion, kind } of findings)
      onFinding({
        kind,
        deletionId: deletion.id,
        accountId: deletion.accountId,
        message: describeStuck(deletion),
        republished: republished.has(deletion.id),
      });
  }
  return looked;
}

function stuckAs(
  { state, acceptedAtMs, removalAtMs = acceptedAtMs, publishedAtMs = 0, dueAtMs }: OpenDeletion,
  startedAtMs: number,
  olderThanMs: number,
): FindingKind | undefined {
  // Published during this audit, for example by the audit itself, whose publications appear again on a later page.
  if (publishedAtMs >= startedAtMs) return undefined;
  if (state !== 'published' && dueAtMs < startedAtMs - unpublishedAfterMs) return 'not_published';
  if (state === 'waiting' || state === 'cancelled') return undefined;
  return removalAtMs < startedAtMs - olderThanMs ? 'not_completed' : undefined;
}

/**
 * Publishes stuck deletions, due or not: after several publications a deletion is not due for hours. Publishing twice is
 * harmless. Leases them first, so that none can be cancelled after its publication.
 * @returns the ids of the published deletions, without those that ended meanwhile or whose shard does not answer
 */
async function publishAgain(
  stuck: readonly OpenDeletion[],
  { store, eventLog, now }: AuditOptions,
): Promise<ReadonlySet<string>> {
  const republished = new Set<string>();
  for (const some of splitByWeight(stuck, ({ jobCount }) => jobCount, maxJobsPerPublication)) {
    const leasedUntilMs = now() + leaseMs;
    const keys = some.map(({ id, accountId }) => ({ deletionId: id, accountId }));
    const open = await store.leaseOpen(keys, leasedUntilMs);
    const deletions = open.map((deletion) => ({ ...deletion, leasedUntilMs }));
    await eventLog.publish(deletionAcceptedTopic, deletions.flatMap(toDeletionAcceptedEvents));
    await markAllPublished(deletions, now(), store);
    for (const { id } of deletions) republished.add(id);
  }
  return republished;
}

async function auditCompleted(options: AuditOptions, startedAtMs: number): Promise<number> {
  const { store, sinceMs, onFinding } = options;
  let looked = 0;
  for await (const page of store.completedDeletions(startedAtMs - sinceMs, startedAtMs)) {
    looked += page.length;
    for (const deletion of page) {
      const { id: deletionId, accountId, jobsLeft } = deletion;
      const found = { deletionId, accountId, republished: false };
      const at = `completed at ${timeOf(deletion.completedAtMs)}`;
      const missing = missingOf(deletion);
      if (jobsLeft > 0)
        onFinding({
          ...found,
          kind: 'jobs_left',
          message: `${at}, and ${String(jobsLeft)} of its jobs are there`,
        });
      if (missing !== undefined)
        onFinding({ ...found, kind: 'record_incomplete', message: `${at}, ${missing}` });
    }
  }
  return looked;
}

function missingOf({ jobCount, recordedJobs, coveredJobs }: CompletedDeletion): string | undefined {
  if (recordedJobs < jobCount) return `with ${String(recordedJobs)} of ${String(jobCount)} jobs on record`;
  if (jobCount > maxJobsPerEvent && coveredJobs < jobCount)
    return `with the removal of ${String(coveredJobs)} of ${String(jobCount)} jobs on record`;
  return undefined;
}

async function auditDeadLetters({ eventLog, maxDeadLetters, onFinding }: AuditOptions): Promise<void> {
  for (const { id, failedAtMs, reason } of await eventLog.listDeadLetters(maxDeadLetters))
    onFinding({
      kind: 'dead_letter',
      deadLetterId: id,
      message: `given up at ${timeOf(failedAtMs)}: ${reason}`,
      republished: false,
    });
}

function describeStuck({ state, acceptedAtMs, publishedAtMs, jobCount }: OpenDeletion): string {
  if (state === 'cancelled')
    return `accepted at ${timeOf(acceptedAtMs)}, cancelled: its event is not published`;
  const published = publishedAtMs === undefined ? 'never published' : `published at ${timeOf(publishedAtMs)}`;
  const jobs = jobCount === 1 ? '1 job' : `${String(jobCount)} jobs`;
  return `accepted at ${timeOf(acceptedAtMs)}, ${published}: ${jobs} to be removed`;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
