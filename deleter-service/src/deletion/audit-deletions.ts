import { deletionAcceptedTopic, maxJobsPerEvent } from '@jobs-delete/proto/events';
import type { EventLog } from '../event-log/event-log.ts';
import type {
  AuditStore,
  CompletedDeletion,
  OpenDeletion,
  OutboxStore,
  ReceiptStore,
} from '../store/store.ts';
import { toDeletionAcceptedEvents } from './deletion-event.ts';
import type { Deletion } from '../store/deletion.ts';
import { markAllPublished } from './record-publications.ts';
import { maxJobsPerPublication } from './relay-outbox.ts';
import { splitByWeight } from '@jobs-delete/runtime/batching/split-by-weight';

export interface AuditOptions {
  readonly store: AuditStore & Pick<OutboxStore, 'markPublished'> & Pick<ReceiptStore, 'findDeletion'>;
  readonly eventLog: Pick<EventLog, 'listDeadLetters' | 'publish'>;
  readonly now: () => number;
  /** A deletion that was accepted longer ago has to be completed. */
  readonly olderThanMs: number;
  /** What was completed longer ago is not looked at again. */
  readonly sinceMs: number;
  readonly maxDeadLetters: number;
  /** Publishes again what is stuck; nothing is written otherwise. */
  readonly repair: boolean;
  readonly onFinding: (finding: AuditFinding) => void;
}

/** Where a guarantee does not hold. */
export interface AuditFinding {
  readonly kind: FindingKind;
  /** Absent in a dead letter. */
  readonly deletionId?: string;
  readonly accountId?: string;
  readonly deadLetterId?: string;
  readonly message: string;
  /** Its events are on the log again, for the workers to complete it. */
  readonly republished: boolean;
}

/**
 * - `not_published`: its lease is over, and no relay has taken it.
 * - `not_completed`: its jobs are to be removed for too long.
 * - `jobs_left`: it is completed, and jobs that it has claimed are there.
 * - `record_incomplete`: it is completed with fewer jobs or parts on record than it has.
 * - `dead_letter`: an event was given up, and nobody has replayed or discarded it.
 */
export type FindingKind =
  'not_published' | 'not_completed' | 'jobs_left' | 'record_incomplete' | 'dead_letter';

export interface Audited {
  /** Of an age to be looked at. */
  readonly openDeletions: number;
  readonly completedDeletions: number;
}

/** Relays take what is due within a second; what is due for this long has none. */
const unpublishedAfterMs = 60_000;

/**
 * Compares what is open, and what was completed lately, with the jobs and the dead letters: at the cost of these, not of
 * all that ever was. It may run beside everything else: what changes meanwhile is shown as it was or as it is.
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
        ...{ kind, deletionId: deletion.id, accountId: deletion.accountId },
        message: describeStuck(deletion),
        republished: republished.has(deletion.id),
      });
  }
  return looked;
}

function stuckAs(
  { state, acceptedAtMs, publishedAtMs = 0, dueAtMs }: OpenDeletion,
  startedAtMs: number,
  olderThanMs: number,
): FindingKind | undefined {
  // Somebody is at it, such as this audit: one that is published moves on in the order in which they come.
  if (publishedAtMs >= startedAtMs) return undefined;
  if (state === 'accepted' && dueAtMs < startedAtMs - unpublishedAfterMs) return 'not_published';
  return acceptedAtMs < startedAtMs - olderThanMs ? 'not_completed' : undefined;
}

/**
 * Whether they are due or not: one that was published often is not due for hours. Like a relay, without a fence: what is
 * published twice is removed once.
 * @returns the ids of those that are not completed meanwhile
 */
async function publishAgain(
  stuck: readonly OpenDeletion[],
  { store, eventLog, now }: AuditOptions,
): Promise<ReadonlySet<string>> {
  const republished = new Set<string>();
  for (const some of splitByWeight(stuck, ({ jobCount }) => jobCount, maxJobsPerPublication)) {
    const deletions: Deletion[] = [];
    for (const { id, accountId } of some) {
      const deletion = await store.findDeletion(id, accountId);
      if (deletion !== undefined && deletion.state !== 'completed') deletions.push(deletion);
    }
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

function describeStuck({ acceptedAtMs, publishedAtMs, jobCount }: OpenDeletion): string {
  const published = publishedAtMs === undefined ? 'never published' : `published at ${timeOf(publishedAtMs)}`;
  const jobs = jobCount === 1 ? '1 job' : `${String(jobCount)} jobs`;
  return `accepted at ${timeOf(acceptedAtMs)}, ${published}: ${jobs} to be removed`;
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
