import { requireIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import type { mongo } from 'mongoose';
import type { Access, AccountChange, Accounts, CredentialRef, StoredCredential } from '../accounts.ts';
import {
  toAccount,
  toAccountDocument,
  toCredential,
  toCredentialDocument,
  toStoredCredential,
} from './account-documents.ts';
import {
  accountsCollections,
  mongoAccountsModels,
  type AccountDocument,
  type AccountsCollections,
  type CredentialDocument,
} from './mongo-accounts-schema.ts';
import { auditMethods, createRecording, createTransact, type Recording } from './audit-methods.ts';
import { isDuplicate, read, sessionOf, timeoutMs, write } from './mongo-calls.ts';
import { oneTimeSecretMethods } from './one-time-secret-methods.ts';
import { peopleCollections } from './mongo-people-schema.ts';
import { peopleMethods } from './people-methods.ts';
import { refusalMethods } from './refusal-methods.ts';
import { sessionMethods } from './session-methods.ts';
import { pepperMethods } from './pepper-methods.ts';

export type MongoAccounts = Accounts & { close(): Promise<void> };

/**
 * Accounts on a MongoDB replica set or sharded cluster, for any number of processes. A change and its entry in
 * the audit trail are one transaction. Reads see the primary's latest state: right after an election, a majority snapshot may lack
 * acknowledged writes.
 * @throws StartupError when indexes are missing
 */
export async function openMongoAccounts(connection: Mongo): Promise<MongoAccounts> {
  await requireIndexes(mongoAccountsModels(connection));
  const collections = accountsCollections(connection);
  const people = peopleCollections(connection);
  const transact = createTransact(connection.getClient());
  const recording = createRecording(transact, people.audit);
  return {
    ...accountMethods(collections),
    ...credentialMethods(collections, recording),
    ...domainMethods(collections, recording),
    ...peopleMethods({ ...collections, ...people }, transact, recording),
    ...sessionMethods(people, recording),
    ...oneTimeSecretMethods(people, recording),
    ...auditMethods(people),
    ...refusalMethods(people, collections),
    loadAccess: (tokenId) => read(() => loadAccess(tokenId, collections)),
    ...pepperMethods(collections),
    close: () => connection.close(),
  };
}

function accountMethods({
  accounts,
}: AccountsCollections): Pick<Accounts, 'addAccount' | 'findAccount' | 'listAccounts' | 'changeAccount'> {
  const projection = { allowed_domains: 0 } as const;
  return {
    addAccount: (account) =>
      write(async () => {
        try {
          await accounts.insertOne(toAccountDocument(account));
          return 'added';
        } catch (error) {
          // The server only answers this once the existing account is on a majority too.
          if (isDuplicate(error)) return 'exists';
          throw error;
        }
      }),
    findAccount: (id) =>
      read(async () => {
        const found = await accounts.findOne({ _id: id }, { projection });
        return found === null ? undefined : toAccount(found);
      }),
    listAccounts: () =>
      read(async () => {
        const options = { projection, sort: { created_at: 1, _id: 1 } } as const;
        return (await accounts.find({}, options).toArray()).map(toAccount);
      }),
    changeAccount: (id, change) =>
      write(async () => {
        const after = await accounts.findOneAndUpdate({ _id: id }, [{ $set: changedFields(change) }], {
          returnDocument: 'after',
          projection,
        });
        return after === null ? undefined : toAccount(after);
      }),
  };
}

/** The `$set` of a pipeline: it disables an account only once. */
function changedFields(change: AccountChange): mongo.Document {
  if ('name' in change) return { name: { $literal: change.name } };
  if (change.disabledAtMs === null) return { disabled_at: '$$REMOVE' };
  return { disabled_at: { $ifNull: ['$disabled_at', new Date(change.disabledAtMs)] } };
}

type CredentialMethods = Pick<
  Accounts,
  'addCredential' | 'findCredential' | 'listCredentials' | 'revokeCredential' | 'recordUse' | 'recordRefusal'
>;

function credentialMethods(collections: AccountsCollections, recording: Recording): CredentialMethods {
  const { credentials } = collections;
  return {
    addCredential: (credential, entry) =>
      recording(
        entry,
        (session) => addCredential(credential, collections, session),
        (outcome) => outcome === 'added',
      ),
    findCredential: ({ kind, id }) =>
      read(async () => {
        const found = await credentials.findOne({ kind, id });
        return found === null ? undefined : toStoredCredential(found);
      }),
    listCredentials: (kind, accountId) =>
      read(async () => {
        const options = { projection: { hash: 0 }, sort: { created_at: 1, id: 1 } } as const;
        return (await credentials.find({ account_id: accountId, kind }, options).toArray()).map(toCredential);
      }),
    revokeCredential: (accountId, credential, atMs, entry) =>
      recording(
        entry,
        (session) => revokeCredential(accountId, credential, atMs, { ...collections, session }),
        (outcome) => outcome === 'revoked',
      ),
    recordUse: (used, atMs) => raise(used, { last_used_at: new Date(atMs) }, collections),
    recordRefusal: (refused, atMs) => raise(refused, { last_refused_at: new Date(atMs) }, collections),
  };
}

function domainMethods(
  { accounts }: AccountsCollections,
  recording: Recording,
): Pick<Accounts, 'allowDomain' | 'listDomains' | 'removeDomain'> {
  return {
    allowDomain: async (accountId, domain, entry) => {
      const { matchedCount } = await recording(
        entry,
        (session) => {
          const update = { $addToSet: { allowed_domains: domain } };
          return accounts.updateOne({ _id: accountId }, update, sessionOf(session));
        },
        ({ modifiedCount }) => modifiedCount === 1,
      );
      return matchedCount === 1 ? 'allowed' : 'no_account';
    },
    listDomains: (accountId) =>
      read(async () => {
        const found = await accounts.findOne({ _id: accountId }, { projection: { allowed_domains: 1 } });
        return found?.allowed_domains.sort() ?? [];
      }),
    removeDomain: (accountId, domain, entry) =>
      recording(
        entry,
        async (session) => {
          const update = { $pull: { allowed_domains: domain } };
          const { modifiedCount } = await accounts.updateOne({ _id: accountId }, update, sessionOf(session));
          return modifiedCount === 1;
        },
        (wasAllowed) => wasAllowed,
      ),
  };
}

/** Raises a time of the credentials, and never lowers it. */
function raise(
  refs: readonly CredentialRef[],
  time: Pick<CredentialDocument, 'last_used_at' | 'last_refused_at'>,
  { credentials }: AccountsCollections,
): Promise<void> {
  return write(async () => {
    if (refs.length === 0) return;
    const filter = { $or: refs.map(({ kind, id }) => ({ kind, id })) };
    await credentials.updateMany(filter, { $max: time });
  });
}

/** Opens accounts on a connection of their own. `close` closes it. @throws StartupError */
export async function connectMongoAccounts(url: string, pool?: MongoPool): Promise<MongoAccounts> {
  const connection = await openMongo(url, { pool });
  try {
    return await openMongoAccounts(connection);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Never stores a credential without its account: a linearizable read or a transaction sees the account, so no failover can
 * undo it, and accounts are never removed.
 */
async function addCredential(
  credential: StoredCredential,
  { accounts, credentials }: AccountsCollections,
  session: mongo.ClientSession | undefined,
): Promise<'added' | 'no_account'> {
  const options =
    session === undefined ? { readConcern: 'linearizable' as const, maxTimeMS: timeoutMs } : { session };
  const filter = { _id: credential.accountId };
  if ((await accounts.findOne(filter, { projection: { _id: 1 }, ...options })) === null) return 'no_account';
  await credentials.insertOne(toCredentialDocument(credential), sessionOf(session));
  return 'added';
}

/** One update, which returns the document before it. It sets `revoked_at` only once. */
async function revokeCredential(
  accountId: string,
  { kind, id }: CredentialRef,
  atMs: number,
  { credentials, session }: AccountsCollections & { readonly session: mongo.ClientSession | undefined },
): Promise<'revoked' | 'already_revoked' | 'not_found'> {
  const before = await credentials.findOneAndUpdate(
    { kind, id, account_id: accountId },
    [{ $set: { revoked_at: { $ifNull: ['$revoked_at', new Date(atMs)] } } }],
    { returnDocument: 'before', projection: { revoked_at: 1 }, ...sessionOf(session) },
  );
  if (before === null) return 'not_found';
  return before.revoked_at === undefined ? 'revoked' : 'already_revoked';
}

async function loadAccess(
  tokenId: string,
  { accounts, credentials }: AccountsCollections,
): Promise<Access | undefined> {
  const [found] = await credentials
    .aggregate<CredentialDocument & { account: AccountDocument[] }>([
      { $match: { kind: 'token', id: tokenId } },
      {
        $lookup: {
          from: accounts.collectionName,
          localField: 'account_id',
          foreignField: '_id',
          as: 'account',
        },
      },
    ])
    .toArray();
  if (found === undefined) return undefined;
  const allowedDomains = found.account.flatMap(({ allowed_domains }) => allowed_domains).sort();
  const isDisabled = found.account.some(({ disabled_at }) => disabled_at !== undefined);
  return {
    token: toStoredCredential(found),
    allowedDomains,
    ...(isDisabled && { isAccountDisabled: true as const }),
  };
}
