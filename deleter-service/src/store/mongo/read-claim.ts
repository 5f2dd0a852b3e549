import { mongo } from 'mongoose';

/** A job that exists. */
export interface FoundJob {
  readonly id: string;
  /** Undefined where the job's `_id` is not an ObjectId: such a job can't be claimed. */
  readonly claim: mongo.ObjectId | undefined;
  /** As the driver reads it; undefined where the job has none or no field holds versions. */
  readonly version?: unknown;
}

/**
 * Reads a job from its BSON (https://bsonspec.org/spec.html): decoding to objects takes as long as the rest of the query.
 * The projection `{[idField]: 1}` makes the server answer `{_id, [idField]}` in that order.
 * @returns a function that returns undefined for an id that is not a string, such as an array that contains the id
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

/** Reads the job's version too, by the driver's decoder: the server answers the fields in the order of the document. */
export function versionedClaimReader(
  idField: string,
  versionField: string | undefined,
): (document: Buffer) => FoundJob | undefined {
  return (document) => {
    const fields = mongo.BSON.deserialize(document);
    const { _id: claim, [idField]: id } = fields;
    if (typeof id !== 'string') return undefined;
    const version: unknown = versionField === undefined ? undefined : fields[versionField];
    // Another type of _id may name another posting later; an ObjectId is never reused.
    return { id, claim: claim instanceof mongo.ObjectId ? claim : undefined, version };
  };
}

const objectIdType = 0x07;
const textType = 0x02;

/** After the document's length, of 4 bytes. */
const claimTypeAt = 4;
const claimAt = claimTypeAt + 1 + '_id\0'.length;
const idTypeAt = claimAt + 12;
