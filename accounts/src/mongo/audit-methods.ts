import type { mongo } from 'mongoose';
import type { AuditEntry, AuditQuery, AuditTrail } from '../people/audit-trail.ts';
import { read, write } from './mongo-calls.ts';
import type { AuditDocument, PeopleCollections } from './mongo-people-schema.ts';

/** Runs a change in a transaction. Rejects with a Fault. */
export type Transact = <Outcome>(
  change: (session: mongo.ClientSession) => Promise<Outcome>,
) => Promise<Outcome>;

/** Runs a change, and records it if it has changed something, in one transaction. */
export type Recording = <Outcome>(
  entry: AuditEntry | undefined,
  change: (session: mongo.ClientSession | undefined) => Promise<Outcome>,
  hasChanged: (outcome: Outcome) => boolean,
) => Promise<Outcome>;

/** The driver repeats the change after a conflict with another transaction. */
export function createTransact(client: mongo.MongoClient): Transact {
  return (change) =>
    write(() =>
      client.withSession((session) =>
        session.withTransaction(() => change(session), {
          readConcern: { level: 'snapshot' },
          writeConcern: { w: 'majority', journal: true },
        }),
      ),
    );
}

export function createRecording(transact: Transact, audit: PeopleCollections['audit']): Recording {
  return (entry, change, hasChanged) =>
    entry === undefined
      ? write(() => change(undefined))
      : transact(async (session) => {
          const outcome = await change(session);
          if (hasChanged(outcome)) await audit.insertOne(toAuditDocument(entry), { session });
          return outcome;
        });
}

export function auditMethods({ audit }: Pick<PeopleCollections, 'audit'>): AuditTrail {
  return {
    recordAction: (entry) =>
      write(async () => {
        await audit.insertOne(toAuditDocument(entry));
      }),
    listActions: (query) =>
      read(async () => {
        const options = { sort: { at: -1, _id: -1 }, limit: query.pageSize } as const;
        return (await audit.find(filterOf(query), options).toArray()).map(toEntry);
      }),
  };
}

/** `at` alone bounds the index scan. `$or` only leaves out the entries of the same millisecond that are no longer due. */
function filterOf({ accountId, after }: AuditQuery): mongo.Filter<AuditDocument> {
  if (after === undefined) return { account_id: accountId };
  const at = new Date(after.atMs);
  return { account_id: accountId, at: { $lte: at }, $or: [{ at: { $lt: at } }, { _id: { $lt: after.id } }] };
}

export function toAuditDocument(entry: AuditEntry): AuditDocument {
  const { id, accountId, atMs, action, actor, subject, network } = entry;
  return {
    _id: id,
    account_id: accountId,
    at: new Date(atMs),
    action,
    actor,
    ...(subject !== undefined && { subject }),
    ...(network !== undefined && { network }),
  };
}

function toEntry({ _id, account_id, at, action, actor, subject, network }: AuditDocument): AuditEntry {
  return {
    id: _id,
    accountId: account_id,
    atMs: at.getTime(),
    action,
    actor,
    ...(subject !== undefined && { subject }),
    ...(network !== undefined && { network }),
  };
}
