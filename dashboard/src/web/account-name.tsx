import type { Account } from '@jobs-delete/accounts/accounts';

/** An account as pages name it. One that is gone has no name. */
export type NamedAccount = Pick<Account, 'id' | 'name'>;

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
