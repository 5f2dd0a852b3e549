import type { Sqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import type { Membership, Person, TotpSecret } from '../people/people.ts';
import { passkeyCalls } from './passkey-calls.ts';
import { toPerson, type MembershipRow, type PasskeyRow, type PersonRow } from './person-rows.ts';

// Parameters are arrays: libsql takes a single object, such as a Buffer or null, for named parameters, and crashes.

export function personCalls(database: Sqlite) {
  const readPerson = personReader(database);
  const passkeys = passkeyCalls(database);
  const byEmail = database.prepare('SELECT id FROM people WHERE email = ?').raw();
  const byPasskey = database.prepare('SELECT person_id FROM passkeys WHERE id = ?').raw();
  const members = database
    .prepare(
      'SELECT people.id FROM memberships JOIN people ON people.id = person_id WHERE account_id = ? ORDER BY email',
    )
    .raw();
  const personOf = (row: unknown) => row as [string] | undefined;
  /** One snapshot of all tables: another process may write between two statements. */
  const find = database.transaction((findId: () => [string] | undefined) => {
    const [id] = findId() ?? [];
    return id === undefined ? undefined : readPerson(id);
  });
  const list = database.transaction((accountId: string) =>
    (members.all([accountId]) as [string][]).flatMap(([id]) => readPerson(id) ?? []),
  );
  return {
    addPerson: personAdder(database, passkeys.insertPasskey),
    findPerson: (id: string) => find(() => [id]),
    findPersonByEmail: (email: string) => find(() => personOf(byEmail.get([email]))),
    findPersonByPasskey: (passkeyId: string) => find(() => personOf(byPasskey.get([passkeyId]))),
    listPeople: (accountId: string): readonly Person[] => list(accountId),
    ...membershipCalls(database),
    ...passwordCalls(database),
    ...totpCalls(database),
    addPasskey: passkeys.addPasskey,
    recordPasskeyUse: passkeys.recordPasskeyUse,
    removePasskey: passkeys.removePasskey,
    removeSignInMethods: methodRemover(database),
  };
}

function methodRemover(database: Sqlite) {
  const clear = database.prepare(
    'UPDATE people SET password_hash = NULL, totp_secret = NULL, totp_last_step = NULL WHERE id = ?',
  );
  const removeCodes = database.prepare('DELETE FROM recovery_codes WHERE person_id = ?');
  const removePasskeys = database.prepare('DELETE FROM passkeys WHERE person_id = ?');
  const remove = database.transaction((personId: string) => {
    removeCodes.run([personId]);
    removePasskeys.run([personId]);
    return clear.run([personId]).changes === 1;
  });
  return (personId: string) => remove.immediate(personId);
}

function personReader(database: Sqlite) {
  const read = (sql: string) => database.prepare(sql).raw();
  const person = read(
    'SELECT id, email, created_at_ms, password_hash, totp_secret, totp_last_step FROM people WHERE id = ?',
  );
  const memberships = read(
    'SELECT account_id, role FROM memberships WHERE person_id = ? ORDER BY account_id',
  );
  const recoveryCodes = read('SELECT hash FROM recovery_codes WHERE person_id = ? ORDER BY number');
  const passkeys = read(`
    SELECT id, public_key, counter, transports, name, created_at_ms, last_used_at_ms
    FROM passkeys WHERE person_id = ? ORDER BY number`);
  return (id: string): Person | undefined => {
    const row = person.get([id]) as PersonRow | undefined;
    return (
      row &&
      toPerson(row, {
        memberships: memberships.all([id]) as MembershipRow[],
        recoveryCodes: recoveryCodes.all([id]) as [Buffer][],
        passkeys: passkeys.all([id]) as PasskeyRow[],
      })
    );
  };
}

function personAdder(
  database: Sqlite,
  insertPasskey: (personId: string, passkey: Person['passkeys'][number]) => void,
) {
  const insert = database.prepare(`
    INSERT INTO people (id, email, created_at_ms, password_hash, totp_secret, totp_last_step)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING`);
  const addMembership = database.prepare(setMembershipSql);
  const addCode = database.prepare(addRecoveryCodeSql);
  const add = database.transaction((person: Person) => {
    const { id, email, createdAtMs, passwordHash, totp } = person;
    const factor = totp === undefined ? [null, null] : [Buffer.from(totp.secret), totp.lastStep];
    if (insert.run([id, email, createdAtMs, passwordHash ?? null, ...factor]).changes === 0) return 'exists';
    for (const { accountId, role } of person.memberships) addMembership.run([accountId, id, role]);
    for (const hash of person.recoveryCodes) addCode.run([id, Buffer.from(hash)]);
    for (const passkey of person.passkeys) insertPasskey(id, passkey);
    return 'added';
  });
  return (person: Person) => add.immediate(person);
}

const setMembershipSql = `
  INSERT INTO memberships (account_id, person_id, role) VALUES (?, ?, ?)
  ON CONFLICT (account_id, person_id) DO UPDATE SET role = excluded.role`;
const addRecoveryCodeSql = 'INSERT INTO recovery_codes (person_id, hash) VALUES (?, ?)';

function membershipCalls(database: Sqlite) {
  const exists = database.prepare('SELECT 1 FROM people WHERE id = ?').raw();
  const set = database.prepare(setMembershipSql);
  const remove = database.prepare('DELETE FROM memberships WHERE account_id = ? AND person_id = ?');
  return {
    setMembership: (personId: string, { accountId, role }: Membership) => {
      // People are never removed, so no transaction is needed.
      if (exists.get([personId]) === undefined) return false;
      set.run([accountId, personId, role]);
      return true;
    },
    removeMembership: (personId: string, accountId: string) =>
      remove.run([accountId, personId]).changes === 1,
  };
}

function passwordCalls(database: Sqlite) {
  const set = database.prepare('UPDATE people SET password_hash = ? WHERE id = ?');
  return {
    setPassword: (personId: string, passwordHash: string | null) =>
      set.run([passwordHash, personId]).changes === 1,
  };
}

function totpCalls(database: Sqlite) {
  const set = database.prepare('UPDATE people SET totp_secret = ?, totp_last_step = ? WHERE id = ?');
  const removeCodes = database.prepare('DELETE FROM recovery_codes WHERE person_id = ?');
  const addCode = database.prepare(addRecoveryCodeSql);
  const useStep = database.prepare(
    'UPDATE people SET totp_last_step = ? WHERE id = ? AND totp_last_step < ?',
  );
  const useCode = database.prepare('DELETE FROM recovery_codes WHERE person_id = ? AND hash = ?');
  type Factor = { readonly totp: TotpSecret; readonly recoveryCodes: readonly Uint8Array[] } | null;
  const setFactor = database.transaction((personId: string, factor: Factor) => {
    const values = factor === null ? [null, null] : [Buffer.from(factor.totp.secret), factor.totp.lastStep];
    if (set.run([...values, personId]).changes === 0) return false;
    removeCodes.run([personId]);
    for (const hash of factor?.recoveryCodes ?? []) addCode.run([personId, Buffer.from(hash)]);
    return true;
  });
  return {
    setTotp: (personId: string, factor: Factor) => setFactor.immediate(personId, factor),
    useTotpStep: (personId: string, step: number) => useStep.run([step, personId, step]).changes === 1,
    useRecoveryCode: (personId: string, hash: Uint8Array) =>
      useCode.run([personId, Buffer.from(hash)]).changes === 1,
  };
}
