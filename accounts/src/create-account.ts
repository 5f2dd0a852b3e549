import { randomBytes } from 'node:crypto';
import type { Account, Accounts } from './accounts.ts';

export type AccountCreation =
  | { readonly kind: 'created'; readonly account: Account }
  | { readonly kind: 'exists' | 'id_malformed' | 'name_malformed' };

/** Generates an id when there is none. */
export async function createAccount(
  accounts: Accounts,
  { id = newAccountId(), name }: { readonly id?: string | undefined; readonly name?: string | undefined },
  now: () => number,
): Promise<AccountCreation> {
  if (!isAccountId(id)) return { kind: 'id_malformed' };
  if (name !== undefined && !isDisplayName(name)) return { kind: 'name_malformed' };
  const account: Account = { id, createdAtMs: now(), ...(name !== undefined && { name }) };
  return (await accounts.addAccount(account)) === 'added' ? { kind: 'created', account } : { kind: 'exists' };
}

/** 1 to 64 characters that need no escaping in a URL, a file name or a shell. */
export function isAccountId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

export function newAccountId(): string {
  return `acc_${randomBytes(12).toString('hex')}`;
}

/** Checks the name of an account or a credential: for people only, printable in a terminal, never used for look-ups. */
export function isDisplayName(text: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '';
}
