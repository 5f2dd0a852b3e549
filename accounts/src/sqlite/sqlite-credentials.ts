import type {
  Access,
  CredentialChange,
  Credentials,
  PepperFingerprints,
  Peppers,
  StoredCredential,
} from '../accounts.ts';
import type { Recording } from './sqlite-audit-trail.ts';
import type { Calls, Statements } from './statements.ts';

const listed = `kind, credentials.id, account_id, credentials.name, credentials.created_at_ms, expires_at_ms, revoked_at_ms,
  paused_at_ms, replaces_id, environment, last_used_at_ms, last_refused_at_ms`;
const stored = `hash, pepper_id, ${listed}`;

export function credentialCalls(sql: Statements, recording: Recording): Calls<Credentials> {
  const raise =
    (column: string): Calls<Credentials>['recordUse'] =>
    (refs, atMs) => {
      const raised = `${column} = max(?, coalesce(${column}, 0))`;
      sql.write(() => {
        for (const { kind, id } of refs)
          sql.run(`UPDATE credentials SET ${raised} WHERE kind = ? AND id = ?`, atMs, kind, id);
      });
    };
  return {
    addCredential: (credential, entry) =>
      recording(entry, () => {
        if (!sql.get('SELECT id FROM accounts WHERE id = ?', credential.accountId)) return 'no_account';
        sql.insert('credentials', { ...credential });
        return 'added';
      }),
    findCredential: ({ kind, id }) =>
      sql.get<StoredCredential>(`SELECT ${stored} FROM credentials WHERE kind = ? AND id = ?`, kind, id),
    listCredentials: (kind, accountId) => {
      const own = 'kind = ? AND account_id = ? ORDER BY created_at_ms, id';
      return sql.all(`SELECT ${listed} FROM credentials WHERE ${own}`, kind, accountId);
    },
    revokeCredential: (accountId, { kind, id }, atMs, entry) =>
      recording(entry, () => {
        const own = 'kind = ? AND id = ? AND account_id = ?';
        const live = `${own} AND revoked_at_ms IS NULL`;
        const revoke = `UPDATE credentials SET revoked_at_ms = ? WHERE ${live}`;
        if (sql.run(revoke, atMs, kind, id, accountId) === 1) return 'revoked';
        const found = sql.get(`SELECT id FROM credentials WHERE ${own}`, kind, id, accountId);
        return found === undefined ? 'not_found' : 'already_revoked';
      }),
    changeCredential: (accountId, { kind, id }, change, entry) =>
      recording(entry, () => {
        const own = 'kind = ? AND id = ? AND account_id = ?';
        const [set, before, values] = updateFor(change);
        const update = `UPDATE credentials SET ${set} WHERE ${before} AND revoked_at_ms IS NULL AND ${own}`;
        if (sql.run(update, ...values, kind, id, accountId) === 1) return 'changed';
        const found = sql.get(`SELECT id FROM credentials WHERE ${own}`, kind, id, accountId);
        return found === undefined ? 'not_found' : 'unchanged';
      }),
    recordUse: raise('last_used_at_ms'),
    recordRefusal: raise('last_refused_at_ms'),
    replaceHash: ({ kind, id }, from, { hash, pepperId }) => {
      const same = 'kind = ? AND id = ? AND hash = ?';
      sql.run(`UPDATE credentials SET hash = ?, pepper_id = ? WHERE ${same}`, hash, pepperId, kind, id, from);
    },
    loadAccess: (tokenId) => loadAccess(sql, tokenId),
  };
}

/** Returns what a change sets, the state before it, and the values of both. */
function updateFor(change: CredentialChange) {
  if ('name' in change) return ['name = ?', 'name IS ?', [change.name, change.from]] as const;
  const { pausedAtMs } = change;
  return pausedAtMs === null
    ? (['paused_at_ms = NULL', 'paused_at_ms IS NOT NULL', []] as const)
    : (['paused_at_ms = ?', 'paused_at_ms IS NULL', [pausedAtMs]] as const);
}

function loadAccess(sql: Statements, tokenId: string): Access | undefined {
  type Row = StoredCredential & { readonly disabledAtMs?: number; readonly domains: string };
  const found = sql.get<Row>(
    `SELECT ${stored}, disabled_at_ms, (
      SELECT json_group_array(domain) FROM
        (SELECT domain FROM allowed_domains WHERE account_id = accounts.id ORDER BY domain)
    ) AS domains
    FROM credentials JOIN accounts ON accounts.id = account_id WHERE kind = 'token' AND credentials.id = ?`,
    tokenId,
  );
  if (found === undefined) return undefined;
  const { disabledAtMs, domains, ...token } = found;
  const allowedDomains = JSON.parse(domains) as string[];
  return { token, allowedDomains, ...(disabledAtMs !== undefined && { isAccountDisabled: true as const }) };
}

export function pepperCalls(sql: Statements): Calls<Peppers> {
  return {
    keepPepperFingerprint: (fingerprint) => {
      const keep =
        'INSERT INTO credential_pepper (only, fingerprint) VALUES (1, ?) ON CONFLICT (only) DO NOTHING';
      sql.run(keep, fingerprint);
    },
    findPepperFingerprints: () =>
      sql.get<PepperFingerprints>('SELECT fingerprint AS first, second FROM credential_pepper'),
    changePepperFingerprints: (from, to) =>
      sql.run(
        'UPDATE credential_pepper SET fingerprint = ?, second = ? WHERE fingerprint = ? AND second IS ?',
        ...[to.first, to.second, from.first, from.second],
      ) === 1,
    countByPepper: (atMs) =>
      sql.all(
        `SELECT pepper_id, count(*) AS credentials FROM credentials
        WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?)
        GROUP BY pepper_id ORDER BY pepper_id`,
        atMs,
      ),
  };
}
