import type { Credential, CredentialKind } from '@jobs-delete/accounts/accounts';
import { issueSecretKey, issueToken } from '@jobs-delete/accounts/credentials/credential';
import type { Services } from '../services.ts';
import { auditEntry } from '../web/audit-entry.ts';
import { takeForm } from '../web/form-once.tsx';
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
  /** The whole credential, which the answer shows once. */
  readonly secret: string;
  /** The allowed domains of the account. */
  readonly domains: readonly string[];
}

/** Creates a key, once for each form, and records it. The audit trail names its public id only. */
export async function issueKey(
  { accounts, keys: secrets, pepper, now }: Pick<Services, 'accounts' | 'keys' | 'pepper' | 'now'>,
  visit: MemberVisit,
  kind: CredentialKind,
  { name, lifetimeMs, old }: KeyRequest,
): Promise<IssuedKey | 'sent-already' | 'too-many'> {
  const { accountId, nowMs } = visit;
  const keys = await accounts.listCredentials(kind, accountId);
  if (keys.filter((key) => isValid(key, nowMs)).length >= maxValidKeys) return 'too-many';
  const domains = await accounts.listDomains(accountId);
  if (!(await takeForm({ accounts, keys: secrets }, visit))) return 'sent-already';
  const issue = kind === 'token' ? issueToken : issueSecretKey;
  const expiresAtMs = lifetimeMs === undefined ? undefined : nowMs + lifetimeMs;
  const entryOf = (id: string) =>
    old === undefined
      ? auditEntry(visit, `${kind}.created`, id)
      : auditEntry(visit, `${kind}.rotated`, `${old.id} → ${id}`);
  const issued = await issue(accounts, pepper, accountId, { name, expiresAtMs, entryOf }, now);
  if (issued.kind !== 'issued') throw new Error(`creating a key failed: ${issued.kind}`);
  return { credential: issued.credential, secret: issued.text, domains };
}
