import type { Accounts, Credential, CredentialKind } from '@jobs-delete/accounts/accounts';

export type KeyState = 'valid' | 'expires-soon' | 'expired' | 'revoked';

const warningMs = 14 * 86_400_000;

/** A key expires soon in its last 14 days. */
export function stateOf({ revokedAtMs, expiresAtMs }: Credential, nowMs: number): KeyState {
  if (revokedAtMs !== undefined) return 'revoked';
  if (expiresAtMs === undefined) return 'valid';
  if (expiresAtMs <= nowMs) return 'expired';
  return expiresAtMs - nowMs <= warningMs ? 'expires-soon' : 'valid';
}

export function isValid(key: Credential, nowMs: number): boolean {
  const state = stateOf(key, nowMs);
  return state === 'valid' || state === 'expires-soon';
}

/** Whether no change makes the key valid again. */
export function isEnded(key: Credential, nowMs: number): boolean {
  const state = stateOf(key, nowMs);
  return state === 'expired' || state === 'revoked';
}

/** Valid keys first, then the newest first. */
export function sortKeys(keys: readonly Credential[], nowMs: number): readonly Credential[] {
  const newest = keys.toReversed();
  return [...newest.filter((key) => isValid(key, nowMs)), ...newest.filter((key) => !isValid(key, nowMs))];
}

/** What the form creates. */
export const choices = ['both', 'token', 'secret-key'] as const;
export type Choice = (typeof choices)[number];

export function readKind(text: string | undefined): CredentialKind | undefined {
  return text === 'token' || text === 'secret-key' ? text : undefined;
}

/** Finds the key that a path names. A key of another account is as unknown as one that does not exist. */
export async function findKey(
  accounts: Pick<Accounts, 'findCredential'>,
  accountId: string,
  params: Readonly<Record<string, string>>,
): Promise<Credential | undefined> {
  const kind = readKind(params.kind);
  if (kind === undefined || params.id === undefined) return undefined;
  const key = await accounts.findCredential({ kind, id: params.id });
  return key?.accountId === accountId ? key : undefined;
}
