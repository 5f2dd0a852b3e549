import { Fault } from '@jobs-delete/runtime/fault';
import { mongo } from 'mongoose';

/** A job that exists. */
export interface ClaimableJob {
  readonly id: string;
  readonly claim: mongo.ObjectId;
  /** As the driver reads it; undefined where the job has none. Missing where none was asked for. */
  readonly version?: unknown;
}

/**
 * Reads a job from its bytes (https://bsonspec.org/spec.html): the driver's objects, one for each id, cost as much as
 * all else of the find does in the api. The projection `{[idField]: 1}` has the server answer `{_id, [idField]}`, in
 * that order.
 * @returns a function, which returns undefined for an id that is no text but holds one, such as an array
 * @throws Fault where a job's `_id` is none that names one posting for ever
 */
export function claimReader(idField: string): (document: Buffer) => ClaimableJob | undefined {
  const lengthAt = idTypeAt + 1 + Buffer.byteLength(idField) + 1;
  return (document) => {
    // A natural key may come again with another posting; only an ObjectId is never given twice.
    if (document[claimTypeAt] !== objectIdType) throw notAnObjectId();
    if (document[idTypeAt] !== textType) return undefined;
    const textAt = lengthAt + 4;
    const endsAt = textAt + document.readInt32LE(lengthAt) - 1;
    return {
      id: document.toString('utf8', textAt, endsAt),
      claim: new mongo.ObjectId(document.subarray(claimAt, idTypeAt)),
    };
  };
}

/**
 * The same with the job's version, by the driver's own decoder: the server answers the fields in the order of the
 * document.
 */
export function versionedClaimReader(
  idField: string,
  versionField: string,
): (document: Buffer) => ClaimableJob | undefined {
  return (document) => {
    const { _id: claim, [idField]: id, [versionField]: version } = mongo.BSON.deserialize(document);
    if (!(claim instanceof mongo.ObjectId)) throw notAnObjectId();
    return typeof id === 'string' ? { id, claim, version } : undefined;
  };
}

function notAnObjectId(): Fault {
  return new Fault('internal', 'MongoDB: a job has an _id that is no ObjectId');
}

const objectIdType = 0x07;
const textType = 0x02;

/** After the document's length, of 4 bytes. */
const claimTypeAt = 4;
const claimAt = claimTypeAt + 1 + '_id\0'.length;
const idTypeAt = claimAt + 12;
