import type { KeyObject } from 'node:crypto';
import type { Accounts, Credential, CredentialKind } from '../accounts.ts';
import type { AuditEntry } from '../people/audit-trail.ts';
import { hashCredential, newCredentialText } from './credential.ts';
import { fingerprintOf, pepperIdOf } from './fingerprint.ts';
import { isDisplayName } from '../create-account.ts';

export interface IssueOptions {
  /** Absent: it does not expire. */
  readonly expiresAtMs?: number | undefined;
  readonly name?: string | undefined;
  /** Returns the entry of the audit trail for the new credential's id. */
  readonly entryOf?: (id: string) => AuditEntry;
}

export type Issuance =
  | {
      readonly kind: 'issued';
      /** The whole credential: shown once. It cannot be computed from the stored data. */
      readonly text: string;
      readonly credential: Credential;
    }
  | { readonly kind: 'no_account' | 'name_malformed' };

export type IssueCredential = (
  accounts: Accounts,
  pepper: KeyObject,
  accountId: string,
  options: IssueOptions,
  now: () => number,
) => Promise<Issuance>;

export const issueToken: IssueCredential = (...args) => issueCredential('token', ...args);

export const issueSecretKey: IssueCredential = (...args) => issueCredential('secret-key', ...args);

async function issueCredential(
  kind: CredentialKind,
  accounts: Accounts,
  pepper: KeyObject,
  accountId: string,
  { expiresAtMs, name, entryOf }: IssueOptions,
  now: () => number,
): Promise<Issuance> {
  if (name !== undefined && !isDisplayName(name)) return { kind: 'name_malformed' };
  const { id, text } = newCredentialText(kind);
  const credential: Credential = {
    kind,
    id,
    accountId,
    createdAtMs: now(),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(name !== undefined && { name }),
  };
  const pepperId = pepperIdOf(fingerprintOf(pepper));
  const stored = { ...credential, hash: hashCredential(pepper, text), pepperId };
  const outcome = await accounts.addCredential(stored, entryOf?.(id));
  return outcome === 'added' ? { kind: 'issued', text, credential } : { kind: 'no_account' };
}
