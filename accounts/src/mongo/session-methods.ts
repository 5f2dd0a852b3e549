import { mongo } from 'mongoose';
import type { Session, Sessions } from '../people/sessions.ts';
import { bytesOf, read, write } from './mongo-calls.ts';
import type { PeopleCollections, SessionDocument } from './mongo-people-schema.ts';

export function sessionMethods({ sessions }: Pick<PeopleCollections, 'sessions'>): Sessions {
  return {
    addSession: (session) =>
      write(async () => {
        await sessions.insertOne(toDocument(session));
      }),
    findSession: (hash) =>
      read(async () => {
        const found = await sessions.findOne({ _id: new mongo.Binary(hash) });
        return found === null ? undefined : toSession(found);
      }),
    changeSession: (hash, { accountId, stage, lastSeenAtMs, provenAtMs, network }) =>
      write(async () => {
        const fields = {
          ...(accountId !== undefined && { account_id: accountId }),
          ...(stage !== undefined && { stage }),
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
    endSession: (personId, sessionId) =>
      write(
        async () => (await sessions.deleteOne({ id: sessionId, person_id: personId })).deletedCount === 1,
      ),
    endOtherSessions: (personId, keptSessionId) =>
      write(async () => {
        const others = keptSessionId === undefined ? {} : { id: { $ne: keptSessionId } };
        await sessions.deleteMany({ person_id: personId, ...others });
      }),
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
    stage: session.stage,
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
    stage: document.stage,
    createdAtMs: document.created_at.getTime(),
    lastSeenAtMs: document.last_seen_at.getTime(),
    provenAtMs: document.proven_at.getTime(),
    ...(network !== undefined && { network }),
    ...(user_agent !== undefined && { userAgent: user_agent }),
  };
}
