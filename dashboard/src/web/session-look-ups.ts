import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { createFairSemaphore, type FairSemaphoreOptions } from '@jobs-delete/runtime/batching/fair-semaphore';
import { Fault } from '@jobs-delete/runtime/fault';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-network';
import { LRUCache } from 'lru-cache';

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
