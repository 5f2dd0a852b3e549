import { Fault } from '@jobs-delete/runtime/fault';
import { mongoRead, mongoWrite } from '@jobs-delete/runtime/open-mongo';
import { mongo, type Types } from 'mongoose';
import { outcomeOfUsedKey, unavailableAmong } from '../accept-outcomes.ts';
import type { AcceptOutcome, AcceptRequest, InTurn, UnavailableJobs } from '../store.ts';
import type { Collections, DeletionDocument } from './collections.ts';
import { claimReader, versionedClaimReader } from './read-claim.ts';
import { readDeletionDocument } from './read-document.ts';

/** The `_id` of each job that exists, by account and then by id: a key of both would cost as much as the find. */
type Claims = ReadonlyMap<string, ReadonlyMap<string, Types.ObjectId>>;

/** Collections, and how long the caller still waits. */
interface Accepting extends Collections {
  /** The version of each job found, by the object that is its claim; empty where no field holds one. */
  readonly versions: Map<Types.ObjectId, unknown>;
  readonly remainingMs: () => number;
}

/**
 * Accepting without a transaction: one find for the jobs of all the requests, one unordered insert of their
 * deletions. The insert of a deletion is atomic, and is claim, outbox row and audit record at once; a job that is
 * claimed already, or a key that is used already, shows as a duplicate key of that one insert.
 */
export async function acceptDeletions(
  requests: readonly AcceptRequest[],
  collections: Collections,
  inTurn: InTurn = (write) => write(),
): Promise<AcceptOutcome[]> {
  const accepting = { ...collections, versions: new Map(), remainingMs: deadlineOf(requests) };
  const claims = await findClaims(requests, accepting);
  const candidates = requests.map((request) => ({
    request,
    document: toDocument(request, claims, accepting),
  }));
  const documents = candidates.flatMap(({ document }) => document ?? []);
  const inserted = documents.length === 0 ? none : await inTurn(() => insertDeletions(documents, accepting));
  return Promise.all(
    candidates.map(async ({ request, document }, index) => {
      if (document !== undefined && inserted.has(document)) {
        return { kind: 'accepted' as const, deletion: readDeletionDocument(document) };
      }
      const later = new Set(candidates.slice(index + 1).map((candidate) => candidate.request.deletionId));
      // A duplicate key was answered by a majority, so what it stands for needs no more asking.
      const readConcern = document === undefined ? 'linearizable' : 'local';
      return outcomeOfRefused(request, { claims, later, readConcern }, accepting);
    }),
  );
}

export async function findUnavailableJobs(
  accountId: string,
  jobIds: readonly string[],
  collections: Collections,
): Promise<UnavailableJobs> {
  const request = { accountId, jobIds };
  const accepting = { ...collections, versions: new Map(), remainingMs: () => defaultTimeoutMs };
  return unavailableJobs(request, await findClaims([request], accepting), none, accepting);
}

const defaultTimeoutMs = 9_000;

/** The caller that waits longest decides: one that has gone learns nothing anyway. */
function deadlineOf(requests: readonly AcceptRequest[]): () => number {
  const deadlineMs = Math.max(
    ...requests.map((request) => request.deadlineMs ?? Date.now() + defaultTimeoutMs),
  );
  return () => Math.max(1, Math.floor(deadlineMs - Date.now()));
}

async function findClaims(
  requests: readonly Pick<AcceptRequest, 'accountId' | 'jobIds'>[],
  { jobs, mapping: { accountField, idField, versionField }, versions, remainingMs }: Accepting,
): Promise<Claims> {
  const idsOfAccount = new Map<string, string[]>();
  for (const { accountId, jobIds } of requests) {
    const ids = idsOfAccount.get(accountId);
    if (ids === undefined) idsOfAccount.set(accountId, [...jobIds]);
    else ids.push(...jobIds);
  }
  const maxTimeMS = remainingMs();
  const projection = { [idField]: 1, ...(versionField !== undefined && { [versionField]: 1 }) };
  const hint = { [accountField]: 1, [idField]: 1 };
  const readClaim =
    versionField === undefined ? claimReader(idField) : versionedClaimReader(idField, versionField);
  const finds = [...idsOfAccount].map(async ([accountId, ids]) => {
    const claims = new Map<string, Types.ObjectId>();
    const filter = { [accountField]: accountId, [idField]: { $in: ids } };
    // One more than there can be: all come with the first answer, and it says that there are no others.
    const options = { projection, hint, maxTimeMS, batchSize: ids.length + 1, raw: true };
    for (const document of await jobs.find<Buffer>(filter, options).toArray()) {
      const job = readClaim(document);
      if (job === undefined) continue;
      claims.set(job.id, job.claim);
      if ('version' in job) versions.set(job.claim, job.version);
    }
    return [accountId, claims] as const;
  });
  return new Map(await mongoRead(() => Promise.all(finds), maxTimeMS));
}

