import type { Credential } from '@jobs-delete/accounts/accounts';

/** Returns the names of tokens by their id. A token without a name is absent. */
export function tokenNames(tokens: readonly Credential[]): ReadonlyMap<string, string> {
  return new Map(tokens.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])));
}
