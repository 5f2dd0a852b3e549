import { credentialState, type CredentialState } from '@jobs-delete/accounts/credentials/credential';
import type { Credential, CredentialKind, Accounts } from '@jobs-delete/accounts/accounts';
import { credentialKey } from '@jobs-delete/accounts/authenticator';
import { parseCredentialSubject } from '@jobs-delete/accounts/people/audit-trail';
import { groupBy } from '@jobs-delete/runtime/batching/groups';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { shortId } from '../web/marks.tsx';
import { dayMs } from '../web/time.tsx';

export type KeyState = CredentialState | 'replaced' | 'expires-soon';

const warningMs = 14 * dayMs;

/** Returns whether a key was made for a day at least. */
function lasts({ createdAtMs, expiresAtMs = Infinity }: Credential): boolean {
  return expiresAtMs - createdAtMs >= dayMs;
}

/**
 * An active key is replaced, or expires soon: in its last 14 days. One for less than a day always does, and has no such state.
 * @param all the keys of its kind at least
 */
export function stateOf(key: Credential, all: readonly Credential[], nowMs: number): KeyState {
  const state = credentialState(key, nowMs);
  if (state !== 'active') return state;
  if (replacementOf(key, all, nowMs) !== undefined) return 'replaced';
  const { expiresAtMs = Infinity } = key;
  return lasts(key) && expiresAtMs - nowMs <= warningMs ? 'expires-soon' : 'active';
}

export function isValid(key: Credential, nowMs: number): boolean {
  return credentialState(key, nowMs) === 'active';
}

/** Returns the valid key that takes the place of this one. */
export function replacementOf(
  { kind, id }: Credential,
  keys: readonly Credential[],
  nowMs: number,
): Credential | undefined {
  return keys.find((key) => key.kind === kind && key.replacesId === id && isValid(key, nowMs));
}

/** Returns false for a key that is expired or revoked: no change makes it valid again. */
export function isOpen(key: Credential, nowMs: number): boolean {
  const state = credentialState(key, nowMs);
  return state !== 'expired' && state !== 'revoked';
}

export type KeyAction = 'rename' | 'pause' | 'resume' | 'rotate' | 'revoke';

/**
 * Returns what a manager may do with a key, the usual first. A key that is replaced already needs no other replacement.
 * @param all the keys of its kind at least
 */
export function actionsOf(key: Credential, all: readonly Credential[], nowMs: number): readonly KeyAction[] {
  if (!isOpen(key, nowMs)) return [];
  if (key.pausedAtMs !== undefined) return ['resume', 'rename', 'revoke'];
  const isReplaced = replacementOf(key, all, nowMs) !== undefined;
  return [...(isReplaced ? [] : ['rotate' as const]), 'rename', 'pause', 'revoke'];
}

/** The newest first, but those that have ended last. */
export function sortKeys(keys: readonly Credential[], nowMs: number): readonly Credential[] {
  const rank = (key: Credential) => Number(!isOpen(key, nowMs));
  return keys.toReversed().toSorted((one, other) => rank(one) - rank(other));
}

/** Keys of one form and their rotations get the same text. */
function groupOf({ environment, name, id }: Credential): string {
  return `${environment ?? 'live'} ${name ?? id}`;
}

/**
 * Returns the open key of the other kind that forms a pair with this open one: no third key has their name, unless it is of another
 * step of a rotation.
 * @param all the keys of both kinds
 */
export function partnerOf(
  key: Credential,
  all: readonly Credential[],
  nowMs: number,
): Credential | undefined {
  return partnersOf(all, nowMs).get(credentialKey(key));
}

/** Returns the partner of each key that has one, by `credentialKey`. */
export function partnersOf(all: readonly Credential[], nowMs: number): ReadonlyMap<string, Credential> {
  const isReplaced = replacedAmong(all, nowMs);
  const named = all.filter((key) => key.name !== undefined && isOpen(key, nowMs));
  const groups = groupBy(named, (key) => `${String(isReplaced(key))} ${groupOf(key)}`);
  const partners = new Map<string, Credential>();
  for (const [one, other, ...more] of groups.values()) {
    if (one === undefined || other === undefined || one.kind === other.kind || more.length > 0) continue;
    partners.set(credentialKey(one), other).set(credentialKey(other), one);
  }
  return partners;
}

