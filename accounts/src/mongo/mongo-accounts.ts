import { trusted, type UpdateQuery } from 'mongoose';
import { requireIndexes, type IndexedCollection } from '@jobs-delete/runtime/mongo/mongo-indexes';
import type { MongoPool } from '@jobs-delete/runtime/mongo/open-mongo';
import { isDuplicateKey, mongoRead, mongoWrite, openMongo } from '@jobs-delete/runtime/mongo/open-mongo';
import type { Account, AccountChange, Accounts, DomainRef, Domains } from '../accounts.ts';
import { fromStored, toStored, type Stored } from './documents.ts';
import { accountsModels, type AccountDocument, type AccountsModels } from './mongo-accounts-schema.ts';
import { auditMethods, createRecording, type ClientSession, type Recording } from './mongo-audit-trail.ts';
import { credentialMethods } from './mongo-credentials.ts';
import { oneTimeSecretMethods } from './mongo-one-time-secrets.ts';
import { peopleMethods, sessionMethods } from './mongo-people.ts';
import { refusalMethods } from './mongo-refusals.ts';

export type MongoAccounts = Accounts & { close(): Promise<void> };

/**
 * Accounts on a MongoDB replica set or sharded cluster, for any number of processes. A change and its entry in
 * the audit trail are one transaction. Reads see the primary's latest state: right after an election, a majority snapshot may lack
 * acknowledged writes. `close` closes the connection.
 * @throws StartupError, also when indexes are missing
 */
export async function connectMongoAccounts(url: string, pool?: MongoPool): Promise<MongoAccounts> {
  const connection = await openMongo(url, { pool });
  const models = accountsModels(connection);
  try {
    await requireIndexes(Object.values<IndexedCollection>(models));
  } catch (error) {
    await connection.close();
    throw error;
  }
  const recording = createRecording(connection.getClient(), models);
  const methods: Accounts = {
    ...accountMethods(models),
    ...domainMethods(models, recording),
    ...credentialMethods(models, recording),
    ...peopleMethods(models, recording),
    ...sessionMethods(models, recording),
    ...oneTimeSecretMethods(models, recording),
    ...auditMethods(models),
    ...refusalMethods(models),
  };
  return { ...withFaults(methods), close: () => connection.close() };
}

/** Shorter than the answer timeout of the gateway. */
const timeoutMs = 5_000;
/** Counting reads every credential, and only an operator or a start during a rotation waits for it. */
const countTimeoutMs = 60_000;

/** Rejects with a Fault: `unavailable` for the methods whose names say that they only read, otherwise `unknown-outcome`. */
function withFaults(methods: Accounts): Accounts {
  const wrapped = Object.entries(methods).map(([name, method]) => {
    // Casts: the compiler does not know which arguments belong to a name.
    const call = method as (...values: readonly unknown[]) => Promise<unknown>;
    const run = /^(find|list|load|count)/.test(name) ? mongoRead : mongoWrite;
    const limitMs = name === 'countByPepper' ? countTimeoutMs : timeoutMs;
    return [name, (...values: readonly unknown[]) => run(() => call(...values), limitMs)];
  });
  return Object.fromEntries(wrapped) as Accounts;
}

type AccountMethods = Pick<
  Accounts,
  'addAccount' | 'findAccount' | 'findAccounts' | 'listAccounts' | 'changeAccount'
>;

function accountMethods({ accounts }: AccountsModels): AccountMethods {
  const fields = { name: 1, created_at: 1, disabled_at: 1 } as const;
  const find = async (id: string) => {
    const found = await accounts.findById(id, fields).lean();
    return found === null ? undefined : toAccount(found);
  };
  return {
    addAccount: async ({ id, ...account }) => {
      try {
        await accounts.insertOne({ _id: id, ...toStored(account), allowed_domains: [] });
        return 'added';
      } catch (error) {
        // The server only answers this once the existing account is on a majority too.
        if (isDuplicateKey(error)) return 'exists';
        throw error;
      }
    },
    findAccount: find,
    findAccounts: async (ids) =>
      (await accounts.find({ _id: trusted({ $in: [...ids] }) }, fields).lean()).map(toAccount),
    listAccounts: async () =>
      (await accounts.find({}, fields).sort({ created_at: 1, _id: 1 }).lean()).map(toAccount),
    changeAccount: async (id, change) => {
      await changeAccount(id, change, accounts);
      return find(id);
    },
  };
}

async function changeAccount(id: string, change: AccountChange, accounts: AccountsModels['accounts']) {
  if ('name' in change) await accounts.updateOne({ _id: id }, { $set: { name: change.name } });
  else if (change.disabledAtMs === null)
    await accounts.updateOne({ _id: id }, { $unset: { disabled_at: 1 } });
  else {
    const isEnabled = { _id: id, disabled_at: trusted({ $exists: false }) };
    await accounts.updateOne(isEnabled, { $set: { disabled_at: new Date(change.disabledAtMs) } });
  }
}

function toAccount({
  _id,
  ...account
}: Pick<AccountDocument, '_id' | keyof Stored<Omit<Account, 'id'>>>): Account {
  return { id: _id, ...fromStored<Omit<Account, 'id'>>(account) };
}

function domainMethods({ accounts, domainUses }: AccountsModels, recording: Recording): Domains {
  const change = async (accountId: string, update: UpdateQuery<AccountDocument>, session: ClientSession) => {
    const changed = await accounts.updateOne({ _id: accountId }, update).session(session);
    const { matchedCount, modifiedCount } = changed;
    if (matchedCount === 0) return 'no_account';
    return modifiedCount === 1 ? 'changed' : 'unchanged';
  };
  const forgetUse = (accountId: string, domain: string, session: ClientSession) =>
    domainUses.deleteOne({ _id: useId({ accountId, domain }) }).session(session);
  const list = async (accountId: string) =>
    (await accounts.findById(accountId, { allowed_domains: 1 }).lean())?.allowed_domains.sort() ?? [];
  return {
    allowDomain: async (accountId, domain, entry) => {
      const outcome = await recording(entry, async (session) => {
        const changed = await change(accountId, { $addToSet: { allowed_domains: domain } }, session);
        // A use may be recorded after the removal.
        if (changed === 'changed') await forgetUse(accountId, domain, session);
        return changed;
      });
      return outcome === 'no_account' ? outcome : 'allowed';
    },
    listDomains: list,
    listDomainUses: async (accountId) => {
      const domains = await list(accountId);
      const ids = domains.map((domain) => useId({ accountId, domain }));
      const used = await domainUses.find({ _id: trusted({ $in: ids }) }).lean();
      const times = new Map(used.map(({ _id, last_used_at }) => [_id, last_used_at.getTime()]));
      return domains.map((domain) => {
        const lastUsedAtMs = times.get(useId({ accountId, domain }));
        return { domain, ...(lastUsedAtMs !== undefined && { lastUsedAtMs }) };
      });
    },
    recordDomainUse: async (domains, atMs) => {
      const update = { $max: { last_used_at: new Date(atMs) } };
      const raised = domains.map((ref) => ({
        updateOne: { filter: { _id: useId(ref) }, update, upsert: true },
      }));
      await domainUses.bulkWrite(raised, { ordered: false });
    },
    removeDomain: async (accountId, domain, entry) => {
      const outcome = await recording(entry, async (session) => {
        await forgetUse(accountId, domain, session);
        return change(accountId, { $pull: { allowed_domains: domain } }, session);
      });
      return outcome === 'changed';
    },
  };
}

/** No account id has a space. */
function useId({ accountId, domain }: DomainRef): string {
  return `${accountId} ${domain}`;
}
