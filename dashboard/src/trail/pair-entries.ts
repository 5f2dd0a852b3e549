import { type AuditEntry, parseCredentialSubject } from '@jobs-delete/accounts/people/audit-trail';

const changes = ['created', 'rotated', 'renamed', 'paused', 'resumed', 'revoked'] as const;

interface TrailRow {
  /** The entry of the token, if the row has that of the secret key too. */
  readonly entry: AuditEntry;
  /** What one step also did to the secret key of the same name. */
  readonly also?: { readonly change: (typeof changes)[number]; readonly subject: string };
}

/**
 * Returns a row for each entry, but one for two neighbors that one step of a person made: they have the same time, actor and name.
 * A refused deletion has the row of its refusal only.
 */
export function pairEntries(allEntries: readonly AuditEntry[]): readonly TrailRow[] {
  const entries = allEntries.filter((entry) => !isRefusedIn(allEntries, entry));
  const rows: TrailRow[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const [one, next] = entries.slice(index, index + 2);
    const row = one && next && (rowOf(one, next) ?? rowOf(next, one));
    if (row) index += 1;
    if (one) rows.push(row ?? { entry: one });
  }
  return rows;
}

/** Returns whether an entry is the request of a deletion whose refusal is among these entries. */
export function isRefusedIn(entries: readonly AuditEntry[], request: AuditEntry): boolean {
  return (
    request.action === 'deletion.requested' &&
    entries.some(({ action, subject }) => action === 'deletion.refused' && subject === request.subject)
  );
}

function rowOf(token: AuditEntry, secretKey: AuditEntry): TrailRow | undefined {
  const change = changes.find((each) => token.action === `token.${each}`);
  const { subject = '', atMs, actor } = secretKey;
  const name = parseCredentialSubject(subject)?.name;
  const isOfBoth =
    change !== undefined &&
    secretKey.action === `secret-key.${change}` &&
    token.atMs === atMs &&
    token.actor === actor &&
    name !== undefined &&
    parseCredentialSubject(token.subject ?? '')?.name === name;
  return isOfBoth ? { entry: token, also: { change, subject } } : undefined;
}