/** Returns a function that tells whether a valid key replaces another one. */
function replacedAmong(all: readonly Credential[], nowMs: number): (key: Credential) => boolean {
  const replaced = new Set(
    all.flatMap((key) => {
      const { kind, replacesId: id } = key;
      return id !== undefined && isValid(key, nowMs) ? credentialKey({ kind, id }) : [];
    }),
  );
  return (key) => replaced.has(credentialKey(key));
}

/**
 * Sorts keys of both kinds as `sortKeys`, but those of one name next to each other, where the newest of them stands: first those
 * without a replacement, the tokens before the secret keys.
 */
export function pairKeys(keys: readonly Credential[], nowMs: number): readonly Credential[] {
  const oldestFirst = keys.toSorted((one, other) => one.createdAtMs - other.createdAtMs);
  const groups = groupBy(sortKeys(oldestFirst, nowMs), groupOf);
  const isReplaced = replacedAmong(keys, nowMs);
  const rank = (key: Credential) => (isReplaced(key) ? 2 : 0) + Number(key.kind === 'secret-key');
  return [...groups.values()].flatMap((group) => group.toSorted((one, other) => rank(one) - rank(other)));
}

export function readKind(text: string | undefined): CredentialKind | undefined {
  return text === 'token' || text === 'secret-key' ? text : undefined;
}

/** Finds the key that the address names. A key of another account is as unknown as one that does not exist. */
export async function findKey(
  { accounts }: Pick<Services, 'accounts'>,
  { accountId, params }: MemberVisit,
): Promise<Credential | undefined> {
  const kind = readKind(params.kind);
  if (kind === undefined || params.id === undefined) return undefined;
  const key = await accounts.findCredential({ kind, id: params.id });
  return key?.accountId === accountId ? key : undefined;
}

export const kinds = ['token', 'secret-key'] as const;

/** Resolves to the keys of both kinds. */
export async function listBothKinds(
  accounts: Pick<Accounts, 'listCredentials'>,
  accountId: string,
): Promise<readonly Credential[]> {
  return (await Promise.all(kinds.map((kind) => accounts.listCredentials(kind, accountId)))).flat();
}

/** The command line stores its entry some milliseconds before or after the change. */
const stopMs = 1_000;

/** Resolves to who paused or revoked the key, as the trail names them. */
export async function findStopper(
  trail: Pick<Accounts, 'listActions'>,
  { kind, id, accountId, revokedAtMs, pausedAtMs }: Credential,
): Promise<string | undefined> {
  const atMs = revokedAtMs ?? pausedAtMs;
  if (atMs === undefined) return undefined;
  const range = { fromMs: atMs - stopMs, toMs: atMs + stopMs };
  const entries = await trail.listActions({ accountId, pageSize: 100, ...range });
  const action = `${kind}.${revokedAtMs === undefined ? 'paused' : 'revoked'}`;
  return entries.find(
    (entry) => entry.action === action && parseCredentialSubject(entry.subject ?? '')?.id === id,
  )?.actor;
}

/**
 * Returns the names of tokens or secret keys by their id, as lists show them. One without a name is absent. A name that several
 * have, such as both keys of a rotation, is followed by the id.
 */
export function credentialNames(credentials: readonly Credential[]): ReadonlyMap<string, string> {
  const counts = new Map<string | undefined, number>();
  for (const { name } of credentials) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    credentials.flatMap(({ id, name }) =>
      name === undefined ? [] : [[id, counts.get(name) === 1 ? name : `${name} (${shortId(id)})`] as const],
    ),
  );
}

/** Names of the tokens that requested and cancelled a deletion. Undefined if a person did it, or if the token has no name. */
export interface TokenNames {
  readonly tokenName: string | undefined;
  readonly cancellerName?: string | undefined;
}

export async function findTokenNames(
  accounts: Pick<Accounts, 'findCredential'>,
  { origin, cancelOrigin }: Pick<Deletion, 'origin' | 'cancelOrigin'>,
): Promise<TokenNames> {
  const [tokenName, cancellerName] = await Promise.all(
    [origin.tokenId, cancelOrigin?.tokenId ?? ''].map(async (id) =>
      id === '' ? undefined : (await accounts.findCredential({ kind: 'token', id }))?.name,
    ),
  );
  return { tokenName, cancellerName };
}
