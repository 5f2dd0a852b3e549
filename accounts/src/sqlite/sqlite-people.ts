import { operator } from '../people/audit-trail.ts';
import { decideJoin, readInvitation } from '../people/invitations.ts';
import {
  membershipOf,
  type Membership,
  type Passkey,
  type People,
  type Person,
  type Session,
  type Sessions,
} from '../people/people.ts';
import type { Recording } from './sqlite-audit-trail.ts';
import {
  barInvitations,
  oneTimeSecretCalls,
  removeInvitationsBy,
  voidInvitations,
} from './sqlite-one-time-secrets.ts';
import type { Calls, Statements } from './statements.ts';

export function personCalls(sql: Statements, recording: Recording): Calls<People> {
  const first = 'SELECT id FROM people WHERE';
  /** Reads one snapshot of all tables. */
  const find = (condition: string, ...values: readonly string[]) =>
    sql.read(() => {
      const found = sql.get<{ id: string }>(`${first} ${condition}`, ...values);
      return found && readPerson(sql, found.id);
    });
  return {
    addPerson: (person) =>
      sql.write(() => {
        if (readPerson(sql, person.id) !== undefined) return 'exists';
        insertPerson(sql, person);
        return 'added';
      }),
    findPerson: (id) => find('id = ?', id),
    findPersonByPasskey: (id) => find('id = (SELECT person_id FROM passkeys WHERE id = ?)', id),
    findPersonByOpenId: ({ issuer, subject }) =>
      find('openid_issuer = ? AND openid_subject = ?', issuer, subject),
    listPeople: (accountId) =>
      sql.read(() => {
        const members =
          'SELECT person_id AS id FROM memberships WHERE account_id = ? ORDER BY email, person_id';
        return sql.all<{ id: string }>(members, accountId).flatMap(({ id }) => readPerson(sql, id) ?? []);
      }),
    acceptInvitation: (...values) => sql.write(() => accept(sql, recording, ...values)),
    ...memberCalls(sql, recording),
    ...passkeyCalls(sql, recording),
  };
}

function readPerson(sql: Statements, id: string): Person | undefined {
  type Row = Pick<Person, 'id' | 'createdAtMs'> & { readonly issuer?: string; readonly subject?: string };
  const row = sql.get<Row>(
    'SELECT id, created_at_ms, openid_issuer AS issuer, openid_subject AS subject FROM people WHERE id = ?',
    id,
  );
  if (row === undefined) return undefined;
  const { issuer, subject, ...person } = row;
  const memberships =
    'SELECT account_id, role, email, last_seen_at_ms FROM memberships WHERE person_id = ? ORDER BY account_id';
  const passkeys = `SELECT id, public_key, counter, transports, name, created_at_ms, last_used_at_ms
    FROM passkeys WHERE person_id = ? ORDER BY number`;
  return {
    ...person,
    memberships: sql.all<Membership>(memberships, id),
    passkeys: sql
      .all<Omit<Passkey, 'transports'> & { readonly transports: string }>(passkeys, id)
      .map((passkey) => ({ ...passkey, transports: JSON.parse(passkey.transports) as string[] })),
    ...(issuer !== undefined && subject !== undefined && { openId: { issuer, subject } }),
  };
}

function insertPerson(sql: Statements, { id, createdAtMs, openId, memberships, passkeys }: Person): void {
  const identity = { openidIssuer: openId?.issuer, openidSubject: openId?.subject };
  sql.insert('people', { id, createdAtMs, ...identity });
  for (const membership of memberships) setMembership(sql, id, membership);
  for (const passkey of passkeys) insertPasskey(sql, id, passkey);
}

function insertPasskey(sql: Statements, personId: string, passkey: Passkey): void {
  sql.insert('passkeys', { ...passkey, personId, transports: JSON.stringify(passkey.transports) });
}

function setMembership(sql: Statements, personId: string, membership: Membership): void {
  const { accountId, role, email, lastSeenAtMs } = membership;
  sql.run(
    `INSERT INTO memberships (account_id, person_id, role, email, last_seen_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (account_id, person_id) DO UPDATE SET role = excluded.role`,
    ...[accountId, personId, role, email, lastSeenAtMs],
  );
}

function hasPasskey(sql: Statements, { id }: Pick<Passkey, 'id'>): boolean {
  return sql.get('SELECT id FROM passkeys WHERE id = ?', id) !== undefined;
}

