import type { Accounts } from '@jobs-delete/accounts/accounts';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { membershipOf, type Session } from '@jobs-delete/accounts/people/people';
import { createFairSemaphore, type FairSemaphoreOptions } from '@jobs-delete/runtime/batching/permits';
import { Fault } from '@jobs-delete/runtime/fault';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-address';
import { LRUCache } from 'lru-cache';
import type { NamedAccount } from './account-name.tsx';
import type { SignedIn } from './route.ts';
import type { Services } from '../services.ts';

/** A session ends after 12 hours without a request. */
export const idleMs = 12 * 3_600_000;
/** A session ends 30 days after the sign-in, however often it is used. */
const lifeMs = 30 * 24 * 3_600_000;

export function isAlive(
  { createdAtMs, lastSeenAtMs }: Pick<Session, 'createdAtMs' | 'lastSeenAtMs'>,
  nowMs: number,
): boolean {
  return nowMs - lastSeenAtMs < idleMs && nowMs - createdAtMs < lifeMs;
}

interface Wanted {
  readonly secret: string;
  /** The account of the page. */
  readonly accountId: string | undefined;
  readonly nowMs: number;
}

/** A session ends with the membership of its account too. A foreign account is as unknown as one that does not exist. */
export async function findSignedIn(
  accounts: Accounts,
  { secret, accountId: wantedId, nowMs }: Wanted,
): Promise<SignedIn | undefined> {
  const session = await accounts.findSession(hashSecret(secret));
  if (session === undefined || !isAlive(session, nowMs)) return undefined;
  const person = await accounts.findPerson(session.personId);
  const own = person && membershipOf(person, session.accountId);
  if (person === undefined || own === undefined) return undefined;
  const { accountId, role, email } = membershipOf(person, wantedId ?? '') ?? own;
  const ids = person.memberships.map((each) => each.accountId);
  const found = new Map((await accounts.findAccounts(ids)).map((each) => [each.id, each]));
  const ownAccounts = ids.map((id): NamedAccount => found.get(id) ?? { id });
  const known = found.get(accountId);
  const account = known ?? { id: accountId };
  const isDisabled = known?.disabledAtMs !== undefined;
  return { session, person, accountId, account, ownAccounts, role, email, isDisabled };
}

/**
 * Bounds the look-ups of session cookies. Cookies of sessions that were alive lately have a semaphore of their own, which
 * serves sessions round robin. So made-up cookies never delay somebody who is signed in, not even from the same network.
 * A second semaphore serves all other cookies, networks round robin. A cookie from an unknown network counts as a network.
 * @throws Fault when too many look-ups wait
 */
export type LookUpSession = <Found>(
  secret: string,
  network: string,
  find: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

const maxProven = 10_000;

export function createSessionLookUps(options: FairSemaphoreOptions): LookUpSession {
  const proven = new LRUCache<string, true>({ max: maxProven });
  const [ofProven, ofOthers] = [createFairSemaphore(options), createFairSemaphore(options)];
  return async (secret, network, find) => {
    const session = hashSecret(secret).toString('base64');
    const key = network === unknownNetwork ? session : network;
    const found = await (proven.has(session) ? ofProven.run(session, find) : ofOthers.run(key, find));
    if (found === 'full') throw new Fault('unavailable', 'too many look-ups of sessions wait');
    if (found === undefined) proven.delete(session);
    else proven.set(session, true);
    return found;
  };
}

const hourMs = 3_600_000;

/** Removes ended sessions and expired links every hour. Returns how to stop that. */
export function startExpiry(services: Pick<Services, 'accounts' | 'log' | 'now'>): () => void {
  const timer = setInterval(() => {
    expireSessions(services).catch((error: unknown) => {
      services.log.warn({ err: error }, 'removing expired sessions failed; the next attempt is in an hour');
    });
  }, hourMs);
  timer.unref();
  return () => clearInterval(timer);
}

export async function expireSessions({ accounts, now }: Pick<Services, 'accounts' | 'now'>): Promise<void> {
  const nowMs = now();
  // The last request is recorded up to a minute late, which keeps a session slightly longer. No request renews a session
  // after its 30 days, so it is removed 12 hours later too.
  await accounts.expireSessions(nowMs - idleMs);
  await accounts.expireOneTimeSecrets(nowMs);
}
