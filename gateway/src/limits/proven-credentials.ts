import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * Credentials that were right lately. Their callers neither wait behind unknown ones nor are blocked with their network,
 * because an attacker may share an address with its victim. Proves nothing by itself: every request is checked.
 */
export interface ProvenCredentials {
  has(credentials: string): boolean;
  add(credentials: string): void;
  delete(credentials: string): void;
}

export function createProvenCredentials(maxEntries = 10_000): ProvenCredentials {
  const proven = new LRUCache<string, true>({ max: maxEntries });
  return {
    // `get` also marks the entry as recently used.
    has: (credentials) => proven.get(digestOf(credentials)) === true,
    add: (credentials) => void proven.set(digestOf(credentials), true),
    delete: (credentials) => void proven.delete(digestOf(credentials)),
  };
}

/** No credential stays in memory. */
function digestOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}
