import { isAccountId, newAccountId } from './account-id.ts';
import type { Account, Accounts } from './accounts.ts';
import { isDisplayName } from './display-name.ts';

export type AccountCreation =
  | { readonly kind: 'created'; readonly account: Account }
  | { readonly kind: 'exists' | 'id_malformed' | 'name_malformed' };

/** Without an `id` a new one is made up. */
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
