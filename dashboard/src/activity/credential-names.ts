import type { Accounts, Credential } from '@jobs-delete/accounts/accounts';
import type { Deletion } from '../deleter/deletion.ts';

/** Returns the names of tokens or secret keys by their id. One without a name is absent. */
export function credentialNames(credentials: readonly Credential[]): ReadonlyMap<string, string> {
  return new Map(credentials.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
}

/** Resolves to the name of the token that asked for a deletion. */
export async function findTokenName(
  accounts: Pick<Accounts, 'findCredential'>,
  { origin: { tokenId } }: Deletion,
): Promise<string | undefined> {
  return tokenId === '' ? undefined : (await accounts.findCredential({ kind: 'token', id: tokenId }))?.name;
}
