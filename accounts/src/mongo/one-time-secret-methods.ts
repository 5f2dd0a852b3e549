import { mongo } from 'mongoose';
import { invitationKeyOf } from '../people/invitations.ts';
import type { Membership, Person } from '../people/people.ts';
import type { OneTimeSecret, OneTimeSecrets } from '../people/one-time-secret.ts';
import type { Recording } from './audit-methods.ts';
import { bytesOf, isDuplicate, read, sessionOf, write } from './mongo-calls.ts';
import type { OneTimeSecretDocument, PeopleCollections } from './mongo-people-schema.ts';

export function oneTimeSecretMethods(
  { oneTimeSecrets }: Pick<PeopleCollections, 'oneTimeSecrets'>,
  recording: Recording,
): OneTimeSecrets {
  const wanted = (kind: OneTimeSecret['kind'], hash: Buffer, atMs: number) => ({
    _id: new mongo.Binary(hash),
    kind,
    expires_at: { $gt: new Date(atMs) },
  });
  return {
    addOneTimeSecret: ({ hash, kind, expiresAtMs, data }, entry) =>
      recording(
        entry,
        async (session) => {
          const document = { _id: new mongo.Binary(hash), kind, expires_at: new Date(expiresAtMs), data };
          await oneTimeSecrets.insertOne(document, sessionOf(session));
        },
        () => true,
      ),
    findOneTimeSecret: (kind, hash, atMs) =>
      read(async () => secretOrNone(await oneTimeSecrets.findOne(wanted(kind, hash, atMs)))),
    takeOneTimeSecret: (kind, hash, atMs, entry) =>
      recording(
        entry,
        async (session) =>
          secretOrNone(await oneTimeSecrets.findOneAndDelete(wanted(kind, hash, atMs), sessionOf(session))),
        (taken) => taken !== undefined,
      ),
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
    cancelInvitations: (accountId, email, entry) =>
      recording(
        entry,
        async (session) => {
          const filter = { 'data.accountId': accountId, 'data.email': email, kind: 'invitation' } as const;
          return (await oneTimeSecrets.deleteMany(filter, sessionOf(session))).deletedCount;
        },
        (count) => count > 0,
      ),
    ...expiryMethods(oneTimeSecrets),
  };
}

interface InSecrets extends Pick<PeopleCollections, 'oneTimeSecrets'> {
  readonly session: mongo.ClientSession | undefined;
}

/** For a change of the member's role, and the end of the membership. */
export async function voidInvitations(
  { person, membership }: { readonly person: Person; readonly membership: Membership },
  { oneTimeSecrets, session }: InSecrets,
): Promise<void> {
  const { accountId, email } = membership;
  const filter = { kind: 'invitation', 'data.accountId': accountId, 'data.email': email } as const;
  await oneTimeSecrets.deleteMany(filter, sessionOf(session));
  await barInvitations(accountId, person, { oneTimeSecrets, session });
}

/**
 * Makes every open invitation to the account useless for this person. A concurrent use of one deletes the same document, so
 * one of the two transactions starts again.
 */
export async function barInvitations(
  accountId: string,
  person: Pick<Person, 'id' | 'openId'>,
  { oneTimeSecrets, session }: InSecrets,
): Promise<void> {
  const key = invitationKeyOf(person);
  const notYet = { 'data.notFor': { $not: { $regex: key } } };
  const filter = { kind: 'invitation', 'data.accountId': accountId, ...notYet } as const;
  const others = { $ifNull: [{ $concat: ['$data.notFor', ' '] }, ''] };
  const barred = [{ $set: { 'data.notFor': { $concat: [others, key] } } }];
  await oneTimeSecrets.updateMany(filter, barred, sessionOf(session));
}

function expiryMethods(
  oneTimeSecrets: PeopleCollections['oneTimeSecrets'],
): Pick<OneTimeSecrets, 'useOnce' | 'expireOneTimeSecrets'> {
  return {
    useOnce: (hash, expiresAtMs) =>
      write(async () => {
        try {
          const expires_at = new Date(expiresAtMs);
          await oneTimeSecrets.insertOne({ _id: new mongo.Binary(hash), kind: 'used', expires_at, data: {} });
          return true;
        } catch (error) {
          if (isDuplicate(error)) return false;
          throw error;
        }
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

export function toSecret({ _id, kind, expires_at, data }: OneTimeSecretDocument): OneTimeSecret {
  if (kind === 'used') throw new Error('a used text is no secret');
  return { hash: bytesOf(_id), kind, expiresAtMs: expires_at.getTime(), data };
}
