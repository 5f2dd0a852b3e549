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
      read(async () => secretOrNone(await oneTimeSecrets.findOne(wanted(kind, hash, atMs)))),
    takeOneTimeSecret: (kind, hash, atMs) =>
      write(async () => secretOrNone(await oneTimeSecrets.findOneAndDelete(wanted(kind, hash, atMs)))),
    listInvitations: (accountId, atMs) =>
      read(async () => {
        const filter = {
          'data.accountId': accountId,
          kind: 'invitation',
          expires_at: { $gt: new Date(atMs) },
        } as const;
        const options = { sort: { 'data.email': 1 } } as const;
        return (await oneTimeSecrets.find(filter, options).toArray()).map(toSecret);
      }),
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

function secretOrNone(document: OneTimeSecretDocument | null): OneTimeSecret | undefined {
  return document === null ? undefined : toSecret(document);
}

function toSecret({ _id, kind, expires_at, data }: OneTimeSecretDocument): OneTimeSecret {
  return { hash: bytesOf(_id), kind, expiresAtMs: expires_at.getTime(), data };
}
