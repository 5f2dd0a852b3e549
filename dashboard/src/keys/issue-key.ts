import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { issueSecretKey, issueToken, newCredentialText } from '@jobs-delete/accounts/credentials/credential';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { randomOfForm } from '../web/form-once.tsx';
import type { MemberVisit } from '../web/route.ts';
import { isValid } from './key-state.ts';

/** Valid keys of one kind in an account. Concurrent forms may exceed it by their number. */
const maxValidKeys = 100;

export interface KeyRequest {
  /** Checked by the caller. */
  readonly name: string | undefined;
  /** Undefined: the key does not expire. */
  readonly lifetimeMs: number | undefined;
  /** The key that the new one replaces, in a rotation. */
  readonly old?: Credential;
}

export interface IssuedKey {
  readonly credential: Credential;
  /** The whole credential, which only the answer to the form shows. */
  readonly secret: string;
  /** The allowed domains of the account. */
  readonly domains: readonly string[];
}

/**
 * Creates a key, and records it. The same form gives the same key until it expires: the id is drawn from the form, and unique. The
 * audit trail names the public id only.
 */
export async function issueKey(
  { accounts, keys: secrets, pepper, now }: Pick<Services, 'accounts' | 'keys' | 'pepper' | 'now'>,
  visit: MemberVisit,
  kind: CredentialKind,
  { name, lifetimeMs, old }: KeyRequest,
): Promise<IssuedKey | 'expired' | 'too-many'> {
  const { accountId, nowMs } = visit;
  const random = randomOfForm({ keys: secrets }, visit, kind);
  if (random === undefined) return 'expired';
  const drawn = newCredentialText(kind, random);
  const domains = await accounts.listDomains(accountId);
  const findIssued = async (): Promise<IssuedKey | 'expired' | undefined> => {
    const credential = await accounts.findCredential({ kind, id: drawn.id });
    if (credential === undefined) return undefined;
    return isValid(credential, nowMs) ? { credential, secret: drawn.text, domains } : 'expired';
  };
  const before = await findIssued();
  if (before !== undefined) return before;
  const keys = await accounts.listCredentials(kind, accountId);
  if (keys.filter((key) => isValid(key, nowMs)).length >= maxValidKeys) return 'too-many';
  const issue = kind === 'token' ? issueToken : issueSecretKey;
  const expiresAtMs = lifetimeMs === undefined ? undefined : nowMs + lifetimeMs;
  const entryOf = (id: string) =>
    old === undefined
      ? auditEntry(visit, `${kind}.created`, id)
      : auditEntry(visit, `${kind}.rotated`, `${old.id} → ${id}`);
  try {
    const issued = await issue(accounts, pepper, accountId, { name, expiresAtMs, entryOf, drawn }, now);
    if (issued.kind !== 'issued') throw new Error(`creating a key failed: ${issued.kind}`);
    return { credential: issued.credential, secret: issued.text, domains };
  } catch (error) {
    // The other POST of a double click was faster.
    const other = await findIssued();
    if (other === undefined) throw error;
    return other;
  }
}
