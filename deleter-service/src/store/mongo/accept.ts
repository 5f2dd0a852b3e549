import { createFairSemaphore } from '@jobs-delete/runtime/batching/permits';
import { asFault, Fault } from '@jobs-delete/runtime/fault';
import { duplicateKey, mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { withTimeLimit, type Clock } from '@jobs-delete/runtime/time/clock';
import { largeRequestJobs } from '@jobs-delete/proto/ids';
import { mongo } from 'mongoose';
import type { AcceptRequest, DeletionStore } from '../store.ts';
import {
  readDeletionDocument,
  type Collections,
  type DeletionDocument,
  type TimedCollections,
} from './collections.ts';
import { findJobs, jobsOf, type FoundJob } from './find-jobs.ts';
import type { GuardedRequest, Spend } from './account-ledger.ts';
import type { Holds } from './holds.ts';
import type { LockInsert } from './insert-lock.ts';
import { explainRefusals, type NotInserted } from './refuse.ts';

interface Insertion {
  readonly index: number;
  readonly request: AcceptRequest;
  readonly document: DeletionDocument;
  /** Undefined if the account has no limit. */
  readonly spend: Spend | undefined;
}

/**
 * Accepts without a transaction: one query for the jobs of all requests, then one unordered insert of their deletions.
 * Inserting a deletion is atomic: the document is claim, outbox row and audit record at once. The insert fails with a
 * duplicate key if a job is already claimed, or an id or idempotency key is already used.
 * Jobs of an account with a limit are taken from a hold first (docs/decisions/guard.md).
 * @param lockInsert locks large inserts; undefined if the server needs no lock
 */
export function createAcceptDeletions(
  collections: Collections,
  lockInsert: LockInsert | undefined,
  holds: Holds,
  clock: Pick<Clock, 'now'>,
): DeletionStore['acceptDeletions'] {
  const writeSmall = createQueue();
  // Explanations outlive their calls, so calls do not bound them: connections are left for finds and inserts.
  const explaining = createFairSemaphore({ maxRunning: 4, maxWaiting: Infinity });

  return async (requests, answer, isWanted = () => true) => {
    if (requests.length === 0) return;
    const timed = { ...collections, remainingMs: deadlineOf(requests, clock) };
    const found = await findJobs(requests, timed);
    const explain = (refused: readonly NotInserted[]) => {
      if (refused.length === 0) return;
      const [account = '', ...others] = new Set(refused.map(({ request }) => request.accountId));
      void explaining.run(others.length === 0 ? account : '', () =>
        explainRefusals(refused, found, requests, timed, answer),
      );
    };

    const insertions: Insertion[] = [];
    const refused: NotInserted[] = [];
    const unreserved: Unreserved[] = [];
    for (const [index, request] of requests.entries()) {
      const jobs = jobsOf(request, found);
      const claims = jobs.flatMap(({ claim }) => claim ?? []);
      if (claims.length < jobs.length)
        answer(index, new Fault('internal', 'MongoDB: a job has an _id that is not an ObjectId'));
      else if (claims.length < request.jobIds.length) refused.push(notInserted(index, request));
      else {
        const toInsert = (spend?: Spend): Insertion => {
          const document = toDocument(request, claims, jobs, timed, spend?.holdId);
          return { index, request, document, spend };
        };
        const spend = isGuarded(request) ? holds.take(request) : undefined;
        if (isGuarded(request) && spend === undefined) unreserved.push({ index, request, toInsert });
        else if (!request.dryRun) insertions.push(toInsert(spend));
        else {
          spend?.end('refused');
          refused.push(notInserted(index, request));
        }
      }
    }
    explain(refused);

    /** Answers the inserted and the late ones, and explains the others. */
    const insert = async (some: readonly Insertion[]) => {
      const nowMs = clock.now();
      const isLate = ({ index, request, spend }: Insertion) =>
        (request.deadlineMs ?? Infinity) <= nowMs || spend?.isOld() === true || !isWanted(index);
      const late = new Set(some.filter(isLate));
      for (const { index, spend } of late) {
        spend?.end('refused');
        answer(index, new Fault('busy', 'the store was not free before the deadline'));
      }
      const inTime = some.filter((one) => !late.has(one)).sort(highestClaimFirst);
      const duplicates = await insertDocuments(inTime, timed);
      for (const one of inTime) {
        one.spend?.end(duplicates.has(one) ? 'refused' : 'accepted');
        if (!duplicates.has(one))
          answer(one.index, { kind: 'accepted', deletion: readDeletionDocument(one.document) });
      }
      explain([...duplicates].map(([one, { isIdTaken }]) => ({ ...one, isIdTaken })));
    };
    const insertOrFail = (some: readonly Insertion[], how: (write: () => Promise<void>) => Promise<void>) =>
      how(() => insert(some)).catch((error: unknown) => {
        const fault = asFault(error);
        const isUntouched = fault.code === 'busy' || fault.code === 'unavailable';
        for (const { index, spend } of some) {
          spend?.end(isUntouched ? 'refused' : 'unknown');
          answer(index, fault);
        }
      });
    const isLarge = ({ document }: Insertion) => document.job_count >= largeRequestJobs;
    const insertAll = (all: readonly Insertion[]) => {
      const small = all.filter((one) => !isLarge(one));
      return Promise.all([
        small.length > 0 && insertOrFail(small, writeSmall),
        ...all.filter(isLarge).map((one) =>
          insertOrFail([one], (write) => {
            if (lockInsert === undefined) return write();
            return lockInsert(one.request.accountId, write, timed.remainingMs);
          }),
        ),
      ]);
    };
    // Answers of requests that wait for a reservation come later: no other request waits for them.
    const reserved = collectInTurn<Insertion>((all) => void insertAll(all));
    const notReserved = collectInTurn(explain);
    for (const { index, request, toInsert } of unreserved)
      holds.reserve(request).then(
        (given) => {
          if ('limit' in given) notReserved({ ...notInserted(index, request), exceeded: given });
          else if (!request.dryRun) reserved(toInsert(given));
          else {
            given.end('refused');
            notReserved(notInserted(index, request));
          }
        },
        (error: unknown) => answer(index, asFault(error)),
      );
    await insertAll(insertions);
  };
}

interface Unreserved {
  readonly index: number;
  readonly request: AcceptRequest & GuardedRequest;
  readonly toInsert: (spend: Spend) => Insertion;
}

function isGuarded(request: AcceptRequest): request is AcceptRequest & GuardedRequest {
  return request.guard !== undefined;
}

function notInserted(index: number, request: AcceptRequest): NotInserted {
  return { index, request, isIdTaken: false };
}

/** Returns a function that collects the items of one turn of the event loop, and passes them on together. */
function collectInTurn<Item>(onItems: (items: readonly Item[]) => void): (item: Item) => void {
  let collected: Item[] = [];
  return (item) => {
    collected.push(item);
    if (collected.length > 1) return;
    setImmediate(() => {
      const items = collected;
      collected = [];
      onItems(items);
    });
  };
}

const defaultTimeoutMs = 9_000;
/** A timer of Node has 31 bits. Nobody waits longer than this for one call of the server. */
const maxTimeoutMs = 30_000;

/** Uses the latest deadline of the group: callers with earlier ones have stopped waiting. */
function deadlineOf(requests: readonly AcceptRequest[], clock: Pick<Clock, 'now'>): () => number {
  const nowMs = clock.now();
  const deadlineMs = Math.max(...requests.map((request) => request.deadlineMs ?? nowMs + defaultTimeoutMs));
  return () => Math.min(maxTimeoutMs, Math.max(1, Math.floor(deadlineMs - clock.now())));
}

function toDocument(
  request: AcceptRequest,
  claims: mongo.ObjectId[],
  jobs: readonly FoundJob[],
  { mapping }: TimedCollections,
  hold: string | undefined,
): DeletionDocument {
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
    state: request.removalAtMs === undefined ? 'accepted' : 'waiting',
    accepted_at: new Date(request.acceptedAtMs),
    due_at: new Date(request.dueAtMs),
    ...(request.removalAtMs !== undefined && { removal_at: new Date(request.removalAtMs) }),
    publications: 0,
    removed_parts: [],
    ...(request.idempotencyKey !== undefined && { idempotency_key: request.idempotencyKey }),
    origin: request.origin,
    // A later spread of the document would cost 4 µs.
    ...(hold !== undefined && { hold }),
  };
}

