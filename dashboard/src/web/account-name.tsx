import type { Account, Accounts } from '@jobs-delete/accounts/accounts';

/** An account as pages need it: its id, its display name, and whether it is disabled. */
export type NamedAccount = Pick<Account, 'id' | 'name' | 'disabledAtMs'>;

/** Returns an account for a sentence: `Acme Staffing (acme)`, or its id alone. */
export function accountText({ id, name }: NamedAccount): string {
  return name === undefined ? id : `${name} (${id})`;
}

/** The name of an account with the id beneath, or the id alone. */
export function AccountName({ account: { id, name } }: { readonly account: NamedAccount }) {
  return (
    <>
      <strong>
        <bdi>{name ?? id}</bdi>
      </strong>
      {name !== undefined && <span class="second one-line">{id}</span>}
    </>
  );
}

/** Resolves to an account by its id. One that is gone has no name. */
export async function findNamed(accounts: Pick<Accounts, 'findAccount'>, id: string): Promise<NamedAccount> {
  return (await accounts.findAccount(id)) ?? { id };
}
