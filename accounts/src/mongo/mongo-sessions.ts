import { trusted } from 'mongoose';
import type { Session, Sessions } from '../people/sessions.ts';
import { fromStored, toStored } from './documents.ts';
import type { AccountsModels, SessionDocument } from './mongo-accounts-schema.ts';
import type { ClientSession, Recording } from './mongo-audit-trail.ts';

export function sessionMethods({ sessions, oneTimeSecrets }: AccountsModels, recording: Recording): Sessions {
  const add = async ({ hash, ...added }: Session, session: ClientSession) => {
    await sessions.insertOne({ _id: hash, ...toStored(added) }, { session });
    return true;
  };
  return {
    addSession: async (added, entry) => {
      await recording(entry, (session) => add(added, session));
    },
    addLinkedSession: (linkHash, added, entry) =>
      recording(entry, async (session) => {
        const expires_at = trusted({ $gt: new Date(added.createdAtMs) });
        const link = { _id: linkHash, kind: 'sign-in', expires_at } as const;
        const { deletedCount } = await oneTimeSecrets.deleteOne(link).session(session);
        return deletedCount === 1 && add(added, session);
      }),
    findSession: async (hash) => {
      const found = await sessions.findOne({ _id: hash }).lean();
      return found === null ? undefined : toSession(found);
    },
    changeSession: async (hash, change) => {
      const fields = toStored(change);
      // MongoDB refuses an empty `$set`.
      if (Object.keys(fields).length === 0) return (await sessions.exists({ _id: hash })) !== null;
      return (await sessions.updateOne({ _id: hash }, { $set: fields })).matchedCount === 1;
    },
    listSessions: async (personId) =>
      (await sessions.find({ person_id: personId }).sort({ last_seen_at: -1, id: 1 }).lean()).map(toSession),
    endSession: (personId, sessionId, entry) =>
      recording(entry, async (session) => {
        const ended = { id: sessionId, person_id: personId };
        return (await sessions.deleteOne(ended).session(session)).deletedCount === 1;
      }),
    endOtherSessions: (personId, keptId, entry) =>
      recording(entry, (session) => endOtherSessions(personId, keptId, { sessions, session })),
    expireSessions: async (lastSeenBeforeMs) => {
      await sessions.deleteMany({ last_seen_at: trusted({ $lt: new Date(lastSeenBeforeMs) }) });
    },
  };
}

export async function endOtherSessions(
  personId: string,
  keptId: string,
  { sessions, session }: Pick<AccountsModels, 'sessions'> & { readonly session: ClientSession },
): Promise<number> {
  const others = { person_id: personId, id: trusted({ $ne: keptId }) };
  return (await sessions.deleteMany(others).session(session)).deletedCount;
}

function toSession({ _id, ...session }: SessionDocument): Session {
  return fromStored<Session>({ hash: _id, ...session });
}
