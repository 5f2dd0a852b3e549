import { newId } from './people.ts';

export const auditActions = [
  'token.created',
  'token.rotated',
  'token.renamed',
  'token.paused',
  'token.resumed',
  'token.revoked',
  'secret-key.created',
  'secret-key.rotated',
  'secret-key.renamed',
  'secret-key.paused',
  'secret-key.resumed',
  'secret-key.revoked',
  'domain.allowed',
  'domain.removed',
  'delay.changed',
  'limit.changed',
  'limit.raised',
  'limit.raise-ended',
  'deletion.requested',
  'deletion.refused',
  'cancellation.requested',
  'person.invited',
  'invitation.replaced',
  'invitation.withdrawn',
  'person.joined',
  'person.role-changed',
  'person.removed',
  'passkey.added',
  'passkey.removed',
  'session.ended',
  'signed-in',
  'signed-out',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** One action in an account. Entries are never changed or removed. */
export interface AuditEntry {
  /** 24 random characters of lower-case hex. */
  readonly id: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly action: AuditAction;
  /** The person's address in the account, or `operator` for the command line. */
  readonly actor: string;
  /**
   * The changed object: a credential's id with its name (`credentialSubject`), a domain, a rule (the dashboard adds the old
   * one: `off → 24h`), a deletion's id with its jobs (`deletionSubject`), or an e-mail address with its role, for a change as
   * `ADDRESS: old → new` (the new one alone in earlier entries). A renamed key has both names: `id (old → new)`. The method
   * of a sign-in.
   */
  readonly subject?: string;
  /** The client's network: an IPv4 address, or the /64 of an IPv6 address. Absent for the command line. */
  readonly network?: string;
}

/** Returns the subject of an entry about a deletion, such as `ID (12 jobs)`. Earlier entries have the id alone. */
export function deletionSubject(deletionId: string, jobCount: number): string {
  return `${deletionId} (${String(jobCount)} ${jobCount === 1 ? 'job' : 'jobs'})`;
}

/**
 * Returns the subject of an entry about a credential, with its name of that time: `ID (name)`, or `OLD → ID (name)` for a
 * rotation. Without a name, and in earlier entries, ids only.
 */
export function credentialSubject({ id, name }: CredentialSubject, old?: { readonly id: string }): string {
  const ids = old === undefined ? id : `${old.id} → ${id}`;
  return name === undefined ? ids : `${ids} (${name})`;
}

interface CredentialSubject {
  readonly id: string;
  readonly name?: string | undefined;
}

/** Returns the parts of a `credentialSubject`, undefined for any other text. A name may have parentheses and arrows too. */
export function parseCredentialSubject(
  subject: string,
): (CredentialSubject & { readonly oldId: string | undefined }) | undefined {
  const [, oldId, id, name] = /^(?:([0-9a-f]{24}) → )?([0-9a-f]{24})(?: \((.*)\))?$/.exec(subject) ?? [];
  return id === undefined ? undefined : { id, name, oldId };
}

export interface AuditQuery {
  readonly accountId: string;
  readonly pageSize: number;
  /** Inclusive. */
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
  /** The last entry of the previous page. */
  readonly after?: Pick<AuditEntry, 'atMs' | 'id'> | undefined;
}

export interface AuditTrail {
  /** For an action without a change here. An entry whose id exists is recorded already: changes nothing. */
  recordAction(entry: AuditEntry): Promise<'recorded' | 'exists'>;
  /** Resolves to whether the account has an entry with this id. */
  hasAction(accountId: string, id: string): Promise<boolean>;
  /** Newest first, then by id in reverse. Empty for an unknown account too. */
  listActions(query: AuditQuery): Promise<readonly AuditEntry[]>;
}

/** The actor of every action on the command line. */
export const operator = 'operator';

/** Returns an entry with a new id. The method that makes the change stores it. */
export function newAuditEntry(action: Omit<AuditEntry, 'id' | 'atMs'>, atMs: number): AuditEntry {
  return { ...action, id: newId(), atMs };
}

/** Returns the entry that both adapters record for this outcome of a method; undefined if the method has changed nothing. */
export function entryFor(outcome: unknown, entry: AuditEntry): AuditEntry | undefined {
  if (outcome === 'replaced') return { ...entry, action: 'invitation.replaced' };
  const hasChanged = typeof outcome === 'string' ? changes.has(outcome) : Boolean(outcome);
  return hasChanged ? entry : undefined;
}

const changes: ReadonlySet<string> = new Set(['added', 'changed', 'removed', 'revoked']);
