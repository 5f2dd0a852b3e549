import { invitationKeyOf } from '../people/invitations.ts';
import type { OneTimeSecret, OneTimeSecrets } from '../people/one-time-secret.ts';
import type { Membership, Person } from '../people/people.ts';
import type { Recording } from './sqlite-audit-trail.ts';
import type { Calls, Statements } from './statements.ts';

type Row = Omit<OneTimeSecret, 'data'> & { readonly data: string };

const select = 'SELECT hash, kind, expires_at_ms, data FROM one_time_secrets';
const wanted = 'kind = ? AND hash = ? AND expires_at_ms > ?';
const toAccount = "kind = 'invitation' AND data ->> '$.accountId' = ?";

export function oneTimeSecretCalls(sql: Statements, recording: Recording): Calls<OneTimeSecrets> {
  const toSecret = (row: Row): OneTimeSecret => ({
    ...row,
    data: JSON.parse(row.data) as OneTimeSecret['data'],
  });
  const find: Calls<OneTimeSecrets>['findOneTimeSecret'] = (kind, hash, atMs) => {
    const row = sql.get<Row>(`${select} WHERE ${wanted}`, kind, hash, atMs);
    return row && toSecret(row);
  };
  return {
    addOneTimeSecret: (secret, entry) =>
      recording(entry, () => {
        const { accountId = '', email } = secret.data;
        const isReplacing = secret.kind === 'invitation' && removeInvitation(sql, accountId, email);
        sql.insert('one_time_secrets', { ...secret, data: JSON.stringify(secret.data) });
        return isReplacing ? 'replaced' : 'added';
      }),
    findOneTimeSecret: find,
    takeOneTimeSecret: (kind, hash, atMs, entry) =>
      recording(entry, () => {
        const found = find(kind, hash, atMs);
        sql.run(`DELETE FROM one_time_secrets WHERE ${wanted}`, kind, hash, atMs);
        return found;
      }),
    listInvitations: (accountId, atMs) => {
      const open = `${select} WHERE ${toAccount} AND expires_at_ms > ? ORDER BY data ->> '$.email'`;
      return sql.all<Row>(open, accountId, atMs).map(toSecret);
    },
    cancelInvitation: (accountId, email, entry) =>
      recording(entry, () => removeInvitation(sql, accountId, email)),
    useOnce: (hash, expiresAtMs) =>
      sql.run(
        `INSERT INTO one_time_secrets (hash, kind, expires_at_ms, data) VALUES (?, 'used', ?, '{}')
        ON CONFLICT (hash) DO NOTHING`,
        ...[hash, expiresAtMs],
      ) === 1,
    expireOneTimeSecrets: (atMs) => {
      sql.run('DELETE FROM one_time_secrets WHERE expires_at_ms <= ?', atMs);
    },
  };
}

function removeInvitation(sql: Statements, accountId: string, email: string | undefined): boolean {
  const own = `${toAccount} AND data ->> '$.email' = ?`;
  return sql.run(`DELETE FROM one_time_secrets WHERE ${own}`, accountId, email) === 1;
}

/** Removes the invitations that this person has sent. */
export function removeInvitationsBy(sql: Statements, personId: string, accountId: string): void {
  const sent = `${toAccount} AND data ->> '$.invitedBy' = ?`;
  sql.run(`DELETE FROM one_time_secrets WHERE ${sent}`, accountId, personId);
}

/** For a change of the member's role, and the end of the membership. */
export function voidInvitations(sql: Statements, person: Person, { accountId, email }: Membership): void {
  removeInvitation(sql, accountId, email);
  barInvitations(sql, accountId, person);
}

/** Makes every open invitation to the account useless for this person. */
export function barInvitations(
  sql: Statements,
  accountId: string,
  person: Pick<Person, 'id' | 'openId'>,
): void {
  const key = invitationKeyOf(person);
  sql.run(
    `UPDATE one_time_secrets
    SET data = json_set(data, '$.notFor', coalesce(data ->> '$.notFor' || ' ', '') || ?)
    WHERE ${toAccount} AND instr(coalesce(data ->> '$.notFor', ''), ?) = 0`,
    ...[key, accountId, key],
  );
}
