import { mongo } from 'mongoose';
import type { Session, Sessions } from '../people/sessions.ts';
import type { Recording } from './audit-methods.ts';
import { bytesOf, read, sessionOf, write } from './mongo-calls.ts';
import type { PeopleCollections, SessionDocument } from './mongo-people-schema.ts';

export function sessionMethods(
  { sessions, oneTimeSecrets }: Pick<PeopleCollections, 'sessions' | 'oneTimeSecrets'>,
  recording: Recording,
): Sessions {
  return {
    addSession: (added, entry) =>
      recording(
        entry,
        async (session) => {
          await sessions.insertOne(toDocument(added), sessionOf(session));
        },
        () => true,
      ),
    addLinkedSession: (linkHash, added, entry) =>
      recording(
        entry,
        async (session) => {
          const expires_at = { $gt: new Date(added.createdAtMs) };
          const link = { _id: new mongo.Binary(linkHash), kind: 'sign-in', expires_at } as const;
          if ((await oneTimeSecrets.deleteOne(link, sessionOf(session))).deletedCount === 0) return false;
          await sessions.insertOne(toDocument(added), sessionOf(session));
          return true;
        },
        (isAdded) => isAdded,
      ),
    findSession: (hash) =>
      read(async () => {
        const found = await sessions.findOne({ _id: new mongo.Binary(hash) });
        return found === null ? undefined : toSession(found);
      }),
    changeSession: (hash, { accountId, lastSeenAtMs, provenAtMs, network }) =>
      write(async () => {
        const fields = {
          ...(accountId !== undefined && { account_id: accountId }),
          ...(lastSeenAtMs !== undefined && { last_seen_at: new Date(lastSeenAtMs) }),
          ...(provenAtMs !== undefined && { proven_at: new Date(provenAtMs) }),
          ...(network !== undefined && { network }),
        };
        const filter = { _id: new mongo.Binary(hash) };
        // MongoDB refuses an empty `$set`.
        if (Object.keys(fields).length === 0) return (await sessions.findOne(filter)) !== null;
        return (await sessions.updateOne(filter, { $set: fields })).matchedCount === 1;
      }),
    listSessions: (personId) =>
      read(async () => {
        const options = { sort: { last_seen_at: -1, id: 1 } } as const;
        return (await sessions.find({ person_id: personId }, options).toArray()).map(toSession);
      }),
    endSession: (personId, sessionId, entry) =>
      recording(
        entry,
        async (session) => {
          const ended = { id: sessionId, person_id: personId };
          return (await sessions.deleteOne(ended, sessionOf(session))).deletedCount === 1;
        },
        (hasEnded) => hasEnded,
      ),
    endOtherSessions: (personId, keptSessionId, entry) =>
      recording(
        entry,
        async (session) => {
          const others = { person_id: personId, id: { $ne: keptSessionId } };
          return (await sessions.deleteMany(others, sessionOf(session))).deletedCount;
        },
        (count) => count > 0,
      ),
    expireSessions: (lastSeenBeforeMs) =>
      write(async () => {
        await sessions.deleteMany({ last_seen_at: { $lt: new Date(lastSeenBeforeMs) } });
      }),
  };
}

function toDocument(session: Session): SessionDocument {
  const { network, userAgent } = session;
  return {
    _id: new mongo.Binary(session.hash),
    id: session.id,
    person_id: session.personId,
    account_id: session.accountId,
    created_at: new Date(session.createdAtMs),
    last_seen_at: new Date(session.lastSeenAtMs),
    proven_at: new Date(session.provenAtMs),
    ...(network !== undefined && { network }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
  };
}

function toSession(document: SessionDocument): Session {
  const { network, user_agent } = document;
  return {
    hash: bytesOf(document._id),
    id: document.id,
    personId: document.person_id,
    accountId: document.account_id,
    createdAtMs: document.created_at.getTime(),
    lastSeenAtMs: document.last_seen_at.getTime(),
    provenAtMs: document.proven_at.getTime(),
    ...(network !== undefined && { network }),
    ...(user_agent !== undefined && { userAgent: user_agent }),
  };
}
