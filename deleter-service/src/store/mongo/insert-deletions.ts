import { Fault } from '@jobs-delete/runtime/fault';
import { mongoWrite } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import type { AcceptRequest } from '../store.ts';
import type { Collections, DeletionDocument } from './collections.ts';
import { createWriteTurns } from './write-turns.ts';

/** From this many jobs on, a deletion is inserted while no other process inserts one of this size. */
export const largeDeletionJobs = 200;

export interface Insertion {
  readonly request: AcceptRequest;
  readonly document: DeletionDocument;
}

/** `inserted`: on a majority. `duplicate`: a deletion on a majority has the same key. `late`: not sent. */
export type InsertionState = 'inserted' | 'duplicate' | 'late';

/**
 * Returns a function that inserts deletions and returns the state of each by its id. It writes one small group and one
 * large group at a time: small requests never queue behind large ones.
 */
export function createInsertDeletions({ deletions, writeTurns }: Collections) {
  const turns = createWriteTurns(writeTurns);
  const writeSmall = createQueue();
  const writeLarge = createQueue();

  return async (
    insertions: readonly Insertion[],
    remainingMs: () => number,
  ): Promise<ReadonlyMap<string, InsertionState>> => {
    const states = new Map<string, InsertionState>();
    const insertInTime = async () => {
      const nowMs = Date.now();
      const inTime = insertions.filter(({ request: { deadlineMs = Infinity } }) => deadlineMs > nowMs);
      for (const { document } of insertions) states.set(document._id, 'late');
      const documents = inTime.map(({ document }) => document).sort(highestClaimFirst);
      for (const { _id } of documents) states.set(_id, 'inserted');
      for (const { _id } of await insertDocuments(documents, deletions, remainingMs()))
        states.set(_id, 'duplicate');
    };
    if (insertions.length === 0) return states;
    const isLarge = insertions.some(({ document }) => document.job_count >= largeDeletionJobs);
    if (isLarge) await writeLarge(() => turns.run(insertInTime, remainingMs));
    else await writeSmall(insertInTime);
    return states;
  };
}

/**
 * MongoDB 6.0 checks each key for duplicates by a scan over the uncommitted keys that follow it, up to the first visible
 * key. In this order, each scan ends at the deletion before it (docs/decisions/large-inserts.md).
 */
function highestClaimFirst(a: DeletionDocument, b: DeletionDocument): number {
  return Buffer.compare(highestClaim(b).id, highestClaim(a).id);
}

function highestClaim({ claims }: DeletionDocument): mongo.ObjectId {
  return claims.reduce((highest, claim) => (Buffer.compare(claim.id, highest.id) > 0 ? claim : highest));
}

/** @returns the documents that have duplicate keys; the others are on a majority */
async function insertDocuments(
  documents: readonly DeletionDocument[],
  deletions: Collections['deletions'],
  maxTimeMS: number,
): Promise<readonly DeletionDocument[]> {
  if (documents.length === 0) return [];
  return mongoWrite(async () => {
    try {
      // The server has the same time limit: an insert without a waiting caller delays the others.
      await deletions.insertMany(documents, { ordered: false, maxTimeMS });
      return [];
    } catch (error) {
      return duplicatesIn(error, documents);
    }
  }, maxTimeMS);
}

/**
 * Returns the documents that the server refused as duplicates. The document with the same key is on a majority too:
 * otherwise the server adds a write concern error.
 * @throws the error if it does not explain every document: the driver uses this class for any failure
 */
function duplicatesIn(error: unknown, documents: readonly DeletionDocument[]): DeletionDocument[] {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const writeErrors = [error.writeErrors].flat();
  const duplicates = writeErrors.flatMap(({ code, index }) =>
    code === duplicateKey ? (documents[index] ?? []) : [],
  );
  if (duplicates.length === 0 || duplicates.length < writeErrors.length) throw error;
  if (error.insertedCount + duplicates.length < documents.length)
    throw new Fault('unknown-outcome', 'MongoDB: the answer to an insert leaves out documents', error);
  return duplicates;
}

const duplicateKey = 11_000;

/** Returns a queue that runs one write at a time, in the order of the calls. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return (write: () => Promise<void>): Promise<void> => {
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };
}
