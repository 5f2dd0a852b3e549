import { Fault } from '@jobs-delete/runtime/fault';
import type { AcceptRequest, StoredOutcome, MissingJobs } from '../store.ts';
import type { Collections, DeletionDocument } from './collections.ts';
import { createInsertDeletions, type Insertion } from './insert-deletions.ts';
import { explainRefusals, findHolders, missingOf, type Refused } from './explain-refusals.ts';
import { findJobs, jobsOf, type FoundJobs, type TimedCollections } from './find-jobs.ts';
import { readDeletionDocument } from './read-document.ts';

/**
 * Accepts without a transaction: one query for the jobs of all requests, then one unordered insert of their deletions.
 * Inserting a deletion is atomic: the document is claim, outbox row and audit record at once. The insert fails with a
 * duplicate key if a job is already claimed or an idempotency key is already used.
 */
export function createAcceptDeletions(collections: Collections) {
  const insert = createInsertDeletions(collections);

  return async (requests: readonly AcceptRequest[]): Promise<StoredOutcome[]> => {
    const timed = { ...collections, remainingMs: deadlineOf(requests) };
    const found = await findJobs(requests, timed);
    const candidates = requests.map((request) => ({ request, document: toDocument(request, found, timed) }));
    const insertions = await insert(candidates.filter(isComplete), timed.remainingMs);
    const positions = new Map(requests.map(({ deletionId }, index) => [deletionId, index]));
    const refused = candidates.flatMap(({ request, document }, index): Refused[] => {
      const isProven = insertions.get(request.deletionId) === 'duplicate';
      if (document !== 'job-missing' && !isProven) return [];
      return [{ request, isProven, isLater: (id) => (positions.get(id) ?? -1) > index }];
    });
    const explain = once(() => explainRefusals(refused, found, timed));
    return candidates.map(({ request, document }): StoredOutcome => {
      if (document instanceof Fault) return deferred(() => Promise.reject(document));
      const insertion = insertions.get(request.deletionId);
      if (insertion === 'late') return deferred(() => Promise.reject(tooLate()));
      if (insertion === 'inserted' && document !== 'job-missing')
        return { kind: 'accepted', deletion: readDeletionDocument(document) };
      return deferred(async () => outcomeFor(request, await explain()));
    });
  };
}

/** Returns which jobs acceptDeletions would refuse now. @throws Fault */
export async function findMissingJobs(
  accountId: string,
  jobIds: readonly string[],
  collections: Collections,
): Promise<MissingJobs> {
  const wanted = { accountId, jobIds };
  const timed = { ...collections, remainingMs: () => defaultTimeoutMs };
  const found = await findJobs([wanted], timed);
  const jobs = jobsOf(wanted, found);
  if (jobs.some(({ claim }) => claim === undefined)) throw unclaimable();
  return missingOf(wanted, found, await findHolders(accountId, jobs, timed));
}

const defaultTimeoutMs = 9_000;

/** Uses the latest deadline of the group: callers with earlier ones have stopped waiting. */
function deadlineOf(requests: readonly AcceptRequest[]): () => number {
  const deadlines = requests.map(({ deadlineMs }) => deadlineMs ?? Date.now() + defaultTimeoutMs);
  const deadlineMs = Math.max(...deadlines);
  return () => Math.max(1, Math.floor(deadlineMs - Date.now()));
}

interface Candidate {
  readonly request: AcceptRequest;
  readonly document: DeletionDocument | 'job-missing' | Fault;
}

function isComplete(candidate: Candidate): candidate is Insertion {
  return candidate.document !== 'job-missing' && !(candidate.document instanceof Fault);
}

function toDocument(
  request: AcceptRequest,
  found: FoundJobs,
  { mapping }: TimedCollections,
): Candidate['document'] {
  const jobs = jobsOf(request, found);
  const claims = jobs.flatMap(({ claim }) => claim ?? []);
  if (claims.length < jobs.length) return unclaimable();
  if (claims.length < request.jobIds.length) return 'job-missing';
  return {
    _id: request.deletionId,
    account_id: request.accountId,
    job_ids: [...request.jobIds],
    job_count: request.jobIds.length,
    claims,
    jobs_collection: mapping.collection,
    ...(mapping.versionField !== undefined && {
      versions: { field: mapping.versionField, values: jobs.map(({ version }) => version ?? null) },
    }),
    state: 'accepted',
    accepted_at: new Date(request.acceptedAtMs),
    due_at: new Date(request.dueAtMs),
    publications: 0,
    removed_parts: [],
    ...(request.idempotencyKey !== undefined && { idempotency_key: request.idempotencyKey }),
    origin: request.origin,
  };
}

function outcomeFor({ deletionId }: AcceptRequest, outcomes: Awaited<ReturnType<typeof explainRefusals>>) {
  const outcome = outcomes.get(deletionId);
  if (outcome === undefined) throw new Fault('internal', 'a refused request has no reason');
  if (outcome instanceof Fault) throw outcome;
  return outcome;
}

function deferred(outcome: Extract<StoredOutcome, { kind: 'deferred' }>['outcome']): StoredOutcome {
  return { kind: 'deferred', outcome };
}

function once<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= call());
}

function unclaimable(): Fault {
  return new Fault('internal', 'MongoDB: a job has an _id that is not an ObjectId');
}

function tooLate(): Fault {
  return new Fault('unavailable', 'the store was not free before the deadline');
}
