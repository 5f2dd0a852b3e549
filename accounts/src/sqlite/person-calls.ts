import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { type AuditEntry, operator } from '../people/audit-trail.ts';
import { type JoinAction, decideJoin, readInvitation } from '../people/invitations.ts';
import {
  type Joiner,
  type Joining,
  type Membership,
  type OpenIdIdentity,
  type Passkey,
  type Person,
  type Role,
  membershipOf,
} from '../people/people.ts';
import { type Recording, auditCalls } from './audit-calls.ts';
import type { oneTimeSecretCalls } from './session-calls.ts';

// Parameters are arrays: libsql takes a single object, such as a Buffer or null, for named parameters, and crashes.

type PersonRow = [id: string, createdAtMs: number, issuer: string | null, subject: string | null];
type MembershipRow = [accountId: string, role: Role, email: string];
type PasskeyRow = [
  id: string,
  publicKey: Buffer,
  counter: number,
  transports: string,
  name: string,
  createdAtMs: number,
  lastUsedAtMs: number | null,
];

export function personCalls(
  database: Sqlite,
  recording: Recording,
  secrets: ReturnType<typeof oneTimeSecretCalls>,
) {
  const read = (sql: string) => database.prepare(sql).raw();
  const readPerson = personReader(database);
  const addNew = personAdder(database);
  const byPasskey = read('SELECT person_id FROM passkeys WHERE id = ?');
  const byOpenId = read('SELECT id FROM people WHERE openid_issuer = ? AND openid_subject = ?');
  const members = read('SELECT person_id FROM memberships WHERE account_id = ? ORDER BY email, person_id');
  const idOf = (row: unknown) => (row as [string] | undefined)?.[0];
  /** One snapshot of all tables: another process may write between two statements. */
  const find = database.transaction((findId: () => string | undefined) => {
    const id = findId();
    return id === undefined ? undefined : readPerson(id);
  });
  const list = database.transaction((accountId: string) =>
    (members.all([accountId]) as [string][]).flatMap(([id]) => readPerson(id) ?? []),
  );
  const addPerson = database.transaction((person: Person) => {
    if (readPerson(person.id) !== undefined) return 'exists' as const;
    addNew(person);
    return 'added' as const;
  });
  return {
    addPerson: (person: Person) => addPerson.immediate(person),
    findPerson: (id: string) => find(() => id),
    findPersonByPasskey: (passkeyId: string) => find(() => idOf(byPasskey.get([passkeyId]))),
    findPersonByOpenId: ({ issuer, subject }: OpenIdIdentity) =>
      find(() => idOf(byOpenId.get([issuer, subject]))),
    listPeople: (accountId: string): readonly Person[] => list(accountId),
    acceptInvitation: invitationAccepter(database, secrets, {
      readPerson,
      addNew,
      isTaken: ({ passkeys, openId }) =>
        passkeys.some(({ id }) => byPasskey.get([id]) !== undefined) ||
        (openId !== undefined && byOpenId.get([openId.issuer, openId.subject]) !== undefined),
    }),
    ...memberCalls(database, recording, secrets, readPerson),
    ...passkeyCalls(database, recording),
  };
}

type ReadPerson = (id: string) => Person | undefined;

function personReader(database: Sqlite): ReadPerson {
  const read = (sql: string) => database.prepare(sql).raw();
  const person = read('SELECT id, created_at_ms, openid_issuer, openid_subject FROM people WHERE id = ?');
  const memberships = read(
    'SELECT account_id, role, email FROM memberships WHERE person_id = ? ORDER BY account_id',
  );
  const passkeys = read(`
    SELECT id, public_key, counter, transports, name, created_at_ms, last_used_at_ms
    FROM passkeys WHERE person_id = ? ORDER BY number`);
  return (id) => {
    const row = person.get([id]) as PersonRow | undefined;
    if (row === undefined) return undefined;
    const [, createdAtMs, issuer, subject] = row;
    return {
      id,
      createdAtMs,
      memberships: (memberships.all([id]) as MembershipRow[]).map(([accountId, role, email]) => ({
        accountId,
        role,
        email,
      })),
      passkeys: (passkeys.all([id]) as PasskeyRow[]).map(toPasskey),
      ...(issuer !== null && subject !== null && { openId: { issuer, subject } }),
    };
  };
}

