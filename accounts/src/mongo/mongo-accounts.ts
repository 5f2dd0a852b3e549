import { requireIndexes } from '@jobs-delete/runtime/mongo/mongo-indexes';
import type { MongoPool } from '@jobs-delete/runtime/mongo/mongo-pool';
import { mongoRead, mongoWrite, openMongo, type Mongo } from '@jobs-delete/runtime/mongo/open-mongo';
import { mongo } from 'mongoose';
import type { Access, Account, Accounts, Credential, CredentialRef, StoredCredential } from '../accounts.ts';
import {
  accountsCollections,
  mongoAccountsModels,
  type AccountDocument,
  type AccountsCollections,
  type CredentialDocument,
} from './mongo-accounts-schema.ts';

export type MongoAccounts = Accounts & { close(): Promise<void> };

/**
 * Accounts on a MongoDB replica set or sharded cluster, for any number of processes. Every write is to one document,
 * so none needs a transaction. Reads are of the primary's latest: right after an election a majority snapshot may
 * lack what was acknowledged.
 * @throws StartupError when indexes are missing
 */
export async function openMongoAccounts(connection: Mongo): Promise<MongoAccounts> {
  await requireIndexes(mongoAccountsModels(connection));
  const collections = accountsCollections(connection);
  const { accounts, credentials, pepper } = collections;

  return {
    addAccount: (account) =>
      write(async () => {
        try {
          await accounts.insertOne(toAccountDocument(account));
          return 'added';
        } catch (error) {
          // The server answers so only when the one in the way is on a majority too.
          if (isDuplicate(error)) return 'exists';
          throw error;
        }
      }),
    findAccount: (id) =>
      read(async () => {
        const found = await accounts.findOne({ _id: id }, { projection: { allowed_domains: 0 } });
        return found === null ? undefined : toAccount(found);
      }),
    listAccounts: () =>
      read(async () => {
        const options = { projection: { allowed_domains: 0 }, sort: { created_at: 1, _id: 1 } } as const;
        return (await accounts.find({}, options).toArray()).map(toAccount);
      }),

    addCredential: (credential) => write(() => addCredential(credential, collections)),
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
    revokeCredential: (accountId, credential, atMs) =>
      write(() => revokeCredential(accountId, credential, atMs, collections)),
    recordUse: (used, atMs) =>
      write(async () => {
        if (used.length === 0) return;
        const filter = { $or: used.map(({ kind, id }) => ({ kind, id })) };
        await credentials.updateMany(filter, { $max: { last_used_at: new Date(atMs) } });
      }),

    allowDomain: (accountId, domain) =>
      write(async () => {
        const update = { $addToSet: { allowed_domains: domain } };
        const { matchedCount } = await accounts.updateOne({ _id: accountId }, update);
        return matchedCount === 1 ? 'allowed' : 'no_account';
      }),
    listDomains: (accountId) =>
      read(async () => {
        const found = await accounts.findOne({ _id: accountId }, { projection: { allowed_domains: 1 } });
        return found?.allowed_domains.sort() ?? [];
      }),
    removeDomain: (accountId, domain) =>
      write(async () => {
        const update = { $pull: { allowed_domains: domain } };
        const { modifiedCount } = await accounts.updateOne({ _id: accountId }, update);
        return modifiedCount === 1;
      }),

    loadAccess: (tokenId) => read(() => loadAccess(tokenId, collections)),

    keepPepperFingerprint: (fingerprint) =>
      write(async () => {
        const value = new mongo.Binary(fingerprint);
        const options = { upsert: true, returnDocument: 'after' } as const;
        const kept = await pepper.findOneAndUpdate(
          { _id: 'fingerprint' },
          { $setOnInsert: { value } },
          options,
        );
        return kept !== null && fingerprint.equals(kept.value.value()) ? 'same' : 'different';
      }),

    close: () => connection.close(),
  };
}

/** With a connection of its own, which it closes. @throws StartupError */
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
 * The account is seen by a linearizable read, so no failover can take it back before the credential is there; and
 * accounts are never removed. That makes a credential of nobody impossible.
 */
async function addCredential(
  credential: StoredCredential,
  { accounts, credentials }: AccountsCollections,
): Promise<'added' | 'no_account'> {
  const account = await accounts.findOne(
    { _id: credential.accountId },
    { projection: { _id: 1 }, readConcern: 'linearizable', maxTimeMS: longestMs },
  );
  if (account === null) return 'no_account';
  await credentials.insertOne(toCredentialDocument(credential));
  return 'added';
}

/** One update, which tells what was there before it: `revoked_at` is set once and never again. */
async function revokeCredential(
  accountId: string,
  { kind, id }: CredentialRef,
  atMs: number,
  { credentials }: AccountsCollections,
): Promise<'revoked' | 'already_revoked' | 'not_found'> {
  const before = await credentials.findOneAndUpdate(
    { kind, id, account_id: accountId },
    [{ $set: { revoked_at: { $ifNull: ['$revoked_at', new Date(atMs)] } } }],
    { returnDocument: 'before', projection: { revoked_at: 1 } },
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
  return { token: toStoredCredential(found), allowedDomains };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

/** Well within what a caller of the API waits for an answer. */
const longestMs = 5_000;

function read<Result>(use: () => Promise<Result>): Promise<Result> {
  return mongoRead(use, longestMs);
}

function write<Result>(use: () => Promise<Result>): Promise<Result> {
  return mongoWrite(use, longestMs);
}

function toAccountDocument({ id, name, createdAtMs }: Account): AccountDocument {
  return {
    _id: id,
    ...(name !== undefined && { name }),
    created_at: new Date(createdAtMs),
    allowed_domains: [],
  };
}

function toAccount({ _id, name, created_at }: Omit<AccountDocument, 'allowed_domains'>): Account {
  return { id: _id, createdAtMs: created_at.getTime(), ...(name !== undefined && { name }) };
}

function toCredentialDocument(credential: StoredCredential): CredentialDocument {
  const { kind, id, accountId, hash, name, createdAtMs, expiresAtMs, revokedAtMs, lastUsedAtMs } = credential;
  return {
    kind,
    id,
    account_id: accountId,
    hash: new mongo.Binary(hash),
    ...(name !== undefined && { name }),
    created_at: new Date(createdAtMs),
    ...(expiresAtMs !== undefined && { expires_at: new Date(expiresAtMs) }),
    ...(revokedAtMs !== undefined && { revoked_at: new Date(revokedAtMs) }),
    ...(lastUsedAtMs !== undefined && { last_used_at: new Date(lastUsedAtMs) }),
  };
}

function toCredential(document: Omit<CredentialDocument, 'hash'>): Credential {
  const { kind, id, account_id, name, created_at, expires_at, revoked_at, last_used_at } = document;
  return {
    kind,
    id,
    accountId: account_id,
    createdAtMs: created_at.getTime(),
    ...(name !== undefined && { name }),
    ...(expires_at !== undefined && { expiresAtMs: expires_at.getTime() }),
    ...(revoked_at !== undefined && { revokedAtMs: revoked_at.getTime() }),
    ...(last_used_at !== undefined && { lastUsedAtMs: last_used_at.getTime() }),
  };
}

/** The hash is a copy: the driver's is a window onto its whole reply, which a cache would keep alive. */
function toStoredCredential(document: CredentialDocument): StoredCredential {
  return { ...toCredential(document), hash: Buffer.from(document.hash.value()) };
}
