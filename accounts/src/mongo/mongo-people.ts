import { isDuplicateKey } from '@jobs-delete/runtime/mongo/open-mongo';
import { trusted, type mongo, type QueryFilter } from 'mongoose';
import { operator } from '../people/audit-trail.ts';
import { decideJoin, readInvitation, type JoinAction } from '../people/invitations.ts';
import {
  membershipOf,
  type Joiner,
  type Joining,
  type Membership,
  type Passkey,
  type People,
  type Person,
  type Session,
  type Sessions,
} from '../people/people.ts';
import { fromStored, toStored } from './documents.ts';
import type { AccountsModels, PersonDocument, SessionDocument } from './mongo-accounts-schema.ts';
import { addEntry, type Recording, type ClientSession } from './mongo-audit-trail.ts';
import {
  barInvitations,
  invitationsTo,
  toSecret,
  voidInvitations,
  wanted,
} from './mongo-one-time-secrets.ts';

interface InSession {
  readonly session: ClientSession;
}

/** A person is one document. Changes that concern other documents too are transactions. */
export function peopleMethods(models: AccountsModels, recording: Recording): People {
  const { people } = models;
  const find = async (filter: QueryFilter<PersonDocument>) => toPerson(await people.findOne(filter).lean());
  return {
    addPerson: async (person) => {
      try {
        await people.insertOne(toDocument(person));
        return 'added';
      } catch (error) {
        // The server only answers this once the existing person is on a majority too.
        if (isDuplicateKey(error, '_id')) return 'exists';
        throw error;
      }
    },
    findPerson: (id) => find({ _id: id }),
    findPersonByPasskey: (passkeyId) => find({ 'passkeys.id': passkeyId }),
    findPersonByOpenId: ({ issuer, subject }) =>
      find({ 'open_id.issuer': issuer, 'open_id.subject': subject }),
    listPeople: async (accountId) => {
      const found = await people.find({ 'memberships.account_id': accountId }).lean();
      // In the order of SQLite: by code points, which UTF-8 keeps. No address has a control character.
      const key = (person: Person) =>
        Buffer.from(`${membershipOf(person, accountId)?.email ?? ''}\0${person.id}`);
      return found.flatMap((each) => toPerson(each) ?? []).sort((a, b) => key(a).compare(key(b)));
    },
    acceptInvitation: async (hash, joiner, action) => {
      try {
        return await recording.transact(undefined, (session) =>
          accept(hash, joiner, action, { ...models, session }),
        );
      } catch (error) {
        if (isDuplicateKey(error, 'passkeys.id') || isDuplicateKey(error, 'open_id.issuer'))
          return { kind: 'identity_taken' };
        throw error;
      }
    },
    ...memberMethods(models, recording),
    ...passkeyMethods(models, recording),
  };
}

/** A concurrent use or withdrawal removes the same document, so one of the two transactions starts again and finds nothing. */
async function accept(
  hash: Buffer,
  joiner: Joiner,
  action: JoinAction,
  { session, ...models }: AccountsModels & { readonly session: mongo.ClientSession },
): Promise<Joining> {
  const { people, oneTimeSecrets, audit } = models;
  const find = async (id: string) => toPerson(await people.findById(id).session(session).lean());
  const link = wanted('invitation', hash, action.atMs);
  const secret = toSecret(await oneTimeSecrets.findOne(link).session(session).lean());
  const { invitedBy = operator } = readInvitation(secret) ?? {};
  const inviter = invitedBy === operator ? undefined : await find(invitedBy.id);
  const joining =
    'personId' in joiner ? await find(joiner.personId) : { ...joiner.newPerson, memberships: [] };
  if (joining === undefined) return { kind: 'no_person' };
  const decision = decideJoin(secret, inviter, joining, action);
  if (decision.kind !== 'joins') return decision;
  const { membership, entry } = decision;
  await oneTimeSecrets.deleteOne(link).session(session);
  const { accountId } = membership;
  if (entry.action === 'person.role-changed')
    await barInvitations(accountId, joining, { oneTimeSecrets, session });
  const others = joining.memberships.filter((each) => each.accountId !== accountId);
  const person: Person = { ...joining, memberships: sorted([...others, membership]) };
  if ('newPerson' in joiner) await people.insertOne(toDocument(person), { session });
  else await setMembership(joining, membership, { people, session });
  await addEntry(entry, { audit, session });
  return { kind: 'joined', person, accountId };
}

