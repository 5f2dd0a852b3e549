import type { Session, Sessions } from '../people/sessions.ts';
import type { Recording } from './sqlite-audit-trail.ts';
import type { Calls, Statements } from './statements.ts';

export function sessionCalls(sql: Statements, recording: Recording): Calls<Sessions> {
  const select = `SELECT hash, id, person_id, account_id, created_at_ms, last_seen_at_ms, proven_at_ms, network, user_agent
    FROM sessions`;
  const add = (session: Session) => {
    sql.insert('sessions', { ...session });
    return true;
  };
  return {
    addSession: (session, entry) => {
      recording(entry, () => add(session));
    },
    addLinkedSession: (linkHash, session, entry) =>
      recording(entry, () => {
        const link = "kind = 'sign-in' AND hash = ? AND expires_at_ms > ?";
        const used = sql.run(`DELETE FROM one_time_secrets WHERE ${link}`, linkHash, session.createdAtMs);
        return used === 1 && add(session);
      }),
    findSession: (hash) => sql.get<Session>(`${select} WHERE hash = ?`, hash),
    changeSession: (hash, { accountId, lastSeenAtMs, provenAtMs, network }) =>
      sql.run(
        `UPDATE sessions SET account_id = coalesce(?, account_id),
          last_seen_at_ms = coalesce(?, last_seen_at_ms), proven_at_ms = coalesce(?, proven_at_ms),
          network = coalesce(?, network)
        WHERE hash = ?`,
        ...[accountId, lastSeenAtMs, provenAtMs, network, hash],
      ) === 1,
    listSessions: (personId) =>
      sql.all(`${select} WHERE person_id = ? ORDER BY last_seen_at_ms DESC, id`, personId),
    endSession: (personId, sessionId, entry) =>
      recording(
        entry,
        () => sql.run('DELETE FROM sessions WHERE person_id = ? AND id = ?', personId, sessionId) === 1,
      ),
    endOtherSessions: (personId, keptId, entry) =>
      recording(entry, () => endOtherSessions(sql, personId, keptId)),
    expireSessions: (lastSeenBeforeMs) => {
      sql.run('DELETE FROM sessions WHERE last_seen_at_ms < ?', lastSeenBeforeMs);
    },
  };
}

export function endOtherSessions(sql: Statements, personId: string, keptId: string): number {
  return sql.run('DELETE FROM sessions WHERE person_id = ? AND id <> ?', personId, keptId);
}
