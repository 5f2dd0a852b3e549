import { mongo } from 'mongoose';
import type { OneTimeSecret, OneTimeSecrets } from '../people/sessions.ts';
import { bytesOf, read, write } from './mongo-calls.ts';
import type { OneTimeSecretDocument, PeopleCollections } from './mongo-people-schema.ts';

export function oneTimeSecretMethods({
  oneTimeSecrets,
}: Pick<PeopleCollections, 'oneTimeSecrets'>): OneTimeSecrets {
  const wanted = (kind: OneTimeSecret['kind'], hash: Buffer, atMs: number) => ({
    _id: new mongo.Binary(hash),
    kind,
    expires_at: { $gt: new Date(atMs) },
  });
  return {
    addOneTimeSecret: ({ hash, kind, expiresAtMs, data }) =>
      write(async () => {
        const expires_at = new Date(expiresAtMs);
        await oneTimeSecrets.insertOne({ _id: new mongo.Binary(hash), kind, expires_at, data });
      }),
    findOneTimeSecret: (kind, hash, atMs) =>
      read(async () => toSecret(await oneTimeSecrets.findOne(wanted(kind, hash, atMs)))),
    takeOneTimeSecret: (kind, hash, atMs) =>
      write(async () => toSecret(await oneTimeSecrets.findOneAndDelete(wanted(kind, hash, atMs)))),
    cancelLinks: (accountId, email) =>
      write(async () => {
        const kinds: OneTimeSecret['kind'][] = ['invitation', 'sign-in'];
        const filter = { 'data.accountId': accountId, 'data.email': email, kind: { $in: kinds } };
        return (await oneTimeSecrets.deleteMany(filter)).deletedCount;
      }),
    expireOneTimeSecrets: (atMs) =>
      write(async () => {
        await oneTimeSecrets.deleteMany({ expires_at: { $lte: new Date(atMs) } });
      }),
  };
}

function toSecret(document: OneTimeSecretDocument | null): OneTimeSecret | undefined {
  if (document === null) return undefined;
  const { _id, kind, expires_at, data } = document;
  return { hash: bytesOf(_id), kind, expiresAtMs: expires_at.getTime(), data };
}
