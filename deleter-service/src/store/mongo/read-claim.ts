import { mongo } from 'mongoose';

/** A job that exists. */
export interface FoundJob {
  readonly id: string;
  /** Undefined if the job's `_id` is not an ObjectId: such a job can't be claimed. */
  readonly claim: mongo.ObjectId | undefined;
  /** The version as decoded by the driver; undefined if the job has none, or without a version field. */
  readonly version?: unknown;
}

/**
 * Returns a function that reads a job from its BSON (https://bsonspec.org/spec.html). Decoding to objects would take as
 * long as the rest of the query.
 * The projection `{[idField]: 1}` makes the server answer `{_id, [idField]}` in that order.
 * The function returns undefined for an id that is not a string, such as an array that contains the id.
 */
export function claimReader(idField: string): (document: Buffer) => FoundJob | undefined {
  const lengthAt = idTypeAt + 1 + Buffer.byteLength(idField) + 1;
  const readAny = versionedClaimReader(idField, undefined);
  return (document) => {
    if (document[claimTypeAt] !== objectIdType) return readAny(document);
    if (document[idTypeAt] !== textType) return undefined;
    const textAt = lengthAt + 4;
    const endsAt = textAt + document.readInt32LE(lengthAt) - 1;
    return {
      id: document.toString('utf8', textAt, endsAt),
      claim: new mongo.ObjectId(document.subarray(claimAt, idTypeAt)),
    };
  };
}

/** Like claimReader, with the job's version. Uses the driver's decoder, because the order of the fields varies. */
export function versionedClaimReader(
  idField: string,
  versionField: string | undefined,
): (document: Buffer) => FoundJob | undefined {
  return (document) => {
    const fields = mongo.BSON.deserialize(document);
    const { _id: claim, [idField]: id } = fields;
    if (typeof id !== 'string') return undefined;
    const version: unknown = versionField === undefined ? undefined : fields[versionField];
    // Only an ObjectId is never reused: another type of _id may name another posting later.
    return { id, claim: claim instanceof mongo.ObjectId ? claim : undefined, version };
  };
}

const objectIdType = 0x07;
const textType = 0x02;

/** Offset after the length of the document (4 bytes). */
const claimTypeAt = 4;
const claimAt = claimTypeAt + 1 + '_id\0'.length;
const idTypeAt = claimAt + 12;
