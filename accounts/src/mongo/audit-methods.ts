import type { mongo } from 'mongoose';
import type { AuditEntry, AuditQuery, AuditTrail } from '../people/audit-trail.ts';
import { read, write } from './mongo-calls.ts';
import type { AuditDocument, PeopleCollections } from './mongo-people-schema.ts';

export function auditMethods({ audit }: Pick<PeopleCollections, 'audit'>): AuditTrail {
  return {
    recordAction: ({ id, accountId, atMs, action, actor, subject, network }) =>
      write(async () => {
        await audit.insertOne({
          _id: id,
          account_id: accountId,
          at: new Date(atMs),
          action,
          actor,
          ...(subject !== undefined && { subject }),
          ...(network !== undefined && { network }),
        });
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
