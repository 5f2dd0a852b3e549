import { mongo } from 'mongoose';
import { type JoinAction, decideJoin, readInvitation } from '../people/invitations.ts';
import { operator } from '../people/audit-trail.ts';
import {
  type Joiner,
  type Joining,
  type Membership,
  type Passkey,
  type People,
  type Person,
  membershipOf,
} from '../people/people.ts';
import { type Recording, type Transact, toAuditDocument } from './audit-methods.ts';
import type { AccountsCollections } from './mongo-accounts-schema.ts';
import { bytesOf, isDuplicate, read, sessionOf, write } from './mongo-calls.ts';
import type { PasskeyDocument, PeopleCollections, PersonDocument } from './mongo-people-schema.ts';
import { barInvitations, toSecret, voidInvitations } from './one-time-secret-methods.ts';

type Collections = PeopleCollections & Pick<AccountsCollections, 'accounts'>;
interface InSession {
  readonly session: mongo.ClientSession | undefined;
}

/** A person is one document. Changes that concern other documents too are transactions. */
export function peopleMethods(collections: Collections, transact: Transact, recording: Recording): People {
  const { people } = collections;
  const findOne = (filter: mongo.Filter<PersonDocument>) =>
    read(async () => {
      const found = await people.findOne(filter);
      return found === null ? undefined : toPerson(found);
    });
  return {
    addPerson: (person) => write(() => addPerson(person, people)),
    findPerson: (id) => findOne({ _id: id }),
    findPersonByPasskey: (passkeyId) => findOne({ 'passkeys.id': passkeyId }),
    findPersonByOpenId: ({ issuer, subject }) =>
      findOne({ 'open_id.issuer': issuer, 'open_id.subject': subject }),
    listPeople: (accountId) =>
      read(async () => {
        const found = (await people.find({ 'memberships.account_id': accountId }).toArray()).map(toPerson);
        // In the order of SQLite: by code points, which UTF-8 keeps. No address has a control character.
        const key = (person: Person) =>
          Buffer.from(`${membershipOf(person, accountId)?.email ?? ''}\0${person.id}`);
        return found.sort((a, b) => key(a).compare(key(b)));
      }),
    acceptInvitation: async (hash, joiner, action) => {
      try {
        return await transact((session) => accept(hash, joiner, action, { collections, session }));
      } catch (error) {
        const { cause } = error as Error;
        if (isDuplicate(cause, 'passkeys.id') || isDuplicate(cause, 'open_id.issuer'))
          return { kind: 'identity_taken' };
        throw error;
      }
    },
    ...memberMethods(collections, recording),
    ...passkeyMethods(collections, recording),
  };
}

async function addPerson(person: Person, people: Collections['people']): Promise<'added' | 'exists'> {
  try {
    await people.insertOne(toPersonDocument(person));
    return 'added';
  } catch (error) {
    // The server only answers this once the existing person is on a majority too.
    if (isDuplicate(error, '_id')) return 'exists';
    throw error;
  }
}

/** A concurrent use or withdrawal removes the same document, so one of the two transactions starts again and finds nothing. */
async function accept(
  hash: Buffer,
  joiner: Joiner,
  action: JoinAction,
  { collections, session }: { readonly collections: Collections; readonly session: mongo.ClientSession },
): Promise<Joining> {
  const { people, oneTimeSecrets, audit } = collections;
  const find = async (id: string) => {
    const found = await people.findOne({ _id: id }, { session });
    return found === null ? undefined : toPerson(found);
  };
  const wanted = {
    _id: new mongo.Binary(hash),
    kind: 'invitation',
    expires_at: { $gt: new Date(action.atMs) },
  } as const;
  const taken = await oneTimeSecrets.findOne(wanted, { session });
  const secret = taken === null ? undefined : toSecret(taken);
  const { invitedBy = operator } = readInvitation(secret) ?? {};
  const inviter = invitedBy === operator ? undefined : await find(invitedBy.id);
  const joining =
    'personId' in joiner ? await find(joiner.personId) : { ...joiner.newPerson, memberships: [] };
  if (joining === undefined) return { kind: 'no_person' };
  const decision = decideJoin(secret, inviter, joining, action);
  if (decision.kind !== 'joins') return decision;
  const { membership, entry } = decision;
  await oneTimeSecrets.deleteOne(wanted, { session });
  const { accountId } = membership;
  if (entry.action === 'person.role-changed')
    await barInvitations(accountId, joining, { oneTimeSecrets, session });
  if ('newPerson' in joiner) {
    const added: Person = { ...joiner.newPerson, memberships: [membership] };
    await people.insertOne(toPersonDocument(added), { session });
    await audit.insertOne(toAuditDocument(entry), { session });
    return { kind: 'joined', person: added, accountId };
  }
  await setMembership(joiner.personId, membership, { people, session });
  await audit.insertOne(toAuditDocument(entry), { session });
  const person = await find(joiner.personId);
  return person === undefined ? { kind: 'no_person' } : { kind: 'joined', person, accountId };
}

