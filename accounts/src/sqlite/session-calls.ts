import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { AuditEntry } from '../people/audit-trail.ts';
import { invitationKeyOf } from '../people/invitations.ts';
import type { Membership, Person } from '../people/people.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import type { Session, SessionChange } from '../people/sessions.ts';
import type { Recording } from './audit-calls.ts';

type SessionRow = [
  hash: Buffer,
  id: string,
  personId: string,
  accountId: string,
  createdAtMs: number,
  lastSeenAtMs: number,
  provenAtMs: number,
  network: string | null,
  userAgent: string | null,
];
const columns =
  'hash, id, person_id, account_id, created_at_ms, last_seen_at_ms, proven_at_ms, network, user_agent';

export function sessionCalls(database: Sqlite, recording: Recording) {
  const run = (sql: string) => database.prepare(sql);
  const read = (sql: string) => database.prepare(sql).raw();
  const add = run(`INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const useLink = run(
    "DELETE FROM one_time_secrets WHERE kind = 'sign-in' AND hash = ? AND expires_at_ms > ?",
  );
  const find = read(`SELECT ${columns} FROM sessions WHERE hash = ?`);
  const change = run(`
    UPDATE sessions SET account_id = coalesce(?, account_id),
      last_seen_at_ms = coalesce(?, last_seen_at_ms), proven_at_ms = coalesce(?, proven_at_ms),
      network = coalesce(?, network)
    WHERE hash = ?`);
  const list = read(`SELECT ${columns} FROM sessions WHERE person_id = ? ORDER BY last_seen_at_ms DESC, id`);
  const end = run('DELETE FROM sessions WHERE person_id = ? AND id = ?');
  const endOthers = run('DELETE FROM sessions WHERE person_id = ? AND id <> ?');
  const expire = run('DELETE FROM sessions WHERE last_seen_at_ms < ?');
  const insert = (session: Session) => {
    const { hash, id, personId, accountId, network, userAgent } = session;
    const times = [session.createdAtMs, session.lastSeenAtMs, session.provenAtMs];
    const names = [network ?? null, userAgent ?? null];
    add.run([Buffer.from(hash), id, personId, accountId, ...times, ...names]);
  };
  return {
    addSession: (session: Session, entry?: AuditEntry) => {
      recording(
        entry,
        () => insert(session),
        () => true,
      );
    },
    addLinkedSession: (linkHash: Uint8Array, session: Session, entry: AuditEntry) =>
      recording(
        entry,
        () => {
          if (useLink.run([Buffer.from(linkHash), session.createdAtMs]).changes === 0) return false;
          insert(session);
          return true;
        },
        (isAdded) => isAdded,
      ),
    findSession: (hash: Uint8Array) => {
      const row = find.get([Buffer.from(hash)]) as SessionRow | undefined;
      return row && toSession(row);
    },
    changeSession: (hash: Uint8Array, fields: SessionChange) => {
      const { accountId, lastSeenAtMs, provenAtMs, network } = fields;
      const values = [accountId, lastSeenAtMs, provenAtMs, network].map((value) => value ?? null);
      return change.run([...values, Buffer.from(hash)]).changes === 1;
    },
    listSessions: (personId: string) => (list.all([personId]) as SessionRow[]).map(toSession),
    endSession: (personId: string, sessionId: string, entry?: AuditEntry) =>
      recording(
        entry,
        () => end.run([personId, sessionId]).changes === 1,
        (hasEnded) => hasEnded,
      ),
    endOtherSessions: (personId: string, keptSessionId: string, entry?: AuditEntry) =>
      recording(
        entry,
        () => endOthers.run([personId, keptSessionId]).changes,
        (count) => count > 0,
      ),
    expireSessions: (lastSeenBeforeMs: number) => {
      expire.run([lastSeenBeforeMs]);
    },
  };
}

function toSession(row: SessionRow): Session {
  const [hash, id, personId, accountId, createdAtMs, lastSeenAtMs, provenAtMs, network, userAgent] = row;
  return {
    hash,
    id,
    personId,
    accountId,
    createdAtMs,
    lastSeenAtMs,
    provenAtMs,
    ...(network !== null && { network }),
    ...(userAgent !== null && { userAgent }),
  };
}

type SecretRow = [hash: Buffer, kind: OneTimeSecret['kind'], expiresAtMs: number, data: string];

export function oneTimeSecretCalls(database: Sqlite, recording: Recording) {
  const wanted = 'kind = ? AND hash = ? AND expires_at_ms > ?';
  const add = database.prepare(
    'INSERT INTO one_time_secrets (hash, kind, expires_at_ms, data) VALUES (?, ?, ?, ?)',
  );
  const find = database
    .prepare(`SELECT hash, kind, expires_at_ms, data FROM one_time_secrets WHERE ${wanted}`)
    .raw();
  const remove = database.prepare(`DELETE FROM one_time_secrets WHERE ${wanted}`);
  const invitations = database
    .prepare(
      `SELECT hash, kind, expires_at_ms, data FROM one_time_secrets
       WHERE kind = 'invitation' AND data ->> '$.accountId' = ? AND expires_at_ms > ?
       ORDER BY data ->> '$.email'`,
    )
    .raw();
  const toAccount = "kind = 'invitation' AND data ->> '$.accountId' = ?";
  const cancel = database.prepare(
    `DELETE FROM one_time_secrets WHERE ${toAccount} AND data ->> '$.email' = ?`,
  );
  const cancelSent = database.prepare(
    `DELETE FROM one_time_secrets WHERE ${toAccount} AND data ->> '$.invitedBy' = ?`,
  );
  const bar = database.prepare(`
    UPDATE one_time_secrets
    SET data = json_set(data, '$.notFor', coalesce(data ->> '$.notFor' || ' ', '') || ?)
    WHERE ${toAccount} AND instr(coalesce(data ->> '$.notFor', ''), ?) = 0`);
  const removeByHash = database.prepare('DELETE FROM one_time_secrets WHERE hash = ?');
  const findSecret = (kind: OneTimeSecret['kind'], hash: Uint8Array, atMs: number) => {
    const row = find.get([kind, Buffer.from(hash), atMs]) as SecretRow | undefined;
    return row && toSecret(row);
  };
  const removeInvitations = (accountId: string, email: string) => cancel.run([accountId, email]).changes;
  /** Makes every open invitation to the account useless for this person. */
  const barFrom = (accountId: string, person: Pick<Person, 'id' | 'openId'>) => {
    const key = invitationKeyOf(person);
    bar.run([key, accountId, key]);
  };
  return {
    addOneTimeSecret: ({ hash, kind, expiresAtMs, data }: OneTimeSecret, entry?: AuditEntry) => {
      const insert = () => add.run([Buffer.from(hash), kind, expiresAtMs, JSON.stringify(data)]);
      recording(entry, insert, () => true);
    },
    findOneTimeSecret: findSecret,
    takeOneTimeSecret: (
      kind: OneTimeSecret['kind'],
      hash: Uint8Array,
      atMs: number,
      entry?: AuditEntry,
    ): OneTimeSecret | undefined =>
      recording(
        entry,
        () => {
          const found = findSecret(kind, hash, atMs);
          return remove.run([kind, Buffer.from(hash), atMs]).changes === 1 ? found : undefined;
        },
        (found) => found !== undefined,
      ),
    listInvitations: (accountId: string, atMs: number) =>
      (invitations.all([accountId, atMs]) as SecretRow[]).map(toSecret),
    cancelInvitations: (accountId: string, email: string, entry?: AuditEntry) =>
      recording(
        entry,
        () => removeInvitations(accountId, email),
        (count) => count > 0,
      ),
    ...expiryCalls(database),
    /** For a change of the member's role, and the end of the membership. */
    voidInvitations: (person: Person, { accountId, email }: Membership) => {
      removeInvitations(accountId, email);
      barFrom(accountId, person);
    },
    removeSentInvitations: (accountId: string, personId: string) => {
      cancelSent.run([accountId, personId]);
    },
    barFrom,
    removeSecret: (hash: Uint8Array) => {
      removeByHash.run([Buffer.from(hash)]);
    },
  };
}

function expiryCalls(database: Sqlite) {
  const use = database.prepare(`
    INSERT INTO one_time_secrets (hash, kind, expires_at_ms, data) VALUES (?, 'used', ?, '{}')
    ON CONFLICT (hash) DO NOTHING`);
  const expire = database.prepare('DELETE FROM one_time_secrets WHERE expires_at_ms <= ?');
  return {
    useOnce: (hash: Uint8Array, expiresAtMs: number) =>
      use.run([Buffer.from(hash), expiresAtMs]).changes === 1,
    expireOneTimeSecrets: (atMs: number) => {
      expire.run([atMs]);
    },
  };
}

function toSecret([hash, kind, expiresAtMs, data]: SecretRow): OneTimeSecret {
  return { hash, kind, expiresAtMs, data: JSON.parse(data) as Record<string, string> };
}