/** Only in the transaction that has read the person: another change of the document starts one of the two again. */
async function setMembership(
  person: Person,
  membership: Membership,
  { people, session }: Pick<AccountsModels, 'people'> & InSession,
): Promise<void> {
  const { accountId, role } = membership;
  const isMember = membershipOf(person, accountId) !== undefined;
  const own = { _id: person.id, ...(isMember && { 'memberships.account_id': accountId }) };
  const set = { $set: { 'memberships.$.role': role } };
  const added = { $push: { memberships: toStored(membership) } };
  await people.updateOne(own, isMember ? set : added).session(session);
}

function memberMethods(
  models: AccountsModels,
  recording: Recording,
): Pick<People, 'changeRole' | 'removeMember' | 'recordMemberSeen'> {
  const { people, sessions, oneTimeSecrets } = models;
  const find = async (accountId: string, personId: string, { session }: InSession) => {
    const person = toPerson(await people.findById(personId).session(session).lean());
    const membership = person && membershipOf(person, accountId);
    return membership && { person, membership };
  };
  return {
    changeRole: (accountId, personId, role, entry) =>
      recording(entry, async (session) => {
        const found = await find(accountId, personId, { session });
        if (found === undefined) return 'not_found';
        if (found.membership.role === role) return 'unchanged';
        if (await isLastOwner(found.membership, personId, { ...models, session })) return 'last_owner';
        await setMembership(found.person, { ...found.membership, role }, { people, session });
        await voidInvitations(found, { oneTimeSecrets, session });
        return 'changed';
      }),
    removeMember: (accountId, personId, entry) =>
      recording(entry, async (session) => {
        const found = await find(accountId, personId, { session });
        if (found === undefined) return 'not_found';
        if (await isLastOwner(found.membership, personId, { ...models, session })) return 'last_owner';
        await voidInvitations(found, { oneTimeSecrets, session });
        const sent = { ...invitationsTo(accountId), 'data.invitedBy': personId };
        await oneTimeSecrets.deleteMany(sent).session(session);
        const isLast = found.person.memberships.length === 1;
        const removed = { $pull: { memberships: { account_id: accountId } } };
        if (isLast) await people.deleteOne({ _id: personId }).session(session);
        else await people.updateOne({ _id: personId }, removed).session(session);
        const ended = { person_id: personId, ...(!isLast && { account_id: accountId }) };
        await sessions.deleteMany(ended).session(session);
        return 'removed';
      }),
    recordMemberSeen: async (accountId, personId, dayMs) => {
      const own = { _id: personId, 'memberships.account_id': accountId };
      await people.updateOne(own, { $max: { 'memberships.$.last_seen_at': new Date(dayMs) } });
    },
  };
}

/**
 * Writes to the account's document, so two transactions that each remove another owner conflict: a snapshot alone would let
 * both see the other's owner.
 */
async function isLastOwner(
  { accountId, role }: Membership,
  personId: string,
  { accounts, people, session }: AccountsModels & InSession,
): Promise<boolean> {
  if (role !== 'owner') return false;
  await accounts.updateOne({ _id: accountId }, { $inc: { owner_changes: 1 } }).session(session);
  const owners = trusted({ $elemMatch: { account_id: accountId, role } });
  const filter = {
    'memberships.account_id': accountId,
    memberships: owners,
    _id: trusted({ $ne: personId }),
  };
  return (await people.exists(filter).session(session)) === null;
}

