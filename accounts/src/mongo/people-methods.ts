import { mongo } from 'mongoose';
import type { Passkey, People, Person } from '../people/people.ts';
import { isDuplicate, read, write } from './mongo-calls.ts';
import type { PeopleCollections, PersonDocument } from './mongo-people-schema.ts';
import {
  toMembershipDocument,
  toPasskeyDocument,
  toPerson,
  toPersonDocument,
  toTotpDocument,
} from './people-documents.ts';

/** A person is one document, so every change is atomic. */
export function peopleMethods({ people }: Pick<PeopleCollections, 'people'>): People {
  const findOne = (filter: mongo.Filter<PersonDocument>) =>
    read(async () => {
      const found = await people.findOne(filter);
      return found === null ? undefined : toPerson(found);
    });
  /** Resolves to whether the filter found the person. */
  const update = (
    filter: mongo.Filter<PersonDocument>,
    change: mongo.UpdateFilter<PersonDocument> | mongo.Document[],
  ) => write(async () => (await people.updateOne(filter, change)).matchedCount === 1);
  return {
    addPerson: (person) => write(() => addPerson(person, people)),
    findPerson: (id) => findOne({ _id: id }),
    findPersonByEmail: (email) => findOne({ email }),
    findPersonByPasskey: (passkeyId) => findOne({ 'passkeys.id': passkeyId }),
    listPeople: (accountId) =>
      read(async () => {
        const filter = { 'memberships.account_id': accountId };
        return (await people.find(filter, { sort: { email: 1 } }).toArray()).map(toPerson);
      }),
    setMembership: (personId, membership) => {
      const { account_id, role } = toMembershipDocument(membership);
      const others = { $filter: { input: '$memberships', cond: { $ne: ['$$this.account_id', account_id] } } };
      const own = [{ account_id: { $literal: account_id }, role: { $literal: role } }];
      return update({ _id: personId }, [{ $set: { memberships: { $concatArrays: [others, own] } } }]);
    },
    removeMembership: (personId, accountId) =>
      update(
        { _id: personId, 'memberships.account_id': accountId },
        { $pull: { memberships: { account_id: accountId } } },
      ),
    setPassword: (personId, passwordHash) =>
      update(
        { _id: personId },
        passwordHash === null ? { $unset: { password_hash: 1 } } : { $set: { password_hash: passwordHash } },
      ),
    setTotp: (personId, factor) =>
      update(
        { _id: personId },
        factor === null
          ? { $unset: { totp: 1 }, $set: { recovery_codes: [] } }
          : {
              $set: {
                totp: toTotpDocument(factor.totp),
                recovery_codes: factor.recoveryCodes.map((hash) => new mongo.Binary(hash)),
              },
            },
      ),
    useTotpStep: (personId, step) =>
      update({ _id: personId, 'totp.last_step': { $lt: step } }, { $set: { 'totp.last_step': step } }),
    useRecoveryCode: (personId, hash) => {
      const code = new mongo.Binary(hash);
      return update({ _id: personId, recovery_codes: code }, { $pull: { recovery_codes: code } });
    },
    ...passkeyMethods(people, update),
  };
}

type Update = (
  filter: mongo.Filter<PersonDocument>,
  change: mongo.UpdateFilter<PersonDocument>,
) => Promise<boolean>;

function passkeyMethods(
  people: PeopleCollections['people'],
  update: Update,
): Pick<People, 'addPasskey' | 'recordPasskeyUse' | 'removePasskey' | 'removeSignInMethods'> {
  return {
    addPasskey: (personId, passkey) => write(() => addPasskey(personId, passkey, people)),
    recordPasskeyUse: async (personId, passkeyId, counter, atMs) => {
      const raised = { 'passkeys.$.counter': counter, 'passkeys.$.last_used_at': new Date(atMs) };
      await update({ _id: personId, 'passkeys.id': passkeyId }, { $max: raised });
    },
    removePasskey: (personId, passkeyId) =>
      update({ _id: personId, 'passkeys.id': passkeyId }, { $pull: { passkeys: { id: passkeyId } } }),
    removeSignInMethods: (personId) =>
      update(
        { _id: personId },
        { $unset: { password_hash: 1, totp: 1 }, $set: { recovery_codes: [], passkeys: [] } },
      ),
  };
}

async function addPerson(person: Person, people: PeopleCollections['people']): Promise<'added' | 'exists'> {
  try {
    await people.insertOne(toPersonDocument(person));
    return 'added';
  } catch (error) {
    // The server only answers this once the existing person is on a majority too.
    if (isDuplicate(error, 'email')) return 'exists';
    throw error;
  }
}

async function addPasskey(
  personId: string,
  passkey: Passkey,
  people: PeopleCollections['people'],
): Promise<'added' | 'exists' | 'no_person'> {
  try {
    // The unique index compares different people only.
    const filter = { _id: personId, 'passkeys.id': { $ne: passkey.id } };
    const { matchedCount } = await people.updateOne(filter, {
      $push: { passkeys: toPasskeyDocument(passkey) },
    });
    if (matchedCount === 1) return 'added';
  } catch (error) {
    if (isDuplicate(error, 'passkeys.id')) return 'exists';
    throw error;
  }
  return (await people.findOne({ _id: personId }, { projection: { _id: 1 } })) === null
    ? 'no_person'
    : 'exists';
}
