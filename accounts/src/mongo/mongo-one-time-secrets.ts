import { isDuplicateKey } from '@jobs-delete/runtime/mongo/open-mongo';
import { trusted } from 'mongoose';
import { invitationKeyOf } from '../people/invitations.ts';
import type { OneTimeSecret, OneTimeSecrets } from '../people/one-time-secret.ts';
import type { Membership, Person } from '../people/people.ts';
import { fromStored } from './documents.ts';
import type { AccountsModels, OneTimeSecretDocument } from './mongo-accounts-schema.ts';
import type { Recording, ClientSession } from './mongo-audit-trail.ts';

export function oneTimeSecretMethods(
  { oneTimeSecrets }: Pick<AccountsModels, 'oneTimeSecrets'>,
  recording: Recording,
): OneTimeSecrets {
  return {
    addOneTimeSecret: ({ hash, kind, expiresAtMs, data }, entry) =>
      recording.transact(entry, async (session) => {
        const { accountId = '', email = '' } = data;
        const isReplacing =
          kind === 'invitation' && (await removeInvitation(accountId, email, { oneTimeSecrets, session }));
        const document = { _id: hash, kind, expires_at: new Date(expiresAtMs), data };
        await oneTimeSecrets.insertOne(document, { session });
        return isReplacing ? 'replaced' : 'added';
      }),
    findOneTimeSecret: async (kind, hash, atMs) =>
      toSecret(await oneTimeSecrets.findOne(wanted(kind, hash, atMs)).lean()),
    takeOneTimeSecret: (kind, hash, atMs, entry) =>
      recording(entry, async (session) =>
        toSecret(
          await oneTimeSecrets
            .findOneAndDelete(wanted(kind, hash, atMs))
            .session(session)
            .lean(),
        ),
      ),
    listInvitations: async (accountId, atMs) => {
      const filter = { ...invitationsTo(accountId), expires_at: trusted({ $gt: new Date(atMs) }) };
      const found = await oneTimeSecrets.find(filter).sort({ 'data.email': 1 }).lean();
      return found.flatMap((each) => toSecret(each) ?? []);
    },
    cancelInvitation: (accountId, email, entry) =>
      recording(entry, (session) => removeInvitation(accountId, email, { oneTimeSecrets, session })),
    useOnce: async (hash, expiresAtMs) => {
      try {
        const expires_at = new Date(expiresAtMs);
        await oneTimeSecrets.insertOne({ _id: hash, kind: 'used', expires_at, data: {} });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    expireOneTimeSecrets: async (atMs) => {
      await oneTimeSecrets.deleteMany({ expires_at: trusted({ $lte: new Date(atMs) }) });
    },
  };
}

export function wanted(kind: OneTimeSecret['kind'], hash: Buffer, atMs: number) {
  return { _id: hash, kind, expires_at: trusted({ $gt: new Date(atMs) }) };
}

export function invitationsTo(accountId: string) {
  return { kind: 'invitation' as const, 'data.accountId': accountId };
}

interface InSecrets extends Pick<AccountsModels, 'oneTimeSecrets'> {
  readonly session: ClientSession;
}

/** Returns whether there was one: the index `open_invitation` allows one. */
async function removeInvitation(
  accountId: string,
  email: string,
  { oneTimeSecrets, session }: InSecrets,
): Promise<boolean> {
  const filter = { ...invitationsTo(accountId), 'data.email': email };
  return (await oneTimeSecrets.deleteOne(filter).session(session)).deletedCount === 1;
}

/** For a change of the member's role, and the end of the membership. */
export async function voidInvitations(
  { person, membership }: { readonly person: Person; readonly membership: Membership },
  { oneTimeSecrets, session }: InSecrets,
): Promise<void> {
  const { accountId, email } = membership;
  await removeInvitation(accountId, email, { oneTimeSecrets, session });
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
  const filter = { ...invitationsTo(accountId), 'data.notFor': trusted({ $not: { $regex: key } }) };
  const others = { $ifNull: [{ $concat: ['$data.notFor', ' '] }, ''] };
  const barred = [{ $set: { 'data.notFor': { $concat: [others, key] } } }];
  await oneTimeSecrets.updateMany(filter, barred, { updatePipeline: true }).session(session);
}

export function toSecret(document: OneTimeSecretDocument | null): OneTimeSecret | undefined {
  if (document === null) return undefined;
  const { _id, kind, expires_at, data } = document;
  if (kind === 'used') throw new Error('a used text is no secret');
  return {
    ...fromStored<Pick<OneTimeSecret, 'hash' | 'expiresAtMs'>>({ hash: _id, expires_at }),
    kind,
    data,
  };
}