async function setMembership(
  personId: string,
  membership: Membership,
  { people, session }: Pick<Collections, 'people'> & InSession,
): Promise<void> {
  const own = toMembershipDocument(membership);
  const others = { $filter: { input: '$memberships', cond: { $ne: ['$$this.account_id', own.account_id] } } };
  const memberships = { $concatArrays: [others, [{ $literal: own }]] };
  await people.updateOne({ _id: personId }, [{ $set: { memberships } }], sessionOf(session));
}

function memberMethods(
  collections: Collections,
  recording: Recording,
): Pick<People, 'changeRole' | 'removeMember'> {
  const { people, sessions, oneTimeSecrets } = collections;
  const find = async (accountId: string, personId: string, { session }: InSession) => {
    const found = await people.findOne({ _id: personId }, sessionOf(session));
    const person = found === null ? undefined : toPerson(found);
    const membership = person && membershipOf(person, accountId);
    return membership && { person, membership };
  };
  return {
    changeRole: (accountId, personId, role, entry) =>
      recording(
        entry,
        async (session) => {
          const found = await find(accountId, personId, { session });
          if (found === undefined) return 'not_found';
          if (found.membership.role === role) return 'unchanged';
          if (await isLastOwner(found.membership, personId, { ...collections, session })) return 'last_owner';
          await setMembership(personId, { ...found.membership, role }, { people, session });
          await voidInvitations(found, { oneTimeSecrets, session });
          return 'changed';
        },
        (outcome) => outcome === 'changed',
      ),
    removeMember: (accountId, personId, entry) =>
      recording(
        entry,
        async (session) => {
          const options = sessionOf(session);
          const found = await find(accountId, personId, { session });
          if (found === undefined) return 'not_found';
          if (await isLastOwner(found.membership, personId, { ...collections, session })) return 'last_owner';
          await voidInvitations(found, { oneTimeSecrets, session });
          const sent = {
            kind: 'invitation',
            'data.accountId': accountId,
            'data.invitedBy': personId,
          } as const;
          await oneTimeSecrets.deleteMany(sent, options);
          const isLast = found.person.memberships.length === 1;
          if (isLast) await people.deleteOne({ _id: personId }, options);
          else {
            const removed = { $pull: { memberships: { account_id: accountId } } };
            await people.updateOne({ _id: personId }, removed, options);
          }
          const ended = { person_id: personId, ...(!isLast && { account_id: accountId }) };
          await sessions.deleteMany(ended, options);
          return 'removed';
        },
        (outcome) => outcome === 'removed',
      ),
  };
}

/**
 * Writes to the account's document, so two transactions that each remove another owner conflict: a snapshot alone would let
 * both see the other's owner.
 */
async function isLastOwner(
  { accountId, role }: Membership,
  personId: string,
  { accounts, people, session }: Collections & InSession,
): Promise<boolean> {
  if (role !== 'owner') return false;
  const options = sessionOf(session);
  await accounts.updateOne({ _id: accountId }, { $inc: { owner_changes: 1 } }, options);
  const owners = { $elemMatch: { account_id: accountId, role: 'owner' as const } };
  const filter = { 'memberships.account_id': accountId, memberships: owners, _id: { $ne: personId } };
  return (await people.findOne(filter, { ...options, projection: { _id: 1 } })) === null;
}