function passkeyMethods(
  { people, sessions }: AccountsModels,
  recording: Recording,
): Pick<People, 'addPasskey' | 'recordPasskeyUse' | 'removePasskey'> {
  return {
    addPasskey: async (personId, passkey, entry) => {
      try {
        return await recording(entry, async (session) => {
          // The unique index compares different people only.
          const filter = { _id: personId, 'passkeys.id': trusted({ $ne: passkey.id }) };
          const added = { $push: { passkeys: toStored<Passkey>(passkey) } };
          if ((await people.updateOne(filter, added).session(session)).matchedCount === 1) return 'added';
          return (await people.exists({ _id: personId }).session(session)) ? 'exists' : 'no_person';
        });
      } catch (error) {
        if (isDuplicateKey(error, 'passkeys.id')) return 'exists';
        throw error;
      }
    },
    recordPasskeyUse: async (personId, passkeyId, counter, atMs) => {
      const raised = { 'passkeys.$.counter': counter, 'passkeys.$.last_used_at': new Date(atMs) };
      await people.updateOne({ _id: personId, 'passkeys.id': passkeyId }, { $max: raised });
    },
    removePasskey: (personId, passkeyId, keptSessionId, entry) =>
      recording(entry, async (session) => {
        const filter = { _id: personId, 'passkeys.id': passkeyId };
        const several = { ...filter, 'passkeys.1': trusted({ $exists: true }) };
        const removed = { $pull: { passkeys: { id: passkeyId } } };
        if ((await people.updateOne(several, removed).session(session)).matchedCount === 0)
          return (await people.exists(filter).session(session)) ? 'last' : 'not_found';
        await endOtherSessions(personId, keptSessionId, { sessions, session });
        return 'removed';
      }),
  };
}

function toDocument({ id, ...person }: Person): PersonDocument {
  return { _id: id, ...toStored(person) };
}

function toPerson(document: PersonDocument | null): Person | undefined {
  if (document === null) return undefined;
  const { _id, ...rest } = document;
  const person = fromStored<Omit<Person, 'id'>>(rest);
  return { id: _id, ...person, memberships: sorted(person.memberships) };
}

function sorted(memberships: readonly Membership[]): Membership[] {
  return memberships.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
}

export function sessionMethods({ sessions, oneTimeSecrets }: AccountsModels, recording: Recording): Sessions {
  const add = async ({ hash, ...added }: Session, session: ClientSession) => {
    await sessions.insertOne({ _id: hash, ...toStored(added) }, { session });
    return true;
  };
  return {
    addSession: async (added, entry) => {
      await recording(entry, (session) => add(added, session));
    },
    addLinkedSession: (linkHash, added, entry) =>
      recording(entry, async (session) => {
        const expires_at = trusted({ $gt: new Date(added.createdAtMs) });
        const link = { _id: linkHash, kind: 'sign-in', expires_at } as const;
        const { deletedCount } = await oneTimeSecrets.deleteOne(link).session(session);
        return deletedCount === 1 && add(added, session);
      }),
    findSession: async (hash) => {
      const found = await sessions.findOne({ _id: hash }).lean();
      return found === null ? undefined : toSession(found);
    },
    changeSession: async (hash, change) => {
      const fields = toStored(change);
      // MongoDB refuses an empty `$set`.
      if (Object.keys(fields).length === 0) return (await sessions.exists({ _id: hash })) !== null;
      return (await sessions.updateOne({ _id: hash }, { $set: fields })).matchedCount === 1;
    },
    listSessions: async (personId) =>
      (await sessions.find({ person_id: personId }).sort({ last_seen_at: -1, id: 1 }).lean()).map(toSession),
    endSession: (personId, sessionId, entry) =>
      recording(entry, async (session) => {
        const ended = { id: sessionId, person_id: personId };
        return (await sessions.deleteOne(ended).session(session)).deletedCount === 1;
      }),
    endOtherSessions: (personId, keptId, entry) =>
      recording(entry, (session) => endOtherSessions(personId, keptId, { sessions, session })),
    expireSessions: async (lastSeenBeforeMs) => {
      await sessions.deleteMany({ last_seen_at: trusted({ $lt: new Date(lastSeenBeforeMs) }) });
    },
  };
}

async function endOtherSessions(
  personId: string,
  keptId: string,
  { sessions, session }: Pick<AccountsModels, 'sessions'> & { readonly session: ClientSession },
): Promise<number> {
  const others = { person_id: personId, id: trusted({ $ne: keptId }) };
  return (await sessions.deleteMany(others).session(session)).deletedCount;
}

function toSession({ _id, ...session }: SessionDocument): Session {
  return fromStored<Session>({ hash: _id, ...session });
}
