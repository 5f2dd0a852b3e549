import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

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