/**
 * MongoDB 6.0 checks each key for duplicates by a scan over the uncommitted keys that follow it, up to the first visible
 * key. In this order, each scan ends at the deletion before it (docs/decisions/large-inserts.md).
 */
function highestClaimFirst(a: Insertion, b: Insertion): number {
  return Buffer.compare(highestClaim(b).id, highestClaim(a).id);
}

function highestClaim({ document: { claims } }: Insertion): mongo.ObjectId {
  return claims.reduce((highest, claim) => (Buffer.compare(claim.id, highest.id) > 0 ? claim : highest));
}

type Duplicates = ReadonlyMap<Insertion, { readonly isIdTaken: boolean }>;

/** @returns the insertions that have duplicate keys; the others are on a majority */
async function insertDocuments(
  insertions: readonly Insertion[],
  { deletions, remainingMs }: TimedCollections,
): Promise<Duplicates> {
  if (insertions.length === 0) return new Map();
  const maxTimeMS = remainingMs();
  return mongoWrite(async () => {
    try {
      const documents = insertions.map(({ document }) => document);
      // The server has the same time limit: an insert without a waiting caller delays the others.
      await deletions.insertMany(documents, { ordered: false, maxTimeMS });
      return new Map();
    } catch (error) {
      return duplicatesIn(error, insertions);
    }
  }, maxTimeMS);
}

/**
 * Returns what the server refused as duplicates. The document with the same key was on a majority too: otherwise the
 * server adds a write concern error. It may be gone by now, so a refusal reads again.
 * @throws the error if it does not explain every document: the driver uses this class for any failure
 */
function duplicatesIn(error: unknown, insertions: readonly Insertion[]): Duplicates {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const writeErrors = [error.writeErrors].flat();
  const duplicates = new Map<Insertion, { isIdTaken: boolean }>();
  for (const { code, index, errmsg } of writeErrors) {
    const insertion = insertions[index];
    if (code === duplicateKey && insertion !== undefined)
      duplicates.set(insertion, { isIdTaken: errmsg?.includes(' index: _id_ ') === true });
  }
  if (duplicates.size === 0 || duplicates.size < writeErrors.length) throw error;
  if (error.insertedCount + duplicates.size < insertions.length)
    throw new Fault('unknown-outcome', 'MongoDB: the answer to an insert leaves out documents', error);
  return duplicates;
}

/** The most that a write waits for the one before it. A write that hangs delays the next one once. */
const maxQueueMs = 1_000;

/** Returns a queue that runs one write at a time, in the order of the calls: two at once cost the server more. */
function createQueue() {
  let last: Promise<void> | undefined;
  return async (write: () => Promise<void>): Promise<void> => {
    const previous = last;
    let done = (): void => undefined;
    const own = new Promise<void>((resolve) => (done = resolve));
    last = own;
    try {
      if (previous !== undefined) await withTimeLimit(previous, maxQueueMs, () => undefined);
      await write();
    } finally {
      if (last === own) last = undefined;
      done();
    }
  };
}
