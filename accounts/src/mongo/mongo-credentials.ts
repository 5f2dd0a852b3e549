import { groupBy } from '@jobs-delete/runtime/batching/groups';
import { trusted } from 'mongoose';
import type {
  Access,
  Credential,
  CredentialChange,
  CredentialKind,
  CredentialRef,
  Credentials,
  PepperFingerprints,
  Peppers,
  StoredCredential,
} from '../accounts.ts';
import { fromStored, toStored, type Stored } from './documents.ts';
import { groupReads } from './group-reads.ts';
import type { AccountDocument, AccountsModels, CredentialDocument } from './mongo-accounts-schema.ts';
import type { Recording, ClientSession } from './mongo-audit-trail.ts';

export function credentialMethods(models: AccountsModels, recording: Recording): Credentials & Peppers {
  const { credentials } = models;
  /** Never lowers the time. */
  const raise = async (
    refs: readonly CredentialRef[],
    time: Pick<CredentialDocument, 'last_used_at' | 'last_refused_at'>,
  ) => {
    const kinds = [...groupBy(refs, ({ kind }) => kind)];
    if (kinds.length === 0) return;
    const named = kinds.map(([kind, each]) => ({ kind, id: trusted({ $in: each.map(({ id }) => id) }) }));
    await credentials.updateMany({ $or: named }, { $max: time });
  };
  // A gateway reads a credential again every few seconds. With many accounts, it reads some together.
  const findOfKind = (kind: CredentialKind) => groupReads((ids) => findCredentials(kind, ids, models));
  const find = { token: findOfKind('token'), 'secret-key': findOfKind('secret-key') };
  return {
    addCredential: (credential, entry) =>
      recording(entry, (session) => addCredential(credential, { ...models, session })),
    findCredential: ({ kind, id }) => find[kind](id),
    listCredentials: async (kind, accountId) => {
      const fields = { _id: 0, hash: 0, pepper_id: 0 } as const;
      const found = credentials.find({ account_id: accountId, kind }, fields).sort({ created_at: 1, id: 1 });
      return (await found.lean<Stored<Credential>[]>()).map((each) => fromStored<Credential>(each));
    },
    revokeCredential: (accountId, { kind, id }, atMs, entry) =>
      recording(entry, async (session) => {
        const own = { kind, id, account_id: accountId };
        const live = { ...own, revoked_at: trusted({ $exists: false }) };
        const revoked = { $set: { revoked_at: new Date(atMs) } };
        if ((await credentials.updateOne(live, revoked).session(session)).matchedCount === 1)
          return 'revoked';
        return (await credentials.exists(own).session(session)) ? 'already_revoked' : 'not_found';
      }),
    changeCredential: (accountId, { kind, id }, change, entry) =>
      recording(entry, async (session) => {
        const own = { kind, id, account_id: accountId };
        const [before, update] = updateFor(change);
        const live = { ...own, ...before, revoked_at: trusted({ $exists: false }) };
        if ((await credentials.updateOne(live, update).session(session)).matchedCount === 1) return 'changed';
        return (await credentials.exists(own).session(session)) ? 'unchanged' : 'not_found';
      }),
    recordUse: (used, atMs) => raise(used, { last_used_at: new Date(atMs) }),
    recordRefusal: (refused, atMs) => raise(refused, { last_refused_at: new Date(atMs) }),
    replaceHash: async ({ kind, id }, from, { hash, pepperId }) => {
      await credentials.updateOne({ kind, id, hash: from }, { $set: { hash, pepper_id: pepperId } });
    },
    loadAccess: groupReads((tokenIds) => loadAccesses(tokenIds, models)),
    ...pepperMethods(models),
  };
}

/**
 * Never stores a credential without its account: a linearizable read or a transaction sees the account, so no failover can
 * undo it, and accounts are never removed.
 */
