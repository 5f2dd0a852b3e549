import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { createFairSemaphore, type FairSemaphoreOptions } from '@jobs-delete/runtime/batching/fair-semaphore';
import { Fault } from '@jobs-delete/runtime/fault';
import { unknownNetwork } from '@jobs-delete/runtime/net/remote-network';
import { LRUCache } from 'lru-cache';

/**
 * Bounds the look-ups of session cookies. A session that was alive lately waits only for other look-ups like that, one
 * session after the other. So made-up cookies do not delay somebody who is signed in, also not from the same network.
 * Other cookies wait in the turn of their network. Callers of unknown networks have nothing in common: each cookie has its
 * own turn.
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
