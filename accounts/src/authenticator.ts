import type { KeyObject } from 'node:crypto';
import { Fault } from '@jobs-delete/runtime/fault';
import type {
  Accounts,
  CredentialKind,
  CredentialRef,
  DomainRef,
  Environment,
  StoredCredential,
} from './accounts.ts';
import {
  credentialState,
  fingerprintOf,
  hashCredential,
  matchingPepper,
  parseCredential,
  pepperIdOf,
} from './credentials/credential.ts';
import { createReadCache } from './read-cache.ts';

export interface AuthenticatorOptions {
  readonly accounts: Pick<
    Accounts,
    'loadAccess' | 'findCredential' | 'recordUse' | 'recordRefusal' | 'recordDomainUse' | 'replaceHash'
  >;
  readonly pepper: KeyObject;
  /** Accepted too. Its credentials move to `pepper` when they are used. */
  readonly previousPepper?: KeyObject | undefined;
  readonly now: () => number;
  /** How long a credential stays in memory: at most 5 s, the delay of a revocation or pause. */
  readonly cacheMs?: number;
  /** Called when a use, a refusal or a new hash could not be recorded. */
  readonly onError: (error: unknown) => void;
  /** Called for each read of a credential. */
  readonly onCredentialRead?: (kind: CredentialKind, isHit: boolean) => void;
}

export interface AuthenticatedToken {
  readonly accountId: string;
  readonly tokenId: string;
  readonly allowedDomains: readonly string[];
}

/** The credentials of a request, and the allowed domain that its origin matches. */
export interface Use extends DomainRef {
  readonly tokenId: string;
  readonly secretKeyId: string;
}

/**
 * Both checks reject with a Fault when the accounts cannot be read, or when this process lacks the pepper of a credential. A
 * refusal looks the same for an unknown, wrong, expired, paused or revoked credential and for one of another or a disabled account,
 * in its value and in its time. A valid sandbox credential in a live request gives `sandbox_only`: whoever has it may
 * learn why.
 */
export interface Authenticator {
  authenticateToken(
    token: string,
    options?: CheckOptions,
  ): Promise<AuthenticatedToken | 'token_invalid' | 'sandbox_only'>;
  verifySecretKey(
    accountId: string,
    secretKey: string,
    options?: CheckOptions,
  ): Promise<{ secretKeyId: string } | 'secret_key_invalid' | 'sandbox_only'>;
  /** Called for accepted live requests only. Returns at once and never throws. */
  recordUse(use: Use): void;
  /**
   * Called for refused requests with a valid token. Returns at once and never throws. The two checks record the
   * credentials that they refuse.
   */
  recordRefusal(tokenId: string, secretKeyId?: string): void;
}

interface CheckOptions {
  /** Where the request goes. A refusal by the sandbox is not recorded: it says nothing about live requests. */
  readonly environment?: Environment;
}

const maxCacheMs = 5_000;
/** Of tokens, and of secret keys. */
const maxCacheEntries = 10_000;
/** A new credential works at once: nobody guesses its id of 96 random bits before it is issued. */
const unknownCacheMs = 1_000;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { accounts, now } = options;
  const bounds = {
    now,
    maxAgeMs: Math.min(options.cacheMs ?? maxCacheMs, maxCacheMs),
    maxEntries: maxCacheEntries,
    maxUnknownAgeMs: unknownCacheMs,
  };
  const onGet = (kind: CredentialKind) => (isHit: boolean) => options.onCredentialRead?.(kind, isHit);
  const readAccess = createReadCache({
    ...bounds,
    read: (id) => accounts.loadAccess(id),
    onGet: onGet('token'),
  });
  const readSecretKey = createReadCache({
    ...bounds,
    read: (id) => accounts.findCredential({ kind: 'secret-key', id }),
    onGet: onGet('secret-key'),
  });
  const recorder = { ...options, keyOf: credentialKey };
  const recordCredentialUse = createUseRecorder({ ...recorder, write: accounts.recordUse });
  const recordRefusal = createUseRecorder({ ...recorder, write: accounts.recordRefusal });
  const recordDomainUse = createUseRecorder({
    ...options,
    keyOf: ({ accountId, domain }: DomainRef) => `${accountId} ${domain}`,
    write: accounts.recordDomainUse,
  });

  const hashes = createHashCheck(options);
  /** Records the refusal of a credential, and returns its reason. */
  const refuse = <Reason>(
    reason: Reason,
    stored: StoredCredential | undefined,
    { environment = 'live' }: CheckOptions = {},
  ): Reason => {
    if (stored !== undefined && environment === 'live') recordRefusal([{ kind: stored.kind, id: stored.id }]);
    return reason;
  };
  const mayEnter = ({ environment: only }: StoredCredential, { environment = 'live' }: CheckOptions = {}) =>
    only === undefined || only === environment;

  return {
    async authenticateToken(token, checkOptions) {
      const id = parseCredential('token', token);
      const access = id === undefined ? undefined : await readAccess(id);
      if (!hashes.isValid(token, access?.token) || access.isAccountDisabled)
        return refuse('token_invalid', access?.token, checkOptions);
      if (!mayEnter(access.token, checkOptions)) return refuse('sandbox_only', access.token, checkOptions);
      hashes.moveToCurrentPepper(token, access.token);
      return {
        accountId: access.token.accountId,
        tokenId: access.token.id,
        allowedDomains: access.allowedDomains,
      };
    },

    async verifySecretKey(accountId, secretKey, checkOptions) {
      const id = parseCredential('secret-key', secretKey);
      const stored = id === undefined ? undefined : await readSecretKey(id);
      if (!hashes.isValid(secretKey, stored) || stored.accountId !== accountId)
        return refuse('secret_key_invalid', stored, checkOptions);
      if (!mayEnter(stored, checkOptions)) return refuse('sandbox_only', stored, checkOptions);
      hashes.moveToCurrentPepper(secretKey, stored);
      return { secretKeyId: stored.id };
    },

    recordUse: ({ accountId, domain, tokenId, secretKeyId }) => {
      recordCredentialUse(refsOf(tokenId, secretKeyId));
      recordDomainUse([{ accountId, domain }]);
    },
    recordRefusal: (tokenId, secretKeyId) => recordRefusal(refsOf(tokenId, secretKeyId)),
  };
}

