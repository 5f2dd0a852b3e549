import { isDuplicateKey } from '@jobs-delete/runtime/mongo/open-mongo';
import { trusted, type mongo } from 'mongoose';
import { entryFor, type AuditEntry, type AuditTrail } from '../people/audit-trail.ts';
import { fromStored, toStored } from './documents.ts';
import type { AccountsModels, AuditDocument } from './mongo-accounts-schema.ts';

/** null outside a transaction. */
export type ClientSession = mongo.ClientSession | null;

/** Runs a change, and records it if it has changed something, in one transaction. */
export interface Recording {
  /** Without an entry, there is no transaction. */
  <Outcome>(
    entry: AuditEntry | undefined,
    change: (session: ClientSession) => Promise<Outcome>,
  ): Promise<Outcome>;
  /** Always in a transaction, which the driver repeats after a conflict with another one. */
  readonly transact: <Outcome>(
    entry: AuditEntry | undefined,
    change: (session: mongo.ClientSession) => Promise<Outcome>,
  ) => Promise<Outcome>;
}

export function createRecording(
  client: mongo.MongoClient,
  { audit }: Pick<AccountsModels, 'audit'>,
): Recording {
  const transact: Recording['transact'] = (entry, change) =>
    client.withSession((session) =>
      session.withTransaction(
        async () => {
          const outcome = await change(session);
          const recorded = entry && entryFor(outcome, entry);
          if (recorded !== undefined) await addEntry(recorded, { audit, session });
          return outcome;
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
      ),
    );
  const record = <Outcome>(
    entry: AuditEntry | undefined,
    change: (session: ClientSession) => Promise<Outcome>,
  ) => (entry === undefined ? change(null) : transact(entry, change));
  return Object.assign(record, { transact });
}

export async function addEntry(
  { id, ...entry }: AuditEntry,
  { audit, session }: Pick<AccountsModels, 'audit'> & { readonly session: ClientSession },
): Promise<void> {
  await audit.insertOne({ _id: id, ...toStored(entry) }, { session });
}

export function auditMethods({ audit }: Pick<AccountsModels, 'audit'>): AuditTrail {
  return {
    recordAction: async (entry) => {
      try {
        await addEntry(entry, { audit, session: null });
        return 'recorded';
      } catch (error) {
        if (isDuplicateKey(error)) return 'exists';
        throw error;
      }
    },
    hasAction: async (accountId, id) => (await audit.exists({ _id: id, account_id: accountId })) !== null,
    listActions: async ({ accountId, pageSize, fromMs, toMs, after }) => {
      const bounds = [
        ...(fromMs === undefined ? [] : [{ at: trusted({ $gte: new Date(fromMs) }) }]),
        ...(toMs === undefined ? [] : [{ at: trusted({ $lt: new Date(toMs) }) }]),
        ...(after === undefined ? [] : [before(after)]),
      ];
      const filter = { account_id: accountId, ...(bounds.length > 0 && { $and: bounds }) };
      const found = await audit.find(filter).sort({ at: -1, _id: -1 }).limit(pageSize).lean();
      return found.map(toEntry);
    },
  };
}

/**
 * Returns the filter of what is older. `at` alone bounds the index scan: `$or` only leaves out the documents of the same
 * millisecond that are no longer due.
 */
export function before({ atMs, id }: Pick<AuditEntry, 'atMs' | 'id'>) {
  const at = new Date(atMs);
  return {
    at: trusted({ $lte: at }),
    $or: [{ at: trusted({ $lt: at }) }, { _id: trusted({ $lt: id }) }],
  };
}

function toEntry({ _id, ...entry }: AuditDocument): AuditEntry {
  return { id: _id, ...fromStored<Omit<AuditEntry, 'id'>>(entry) };
}
