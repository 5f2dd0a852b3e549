import { mongo } from 'mongoose';
import type { Accounts, PepperCount, PepperFingerprints } from '../accounts.ts';
import { mongoRead } from '@jobs-delete/runtime/mongo/open-mongo';
import { bytesOf, read, write } from './mongo-calls.ts';
import type { AccountsCollections } from './mongo-accounts-schema.ts';

type PepperMethods = Pick<
  Accounts,
  | 'keepPepperFingerprint'
  | 'findPepperFingerprints'
  | 'changePepperFingerprints'
  | 'replaceHash'
  | 'countByPepper'
>;

/** Counting reads every credential, and only an operator or a start during a rotation waits for it. */
const countTimeoutMs = 60_000;

export function pepperMethods(collections: AccountsCollections): PepperMethods {
  const { credentials } = collections;
  return {
    keepPepperFingerprint: (fingerprint) => write(() => keepFingerprint(fingerprint, collections)),
    findPepperFingerprints: () => read(() => findFingerprints(collections)),
    changePepperFingerprints: (from, to) => write(() => changeFingerprints(from, to, collections)),
    replaceHash: ({ kind, id }, from, { hash, pepperId }) =>
      write(async () => {
        await credentials.updateOne(
          { kind, id, hash: new mongo.Binary(from) },
          { $set: { hash: new mongo.Binary(hash), pepper_id: pepperId } },
        );
      }),
    countByPepper: (atMs) => mongoRead(() => countByPepper(atMs, collections), countTimeoutMs),
  };
}

async function keepFingerprint(
  fingerprint: Buffer,
  { pepper }: AccountsCollections,
): Promise<'same' | 'different'> {
  const kept = await pepper.findOneAndUpdate(
    { _id: 'fingerprint' },
    { $setOnInsert: { value: new mongo.Binary(fingerprint) } },
    { upsert: true, returnDocument: 'after' },
  );
  return kept !== null && fingerprint.equals(bytesOf(kept.value)) ? 'same' : 'different';
}

async function findFingerprints({ pepper }: AccountsCollections): Promise<PepperFingerprints | undefined> {
  const found = await pepper.findOne({ _id: 'fingerprint' });
  if (found === null) return undefined;
  const { value, second } = found;
  return {
    first: bytesOf(value),
    ...(second !== undefined && { second: bytesOf(second) }),
  };
}

/** One document has both, so one update replaces them. */
async function changeFingerprints(
  from: PepperFingerprints,
  to: PepperFingerprints,
  { pepper }: AccountsCollections,
): Promise<boolean> {
  const { matchedCount } = await pepper.updateOne(
    {
      _id: 'fingerprint',
      value: new mongo.Binary(from.first),
      second: from.second === undefined ? { $exists: false } : new mongo.Binary(from.second),
    },
    {
      $set: {
        value: new mongo.Binary(to.first),
        ...(to.second !== undefined && { second: new mongo.Binary(to.second) }),
      },
      ...(to.second === undefined && { $unset: { second: true } }),
    },
  );
  return matchedCount === 1;
}

async function countByPepper(
  atMs: number,
  { credentials }: AccountsCollections,
): Promise<readonly PepperCount[]> {
  const isLive = {
    revoked_at: { $exists: false },
    $or: [{ expires_at: { $exists: false } }, { expires_at: { $gt: new Date(atMs) } }],
  };
  const groups = await credentials
    .aggregate<{ _id: string | null; credentials: number }>([
      { $match: isLive },
      { $group: { _id: '$pepper_id', credentials: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  return groups.map(({ _id, credentials }) => ({ ...(_id !== null && { pepperId: _id }), credentials }));
}