function passkeyMethods(
  { people, sessions }: Pick<Collections, 'people' | 'sessions'>,
  recording: Recording,
): Pick<People, 'addPasskey' | 'recordPasskeyUse' | 'removePasskey'> {
  const hasPerson = async (filter: mongo.Filter<PersonDocument>, { session }: InSession) =>
    (await people.findOne(filter, { ...sessionOf(session), projection: { _id: 1 } })) !== null;
  return {
    addPasskey: async (personId, passkey, entry) => {
      try {
        return await recording(
          entry,
          async (session) => {
            // The unique index compares different people only.
            const filter = { _id: personId, 'passkeys.id': { $ne: passkey.id } };
            const added = { $push: { passkeys: toPasskeyDocument(passkey) } };
            const { matchedCount } = await people.updateOne(filter, added, sessionOf(session));
            if (matchedCount === 1) return 'added';
            return (await hasPerson({ _id: personId }, { session })) ? 'exists' : 'no_person';
          },
          (outcome) => outcome === 'added',
        );
      } catch (error) {
        if (isDuplicate((error as Error).cause, 'passkeys.id')) return 'exists';
        throw error;
      }
    },
    recordPasskeyUse: (personId, passkeyId, counter, atMs) =>
      write(async () => {
        const raised = { 'passkeys.$.counter': counter, 'passkeys.$.last_used_at': new Date(atMs) };
        await people.updateOne({ _id: personId, 'passkeys.id': passkeyId }, { $max: raised });
      }),
    removePasskey: (personId, passkeyId, keptSessionId, entry) =>
      recording(
        entry,
        async (session) => {
          const filter = { _id: personId, 'passkeys.id': passkeyId };
          const removed = { $pull: { passkeys: { id: passkeyId } } };
          const several = { ...filter, 'passkeys.1': { $exists: true } };
          const { matchedCount } = await people.updateOne(several, removed, sessionOf(session));
          if (matchedCount === 0) return (await hasPerson(filter, { session })) ? 'last' : 'not_found';
          const others = { person_id: personId, id: { $ne: keptSessionId } };
          await sessions.deleteMany(others, sessionOf(session));
          return 'removed';
        },
        (outcome) => outcome === 'removed',
      ),
  };
}

function toPersonDocument({ id, createdAtMs, memberships, passkeys, openId }: Person): PersonDocument {
  return {
    _id: id,
    created_at: new Date(createdAtMs),
    memberships: memberships.map(toMembershipDocument),
    passkeys: passkeys.map(toPasskeyDocument),
    ...(openId !== undefined && { open_id: { issuer: openId.issuer, subject: openId.subject } }),
  };
}

function toMembershipDocument({ accountId, role, email }: Membership) {
  return { account_id: accountId, role, email };
}

function toPasskeyDocument(passkey: Passkey): PasskeyDocument {
  const { id, publicKey, counter, transports, name, createdAtMs, lastUsedAtMs } = passkey;
  return {
    id,
    public_key: new mongo.Binary(publicKey),
    counter,
    transports: [...transports],
    name,
    created_at: new Date(createdAtMs),
    ...(lastUsedAtMs !== undefined && { last_used_at: new Date(lastUsedAtMs) }),
  };
}

function toPerson({ _id, created_at, memberships, passkeys, open_id }: PersonDocument): Person {
  return {
    id: _id,
    createdAtMs: created_at.getTime(),
    memberships: memberships
      .map(({ account_id, role, email }): Membership => ({ accountId: account_id, role, email }))
      .sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
    passkeys: passkeys.map(toPasskey),
    ...(open_id !== undefined && { openId: { issuer: open_id.issuer, subject: open_id.subject } }),
  };
}

function toPasskey(document: PasskeyDocument): Passkey {
  const { id, public_key, counter, transports, name, created_at, last_used_at } = document;
  return {
    id,
    publicKey: bytesOf(public_key),
    counter,
    transports,
    name,
    createdAtMs: created_at.getTime(),
    ...(last_used_at !== undefined && { lastUsedAtMs: last_used_at.getTime() }),
  };
}