async function addCredential(
  credential: StoredCredential,
  { accounts, credentials, session }: AccountsModels & { readonly session: ClientSession },
): Promise<'added' | 'no_account'> {
  const account = accounts.exists({ _id: credential.accountId });
  const found =
    session === null ? account.readConcern('linearizable').maxTimeMS(5_000) : account.session(session);
  if ((await found) === null) return 'no_account';
  await credentials.insertOne(toStored(credential), { session });
  return 'added';
}

/** Returns the filter of the state before a change, and its update. */
function updateFor(change: CredentialChange) {
  const absent = trusted({ $exists: false });
  if ('name' in change) return [{ name: change.from ?? absent }, { $set: { name: change.name } }] as const;
  const { pausedAtMs } = change;
  return pausedAtMs === null
    ? ([{ paused_at: trusted({ $exists: true }) }, { $unset: { paused_at: 1 as const } }] as const)
    : ([{ paused_at: absent }, { $set: { paused_at: new Date(pausedAtMs) } }] as const);
}

async function findCredentials(
  kind: CredentialKind,
  ids: readonly string[],
  { credentials }: AccountsModels,
): Promise<ReadonlyMap<string, StoredCredential>> {
  const found = await credentials.find({ kind, id: trusted({ $in: ids }) }, { _id: 0 }).lean();
  return new Map(found.map((each) => [each.id, fromStored<StoredCredential>(each)]));
}

async function loadAccesses(
  tokenIds: readonly string[],
  { accounts, credentials }: AccountsModels,
): Promise<ReadonlyMap<string, Access>> {
  const from = accounts.collection.collectionName;
  const found = await credentials.aggregate<CredentialDocument & { account: AccountDocument[] }>([
    { $match: { kind: 'token', id: { $in: tokenIds } } },
    { $lookup: { from, localField: 'account_id', foreignField: '_id', as: 'account' } },
    { $unset: '_id' },
  ]);
  return new Map(found.map((each) => [each.id, toAccess(each)]));
}

function toAccess({ account, ...token }: CredentialDocument & { account: AccountDocument[] }): Access {
  const isDisabled = account.some(({ disabled_at }) => disabled_at !== undefined);
  return {
    token: fromStored<StoredCredential>(token),
    allowedDomains: account.flatMap(({ allowed_domains }) => allowed_domains).sort(),
    ...(isDisabled && { isAccountDisabled: true as const }),
  };
}

function pepperMethods({ credentials, pepper }: AccountsModels): Peppers {
  const _id = 'fingerprint' as const;
  return {
    keepPepperFingerprint: async (fingerprint) => {
      await pepper.updateOne({ _id }, { $setOnInsert: { value: fingerprint } }, { upsert: true });
    },
    findPepperFingerprints: async () => {
      const found = await pepper.findOne({ _id }, { _id: 0 }).lean();
      if (found === null) return undefined;
      const { value, ...second } = found;
      return fromStored<PepperFingerprints>({ first: value, ...second });
    },
    /** One document has both, so one update replaces them. */
    changePepperFingerprints: async (from, to) => {
      const kept = { _id, value: from.first, second: from.second ?? trusted({ $exists: false }) };
      const second = to.second === undefined ? { $unset: { second: 1 as const } } : {};
      const set = { $set: { value: to.first, ...(to.second !== undefined && { second: to.second }) } };
      return (await pepper.updateOne(kept, { ...set, ...second })).matchedCount === 1;
    },
    countByPepper: async (atMs) => {
      const isLive = {
        revoked_at: { $exists: false },
        $or: [{ expires_at: { $exists: false } }, { expires_at: { $gt: new Date(atMs) } }],
      };
      const groups = await credentials.aggregate<{ _id: string | null; credentials: number }>([
        { $match: isLive },
        { $group: { _id: '$pepper_id', credentials: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ]);
      return groups.map(({ _id, credentials }) => ({ ...(_id !== null && { pepperId: _id }), credentials }));
    },
  };
}