function toPasskey(row: PasskeyRow): Passkey {
  const [id, publicKey, counter, transports, name, createdAtMs, lastUsedAtMs] = row;
  return {
    ...{ id, publicKey, counter, name, createdAtMs },
    transports: JSON.parse(transports) as string[],
    ...(lastUsedAtMs !== null && { lastUsedAtMs }),
  };
}

const setMembershipSql = `
  INSERT INTO memberships (account_id, person_id, role, email) VALUES (?, ?, ?, ?)
  ON CONFLICT (account_id, person_id) DO UPDATE SET role = excluded.role`;
const addPasskeySql = `
  INSERT INTO passkeys (id, person_id, public_key, counter, transports, name, created_at_ms, last_used_at_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** In the order of `addPasskeySql`. A thread sends a Buffer as a Uint8Array. */
function passkeyParameters(personId: string, passkey: Passkey) {
  const { id, publicKey, counter, transports, name, createdAtMs, lastUsedAtMs = null } = passkey;
  const key = Buffer.from(publicKey);
  return [id, personId, key, counter, JSON.stringify(transports), name, createdAtMs, lastUsedAtMs];
}

function personAdder(database: Sqlite) {
  const insert = database.prepare(
    'INSERT INTO people (id, created_at_ms, openid_issuer, openid_subject) VALUES (?, ?, ?, ?)',
  );
  const addMembership = database.prepare(setMembershipSql);
  const addPasskey = database.prepare(addPasskeySql);
  return ({ id, createdAtMs, openId, memberships, passkeys }: Person) => {
    insert.run([id, createdAtMs, openId?.issuer ?? null, openId?.subject ?? null]);
    for (const { accountId, role, email } of memberships) addMembership.run([accountId, id, role, email]);
    for (const passkey of passkeys) addPasskey.run(passkeyParameters(id, passkey));
  };
}

interface Accepter {
  readonly readPerson: ReadPerson;
  readonly addNew: (person: Person) => void;
  readonly isTaken: (person: Omit<Person, 'memberships'>) => boolean;
}

function invitationAccepter(
  database: Sqlite,
  secrets: ReturnType<typeof oneTimeSecretCalls>,
  { readPerson, addNew, isTaken }: Accepter,
) {
  const { recordAction } = auditCalls(database);
  const setMembership = database.prepare(setMembershipSql);
  const accept = database.transaction((hash: Uint8Array, joiner: Joiner, action: JoinAction): Joining => {
    const secret = secrets.findOneTimeSecret('invitation', hash, action.atMs);
    const { invitedBy = operator } = readInvitation(secret) ?? {};
    const inviter = invitedBy === operator ? undefined : readPerson(invitedBy.id);
    const joining =
      'personId' in joiner ? readPerson(joiner.personId) : { ...joiner.newPerson, memberships: [] };
    if (joining === undefined) return { kind: 'no_person' };
    const decision = decideJoin(secret, inviter, joining, action);
    if (decision.kind !== 'joins') return decision;
    const { membership, entry } = decision;
    if ('newPerson' in joiner) {
      if (isTaken(joiner.newPerson)) return { kind: 'identity_taken' };
      addNew({ ...joiner.newPerson, memberships: [membership] });
    } else setMembership.run([membership.accountId, joiner.personId, membership.role, membership.email]);
    secrets.removeSecret(hash);
    if (entry.action === 'person.role-changed') secrets.barFrom(membership.accountId, joining);
    recordAction(entry);
    const person = readPerson('personId' in joiner ? joiner.personId : joiner.newPerson.id);
    if (person === undefined) throw new Error('a person who has joined is not stored');
    return { kind: 'joined', person, accountId: membership.accountId };
  });
  return (hash: Uint8Array, joiner: Joiner, action: JoinAction) => accept.immediate(hash, joiner, action);
}

function memberCalls(
  database: Sqlite,
  recording: Recording,
  secrets: ReturnType<typeof oneTimeSecretCalls>,
  readPerson: ReadPerson,
) {
  const run = (sql: string) => database.prepare(sql);
  const otherOwner = run(
    "SELECT 1 FROM memberships WHERE account_id = ? AND role = 'owner' AND person_id <> ? LIMIT 1",
  ).raw();
  const setRole = run('UPDATE memberships SET role = ? WHERE account_id = ? AND person_id = ?');
  const removeMembership = run('DELETE FROM memberships WHERE account_id = ? AND person_id = ?');
  const endSessions = run('DELETE FROM sessions WHERE account_id = ? AND person_id = ?');
  const endPerson = [
    run('DELETE FROM sessions WHERE person_id = ?'),
    run('DELETE FROM passkeys WHERE person_id = ?'),
    run('DELETE FROM people WHERE id = ?'),
  ];
  const find = (accountId: string, personId: string) => {
    const person = readPerson(personId);
    const membership = person && membershipOf(person, accountId);
    return membership && { person, membership };
  };
  const isLastOwner = ({ accountId, role }: Membership, personId: string) =>
    role === 'owner' && otherOwner.get([accountId, personId]) === undefined;
  return {
    changeRole: (accountId: string, personId: string, role: Role, entry: AuditEntry) =>
      recording(
        entry,
        () => {
          const found = find(accountId, personId);
          if (found === undefined) return 'not_found' as const;
          if (found.membership.role === role) return 'unchanged' as const;
          if (isLastOwner(found.membership, personId)) return 'last_owner' as const;
          setRole.run([role, accountId, personId]);
          secrets.voidInvitations(found.person, found.membership);
          return 'changed' as const;
        },
        (outcome) => outcome === 'changed',
      ),
    removeMember: (accountId: string, personId: string, entry: AuditEntry) =>
      recording(
        entry,
        () => {
          const found = find(accountId, personId);
          if (found === undefined) return 'not_found' as const;
          if (isLastOwner(found.membership, personId)) return 'last_owner' as const;
          removeMembership.run([accountId, personId]);
          secrets.voidInvitations(found.person, found.membership);
          secrets.removeSentInvitations(accountId, personId);
          endSessions.run([accountId, personId]);
          if (found.person.memberships.length === 1) for (const end of endPerson) end.run([personId]);
          return 'removed' as const;
        },
        (outcome) => outcome === 'removed',
      ),
  };
}

function passkeyCalls(database: Sqlite, recording: Recording) {
  const add = database.prepare(`${addPasskeySql} ON CONFLICT (id) DO NOTHING`);
  const personExists = database.prepare('SELECT 1 FROM people WHERE id = ?').raw();
  const idsOf = database.prepare('SELECT id FROM passkeys WHERE person_id = ?').raw();
  const raise = database.prepare(`
    UPDATE passkeys SET counter = max(counter, ?), last_used_at_ms = max(coalesce(last_used_at_ms, 0), ?)
    WHERE id = ? AND person_id = ?`);
  const remove = database.prepare('DELETE FROM passkeys WHERE id = ? AND person_id = ?');
  const endOtherSessions = database.prepare('DELETE FROM sessions WHERE person_id = ? AND id <> ?');
  return {
    addPasskey: (personId: string, passkey: Passkey, entry?: AuditEntry) =>
      recording(
        entry,
        () => {
          if (personExists.get([personId]) === undefined) return 'no_person' as const;
          const isAdded = add.run(passkeyParameters(personId, passkey)).changes === 1;
          return isAdded ? ('added' as const) : ('exists' as const);
        },
        (outcome) => outcome === 'added',
      ),
    recordPasskeyUse: (personId: string, passkeyId: string, counter: number, atMs: number) => {
      raise.run([counter, atMs, passkeyId, personId]);
    },
    removePasskey: (personId: string, passkeyId: string, keptSessionId: string, entry: AuditEntry) =>
      recording(
        entry,
        () => {
          const ids = (idsOf.all([personId]) as [string][]).flat();
          if (!ids.includes(passkeyId)) return 'not_found' as const;
          if (ids.length === 1) return 'last' as const;
          remove.run([passkeyId, personId]);
          endOtherSessions.run([personId, keptSessionId]);
          return 'removed' as const;
        },
        (outcome) => outcome === 'removed',
      ),
  };
}
