import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { OneTimeSecret, Session, SessionChange } from '../people/sessions.ts';

type SessionRow = [
  hash: Buffer,
  id: string,
  personId: string,
  accountId: string,
  stage: Session['stage'],
  createdAtMs: number,
  lastSeenAtMs: number,
  provenAtMs: number,
  network: string | null,
  userAgent: string | null,
];
const columns =
  'hash, id, person_id, account_id, stage, created_at_ms, last_seen_at_ms, proven_at_ms, network, user_agent';

export function sessionCalls(database: Sqlite) {
  const run = (sql: string) => database.prepare(sql);
  const read = (sql: string) => database.prepare(sql).raw();
  const add = run(`INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const find = read(`SELECT ${columns} FROM sessions WHERE hash = ?`);
  const change = run(`
    UPDATE sessions SET account_id = coalesce(?, account_id), stage = coalesce(?, stage),
      last_seen_at_ms = coalesce(?, last_seen_at_ms), proven_at_ms = coalesce(?, proven_at_ms),
      network = coalesce(?, network)
    WHERE hash = ?`);
  const list = read(`SELECT ${columns} FROM sessions WHERE person_id = ? ORDER BY last_seen_at_ms DESC, id`);
  const end = run('DELETE FROM sessions WHERE person_id = ? AND id = ?');
  const endOthers = run('DELETE FROM sessions WHERE person_id = ? AND id <> ?');
  const expire = run('DELETE FROM sessions WHERE last_seen_at_ms < ?');
  return {
    addSession: (session: Session) => {
      const { hash, id, personId, accountId, stage, network, userAgent } = session;
      const times = [session.createdAtMs, session.lastSeenAtMs, session.provenAtMs];
      const names = [network ?? null, userAgent ?? null];
      add.run([Buffer.from(hash), id, personId, accountId, stage, ...times, ...names]);
    },
    findSession: (hash: Uint8Array) => {
      const row = find.get([Buffer.from(hash)]) as SessionRow | undefined;
      return row && toSession(row);
    },
    changeSession: (hash: Uint8Array, fields: SessionChange) => {
      const { accountId, stage, lastSeenAtMs, provenAtMs, network } = fields;
      const values = [accountId, stage, lastSeenAtMs, provenAtMs, network].map((value) => value ?? null);
      return change.run([...values, Buffer.from(hash)]).changes === 1;
    },
    listSessions: (personId: string) => (list.all([personId]) as SessionRow[]).map(toSession),
    endSession: (personId: string, sessionId: string) => end.run([personId, sessionId]).changes === 1,
    endOtherSessions: (personId: string, keptSessionId: string | undefined) => {
      endOthers.run([personId, keptSessionId ?? '']);
    },
    expireSessions: (lastSeenBeforeMs: number) => {
      expire.run([lastSeenBeforeMs]);
    },
  };
}

function toSession(row: SessionRow): Session {
  const [hash, id, personId, accountId, stage, createdAtMs, lastSeenAtMs, provenAtMs, network, userAgent] =
    row;
  return {
    hash,
    id,
    personId,
    accountId,
    stage,
    createdAtMs,
    lastSeenAtMs,
    provenAtMs,
    ...(network !== null && { network }),
    ...(userAgent !== null && { userAgent }),
  };
}

type SecretRow = [hash: Buffer, kind: OneTimeSecret['kind'], expiresAtMs: number, data: string];

export function oneTimeSecretCalls(database: Sqlite) {
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
  const cancel = database.prepare(`
    DELETE FROM one_time_secrets WHERE kind IN ('invitation', 'sign-in')
      AND data ->> '$.accountId' = ? AND data ->> '$.email' = ?`);
  const expire = database.prepare('DELETE FROM one_time_secrets WHERE expires_at_ms <= ?');
  const findSecret = (kind: OneTimeSecret['kind'], hash: Uint8Array, atMs: number) => {
    const row = find.get([kind, Buffer.from(hash), atMs]) as SecretRow | undefined;
    return row && toSecret(row);
  };
  return {
    addOneTimeSecret: ({ hash, kind, expiresAtMs, data }: OneTimeSecret) => {
      add.run([Buffer.from(hash), kind, expiresAtMs, JSON.stringify(data)]);
    },
    findOneTimeSecret: findSecret,
    takeOneTimeSecret: (kind: OneTimeSecret['kind'], hash: Uint8Array, atMs: number) => {
      // A stored secret never changes, so no transaction is needed.
      const found = findSecret(kind, hash, atMs);
      return remove.run([kind, Buffer.from(hash), atMs]).changes === 1 ? found : undefined;
    },
    listInvitations: (accountId: string, atMs: number) =>
      (invitations.all([accountId, atMs]) as SecretRow[]).map(toSecret),
    cancelLinks: (accountId: string, email: string) => cancel.run([accountId, email]).changes,
    expireOneTimeSecrets: (atMs: number) => {
      expire.run([atMs]);
    },
  };
}

function toSecret([hash, kind, expiresAtMs, data]: SecretRow): OneTimeSecret {
  return { hash, kind, expiresAtMs, data: JSON.parse(data) as Record<string, string> };
}