function refsOf(tokenId: string, secretKeyId: string | undefined): CredentialRef[] {
  const token: CredentialRef = { kind: 'token', id: tokenId };
  return secretKeyId === undefined ? [token] : [token, { kind: 'secret-key', id: secretKeyId }];
}

interface Move extends CredentialRef {
  readonly text: string;
  readonly from: Buffer;
}

/** Compares credentials under both peppers, and moves those that are used to the current one. */
function createHashCheck({ accounts, pepper, previousPepper, now, onError }: AuthenticatorOptions) {
  const peppers = [pepper, ...(previousPepper === undefined ? [] : [previousPepper])];
  const ids = peppers.map((each) => pepperIdOf(fingerprintOf(each)));
  const [pepperId = ''] = ids;
  const move = createUseRecorder<Move>({
    keyOf: credentialKey,
    now,
    onError,
    write: (moves) => {
      const moved = moves.map(({ text, from, ...credential }) =>
        accounts.replaceHash(credential, from, { hash: hashCredential(pepper, text), pepperId }),
      );
      return Promise.all(moved).then(() => undefined);
    },
  });

  return {
    /**
     * Returns whether the text fits and the credential is live. Compares in the same time when nothing is stored.
     * @throws Fault if the hash belongs to a pepper that this process does not have: the text may be right
     */
    isValid(text: string, stored: StoredCredential | undefined): stored is StoredCredential {
      const isMatch = matchingPepper(peppers, text, stored?.hash) !== undefined;
      if (stored === undefined || credentialState(stored, now()) !== 'active') return false;
      if (stored.pepperId !== undefined && !ids.includes(stored.pepperId)) throw unknownPepper(stored);
      return isMatch;
    },
    /** Called for valid credentials. Returns at once and never throws. */
    moveToCurrentPepper(text: string, { kind, id, hash, pepperId: storedId }: StoredCredential): void {
      if (previousPepper !== undefined && storedId !== pepperId) move([{ kind, id, text, from: hash }]);
    },
  };
}

function unknownPepper({ kind, id, pepperId }: StoredCredential): Fault {
  return new Fault(
    'unavailable',
    `the hash of the ${kind} ${id} belongs to the pepper ${String(pepperId)}, which this process does not have: ` +
      'set CREDENTIAL_PEPPER and CREDENTIAL_PEPPER_PREVIOUS to the peppers of `jobs-delete pepper status`',
  );
}

interface UseRecorderOptions<Used> {
  readonly keyOf: (use: Used) => string;
  readonly write: (uses: readonly Used[], atMs: number) => Promise<void>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const recordIntervalMs = 60_000;
const maxUsesPerWrite = 200;

/**
 * Records when something was used or refused: at most one write a minute for each, failed ones included, so a store in
 * trouble does not get a write per request. Uses that come during a write share the next one, and its time is the earliest of
 * them. Returns at once and never throws. Pass only what exists: memory grows with each distinct key of the last minute, and
 * with those that are not written yet.
 */
export function createUseRecorder<Used>({ keyOf, write, now, onError }: UseRecorderOptions<Used>) {
  // In the order of their uses. Unbounded, so no LRU cache: dropping an entry would cause a write per request.
  const usedAtMs = new Map<string, number>();
  const due = new Map<string, { readonly use: Used; readonly atMs: number }>();
  let isWriting = false;

  const isRecent = (atMs: number | undefined, nowMs: number) =>
    atMs !== undefined && nowMs >= atMs && nowMs - atMs < recordIntervalMs;

  const forgetOld = (nowMs: number) => {
    for (const [key, atMs] of usedAtMs) {
      if (isRecent(atMs, nowMs)) return;
      usedAtMs.delete(key);
    }
  };

  const writeDue = async () => {
    if (isWriting) return;
    isWriting = true;
    while (due.size > 0) {
      const some = take(due, maxUsesPerWrite);
      const atMs = Math.min(...some.map(([, used]) => used.atMs));
      try {
        await write(
          some.map(([, { use }]) => use),
          atMs,
        );
      } catch (error) {
        onError(error);
      }
    }
    isWriting = false;
  };

  return (uses: readonly Used[]): void => {
    const nowMs = now();
    forgetOld(nowMs);
    for (const use of uses) {
      const key = keyOf(use);
      if (isRecent(usedAtMs.get(key), nowMs)) continue;
      usedAtMs.delete(key);
      usedAtMs.set(key, nowMs);
      due.set(key, { use, atMs: nowMs });
    }
    void writeDue();
  };
}

/** Removes the first entries of a map. */
function take<Key, Value>(map: Map<Key, Value>, count: number): [Key, Value][] {
  const taken: [Key, Value][] = [];
  for (const entry of map) {
    if (taken.length === count) break;
    taken.push(entry);
    map.delete(entry[0]);
  }
  return taken;
}

export function credentialKey({ kind, id }: CredentialRef): string {
  return `${kind} ${id}`;
}
