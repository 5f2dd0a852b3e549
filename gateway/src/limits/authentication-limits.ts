import { hash } from 'node:crypto';
import { createFairSemaphore, type FairSemaphore } from '@jobs-delete/runtime/batching/permits';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { LRUCache } from 'lru-cache';
import type { ProtectionConfig } from '../config.ts';

/** What bounds the work for callers that are not proven. */
export interface AuthenticationLimits {
  /**
   * Digests of credentials that were right lately. Their callers neither wait behind unknown ones nor are blocked with their
   * network, because an attacker may share an address with its victim. Proves nothing by itself: every request is checked.
   */
  readonly proven: Pick<LRUCache<string, true>, 'get' | 'set' | 'delete'>;
  /** Undefined when failures are not limited. */
  readonly failures: FailedAuthentications | undefined;
  /** Undefined when look-ups are not limited. */
  readonly queue: FairSemaphore | undefined;
  /** Called with what a proxy has sent in place of the caller's address. */
  readonly onUnknownNetwork?: (address: string) => void;
}

export function createAuthenticationLimits(
  {
    failedAuthentications,
    maxWaitingAuthentications: maxWaiting,
  }: Pick<ProtectionConfig, 'failedAuthentications' | 'maxWaitingAuthentications'>,
  log: Pick<Logger, 'warn'>,
): AuthenticationLimits {
  return {
    proven: new LRUCache({ max: 10_000 }),
    failures:
      failedAuthentications.limit === 0 ? undefined : createFailedAuthentications(failedAuthentications),
    queue: maxWaiting === 0 ? undefined : createFairSemaphore({ maxWaiting }),
    onUnknownNetwork: warnOnceOfUnknownNetwork(log),
  };
}

function warnOnceOfUnknownNetwork(log: Pick<Logger, 'warn'>): (address: string) => void {
  let isReported = false;
  return (address) => {
    if (isReported) return;
    isReported = true;
    const what = 'TRUST_PROXY: a trusted proxy sends callers without an address in X-Forwarded-For';
    log.warn({ address }, `${what}: their failed authentications are not limited. Correct the proxy`);
  };
}

/**
 * Slows down callers that fail to authenticate.
 *
 * Counts failures per network, never per account or credential: otherwise anybody could lock an account out.
 * Counts in this process only, without a round trip. N gateways allow N times as many attempts.
 */
export interface FailedAuthentications {
  /** Returns the time until the network may try again; undefined when it may now. */
  blockedMs(network: string): number | undefined;
  failed(network: string): void;
}

/** Forgets the network with the oldest window when there are more than `maxNetworks`. */
export function createFailedAuthentications(
  { limit, windowSeconds }: ProtectionConfig['failedAuthentications'],
  maxNetworks = 100_000,
): FailedAuthentications {
  // Only the first failure of a window counts as use of its entry. So the least recently used window is the oldest.
  const windows = new LRUCache<string, { failures: number }>({
    max: maxNetworks,
    ttl: windowSeconds * 1_000,
  });
  return {
    blockedMs: (network) => {
      const isBlocked = (windows.peek(network)?.failures ?? 0) >= limit;
      return isBlocked ? Math.max(0, windows.getRemainingTTL(network)) : undefined;
    },
    failed: (network) => {
      const window = windows.peek(network);
      if (window === undefined) windows.set(network, { failures: 1 });
      else window.failures += 1;
    },
  };
}

/** Returns the key of all values of both headers: no credential stays in memory. No header has a line break. */
export function digestOf({ authorization = [], usersecretkey = [] }: NodeJS.Dict<string[]>): string {
  return hash('sha256', `${authorization.join('\n')}\n\n${usersecretkey.join('\n')}`, 'base64');
}