/** Undefined where a job is missing. */
function toDocument(
  request: AcceptRequest,
  claims: Claims,
  { mapping, versions }: Accepting,
): DeletionDocument | undefined {
  const claimed = claimsOf(request, claims);
  if (claimed.length < request.jobIds.length) return undefined;
  return {
    _id: request.deletionId,
    account_id: request.accountId,
    job_ids: [...request.jobIds],
    job_count: request.jobIds.length,
    claims: claimed,
    jobs_collection: mapping.collection,
    ...(mapping.versionField !== undefined && {
      versions: claimed.map((claim) => versions.get(claim) ?? null),
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

function claimsOf({ accountId, jobIds }: Pick<AcceptRequest, 'accountId' | 'jobIds'>, claims: Claims) {
  const ofAccount = claims.get(accountId);
  return jobIds.map((id) => ofAccount?.get(id)).filter((claim) => claim !== undefined);
}

/** @returns those that are on a majority; the others have a duplicate key */
async function insertDeletions(
  documents: readonly DeletionDocument[],
  { deletions, remainingMs }: Accepting,
): Promise<ReadonlySet<DeletionDocument>> {
  const inserted = new Set(documents);
  const maxTimeMS = remainingMs();
  await mongoWrite(async () => {
    try {
      // The server is to give up as well: what it went on with would stand in the way of others.
      await deletions.insertMany(documents, { ordered: false, maxTimeMS });
    } catch (error) {
      for (const duplicate of duplicatesIn(error, documents)) inserted.delete(duplicate);
    }
  }, maxTimeMS);
  return inserted;
}

/**
 * Those that the insert has left out for their keys. The server says so only when what stands in the way is on a
 * majority too; else it adds a write concern error.
 * @throws the error, unless it accounts for each document: the driver gives any failure this class, an empty one too
 */
function duplicatesIn(error: unknown, documents: readonly DeletionDocument[]): DeletionDocument[] {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const writeErrors = [error.writeErrors].flat();
  const duplicates = writeErrors.flatMap(({ code, index }) =>
    code === duplicateKey ? (documents[index] ?? []) : [],
  );
  if (duplicates.length === 0 || error.insertedCount + duplicates.length !== documents.length) throw error;
  return duplicates;
}

const duplicateKey = 11_000;
const none: ReadonlySet<never> = new Set();

interface Refusal {
  readonly claims: Claims;
  /** Deletions that the same call asks for after this one. */
  readonly later: ReadonlySet<string>;
  readonly readConcern: 'linearizable' | 'local';
}

/** A used key comes first: the jobs of its deletion are claimed or gone, and its replay says so. */
async function outcomeOfRefused(
  request: AcceptRequest,
  { claims, later, readConcern }: Refusal,
  accepting: Accepting,
): Promise<AcceptOutcome> {
  const { accountId, idempotencyKey, jobIds } = request;
  if (idempotencyKey !== undefined) {
    const used = await findByKey(accountId, idempotencyKey, readConcern, accepting);
    if (used !== null) return outcomeOfUsedKey(readDeletionDocument(used), jobIds);
  }
  // In the order of the call: what was accepted after a request was not in its way, unless nothing else was.
  for (const disregarded of [later, none]) {
    const unavailable = await unavailableJobs(request, claims, disregarded, accepting);
    if (unavailable.positions.length > 0) return { kind: 'jobs-unavailable', unavailable };
  }
  throw new Fault('unavailable', 'MongoDB: what was in the way of the deletion has gone meanwhile');
}

/**
 * Linearizable where no write has told it: what is found is on a majority, and can't be rolled back; what is not found
 * has not been answered by any primary. A majority read may miss the latter for a moment after an election.
 */
function findByKey(
  accountId: string,
  idempotencyKey: string,
  readConcern: Refusal['readConcern'],
  { deletions, remainingMs }: Accepting,
): Promise<DeletionDocument | null> {
  const maxTimeMS = remainingMs();
  const filter = { account_id: accountId, idempotency_key: idempotencyKey };
  return mongoRead(() => deletions.findOne(filter, { readConcern, maxTimeMS }), maxTimeMS);
}

/** The jobs that don't exist and those that a deletion holds. */
async function unavailableJobs(
  request: Pick<AcceptRequest, 'accountId' | 'jobIds'>,
  claims: Claims,
  disregarded: ReadonlySet<string>,
  { deletions, remainingMs }: Accepting,
): Promise<UnavailableJobs> {
  const { accountId, jobIds } = request;
  const wanted = claimsOf(request, claims);
  const maxTimeMS = remainingMs();
  // Only the claims asked for travel: those who hold them may hold thousands of others.
  const projection = { claims: { $setIntersection: ['$claims', wanted] } };
  const hint = { account_id: 1, claims: 1 };
  const holders = await mongoRead(
    () =>
      deletions
        .find({ account_id: accountId, claims: { $in: wanted } }, { projection, hint, maxTimeMS })
        .toArray(),
    maxTimeMS,
  );
  const inTheWay = holders.filter(({ _id }) => !disregarded.has(_id)).flatMap(({ claims: held }) => held);
  const held = new Set(inTheWay.map((claim) => claim.toHexString()));
  return unavailableAmong(jobIds, (id) => {
    const claim = claims.get(accountId)?.get(id);
    return claim === undefined || held.has(claim.toHexString());
  });
}