function accept(
  sql: Statements,
  recording: Recording,
  ...[hash, joiner, action]: Parameters<People['acceptInvitation']>
): Awaited<ReturnType<People['acceptInvitation']>> {
  const { findOneTimeSecret } = oneTimeSecretCalls(sql, recording);
  const secret = findOneTimeSecret('invitation', hash, action.atMs);
  const { invitedBy = operator } = readInvitation(secret) ?? {};
  const inviter = invitedBy === operator ? undefined : readPerson(sql, invitedBy.id);
  const joining =
    'personId' in joiner ? readPerson(sql, joiner.personId) : { ...joiner.newPerson, memberships: [] };
  if (joining === undefined) return { kind: 'no_person' };
  const decision = decideJoin(secret, inviter, joining, action);
  if (decision.kind !== 'joins') return decision;
  const { membership, entry } = decision;
  if ('newPerson' in joiner) {
    const { passkeys, openId } = joiner.newPerson;
    const same = 'openid_issuer = ? AND openid_subject = ?';
    const twin = sql.get(`SELECT id FROM people WHERE ${same}`, openId?.issuer, openId?.subject);
    if (twin !== undefined || passkeys.some((passkey) => hasPasskey(sql, passkey)))
      return { kind: 'identity_taken' };
    insertPerson(sql, { ...joining, memberships: [membership] });
  } else setMembership(sql, joining.id, membership);
  sql.run('DELETE FROM one_time_secrets WHERE hash = ?', hash);
  if (entry.action === 'person.role-changed') barInvitations(sql, membership.accountId, joining);
  sql.insert('audit_entries', { ...entry });
  const person = readPerson(sql, joining.id);
  if (person === undefined) throw new Error('a person who has joined is not stored');
  return { kind: 'joined', person, accountId: membership.accountId };
}

function memberCalls(
  sql: Statements,
  recording: Recording,
): Calls<Pick<People, 'changeRole' | 'removeMember' | 'recordMemberSeen'>> {
  const find = (accountId: string, personId: string) => {
    const person = readPerson(sql, personId);
    const membership = person && membershipOf(person, accountId);
    return membership && { person, membership };
  };
  const isLastOwner = ({ accountId, role }: Membership, personId: string) => {
    const others = "account_id = ? AND role = 'owner' AND person_id <> ?";
    const other = `SELECT role FROM memberships WHERE ${others} LIMIT 1`;
    return role === 'owner' && sql.get(other, accountId, personId) === undefined;
  };
  return {
    changeRole: (accountId, personId, role, entry) =>
      recording(entry, () => {
        const found = find(accountId, personId);
        if (found === undefined) return 'not_found';
        if (found.membership.role === role) return 'unchanged';
        if (isLastOwner(found.membership, personId)) return 'last_owner';
        setMembership(sql, personId, { ...found.membership, role });
        voidInvitations(sql, found.person, found.membership);
        return 'changed';
      }),
    removeMember: (accountId, personId, entry) =>
      recording(entry, () => {
        const found = find(accountId, personId);
        if (found === undefined) return 'not_found';
        if (isLastOwner(found.membership, personId)) return 'last_owner';
        voidInvitations(sql, found.person, found.membership);
        removeInvitationsBy(sql, personId, accountId);
        for (const table of ['memberships', 'sessions'])
          sql.run(`DELETE FROM ${table} WHERE account_id = ? AND person_id = ?`, accountId, personId);
        if (found.person.memberships.length > 1) return 'removed';
        for (const table of ['sessions', 'passkeys'])
          sql.run(`DELETE FROM ${table} WHERE person_id = ?`, personId);
        sql.run('DELETE FROM people WHERE id = ?', personId);
        return 'removed';
      }),
    recordMemberSeen: (accountId, personId, dayMs) => {
      sql.run(
        `UPDATE memberships SET last_seen_at_ms = max(coalesce(last_seen_at_ms, 0), ?)
        WHERE account_id = ? AND person_id = ?`,
        ...[dayMs, accountId, personId],
      );
    },
  };
}

function passkeyCalls(
  sql: Statements,
  recording: Recording,
): Calls<Pick<People, 'addPasskey' | 'recordPasskeyUse' | 'removePasskey'>> {
  return {
    addPasskey: (personId, passkey, entry) =>
      recording(entry, () => {
        if (sql.get('SELECT id FROM people WHERE id = ?', personId) === undefined) return 'no_person';
        if (hasPasskey(sql, passkey)) return 'exists';
        insertPasskey(sql, personId, passkey);
        return 'added';
      }),
    recordPasskeyUse: (personId, passkeyId, counter, atMs) => {
      sql.run(
        `UPDATE passkeys SET counter = max(counter, ?), last_used_at_ms = max(coalesce(last_used_at_ms, 0), ?)
        WHERE id = ? AND person_id = ?`,
        ...[counter, atMs, passkeyId, personId],
      );
    },
    removePasskey: (personId, passkeyId, keptSessionId, entry) =>
      recording(entry, () => {
        const own = sql.all<{ id: string }>('SELECT id FROM passkeys WHERE person_id = ?', personId);
        if (!own.some(({ id }) => id === passkeyId)) return 'not_found';
        if (own.length === 1) return 'last';
        sql.run('DELETE FROM passkeys WHERE id = ?', passkeyId);
        endOtherSessions(sql, personId, keptSessionId);
        return 'removed';
      }),
  };
}

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

function endOtherSessions(sql: Statements, personId: string, keptId: string): number {
  return sql.run('DELETE FROM sessions WHERE person_id = ? AND id <> ?', personId, keptId);
}
