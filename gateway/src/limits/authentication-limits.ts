import { hash } from 'node:crypto';
import { createFairSemaphore, type FairSemaphore } from '@jobs-delete/runtime/batching/permits';
import type { Logger } from '@jobs-delete/runtime/telemetry/logger';
import { LRUCache } from 'lru-cache';
import type { ProtectionConfig } from '../config.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

/** What bounds the work for callers that are not proven. */
export interface AuthenticationLimits {
  readonly proven: ProvenCredentials;
  /** Undefined when failures are not limited. */
  readonly failures: FailedAuthentications | undefined;
  /** Undefined when look-ups are not limited. */
  readonly queue: FairSemaphore | undefined;
  /** Called with what a proxy has sent in place of the caller's address. */
  readonly onUnknownNetwork?: (address: string) => void;
}

/** Loads the limiter of failures only when it is used: its library takes 9 MB. */
export async function openAuthenticationLimits(
  { failedAuthentications, maxWaitingAuthentications: maxWaiting }: ProtectionConfig,
  log: Logger,
): Promise<AuthenticationLimits> {
  const queue = maxWaiting === 0 ? undefined : createFairSemaphore({ maxWaiting });
  const proven = createProvenCredentials();
  const onUnknownNetwork = warnOnceOfUnknownNetwork(log);
  if (failedAuthentications.limit === 0) return { proven, queue, failures: undefined, onUnknownNetwork };
  const { createFailedAuthentications } = await import('./failed-authentications.ts');
  const failures = createFailedAuthentications(failedAuthentications);
  return { proven, queue, failures, onUnknownNetwork };
}

function warnOnceOfUnknownNetwork(log: Logger): (address: string) => void {
  let isReported = false;
  return (address) => {
    if (isReported) return;
    isReported = true;
    const what = 'TRUST_PROXY: a trusted proxy sends callers without an address in X-Forwarded-For';
    log.warn({ address }, `${what}: their failed authentications are not limited. Correct the proxy`);
  };
}

/**
 * Credentials that were right lately. Their callers neither wait behind unknown ones nor are blocked with their network,
 * because an attacker may share an address with its victim. Proves nothing by itself: every request is checked.
 */
export interface ProvenCredentials {
  has(digest: string): boolean;
  add(digest: string): void;
  delete(digest: string): void;
}

export function createProvenCredentials(maxEntries = 10_000): ProvenCredentials {
  const proven = new LRUCache<string, true>({ max: maxEntries });
  return {
    // `get` also marks the entry as recently used.
    has: (digest) => proven.get(digest) === true,
    add: (digest) => void proven.set(digest, true),
    delete: (digest) => void proven.delete(digest),
  };
}

/** Returns the key of all values of both headers: no credential stays in memory. No header has a line break. */
export function digestOf({ authorization = [], usersecretkey = [] }: NodeJS.Dict<string[]>): string {
  return hash('sha256', `${authorization.join('\n')}\n\n${usersecretkey.join('\n')}`, 'base64');
}
