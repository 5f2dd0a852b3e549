import { LRUCache } from 'lru-cache';

export interface ReadCacheOptions<Value> {
  readonly read: (key: string) => Promise<Value | undefined>;
  readonly now: () => number;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** How long a key without a value is remembered. Default: 0, which remembers none. */
  readonly maxUnknownAgeMs?: number;
  /** Called for each key that is asked for. A hit starts no read. */
  readonly onGet?: (isHit: boolean) => void;
}

interface Entry<Value> {
  readonly readAtMs: number;
  readonly value: Value;
}

/**
 * Returns a function that answers from a read that started at most `maxAgeMs` ago, so changes before that moment are visible.
 * Concurrent callers share one read. Above `maxEntries`, the least recently used entry is dropped. Keys without a value have
 * their own cache of that size, so guessing drops no entry. Failures are not cached.
 *
 * lru-cache only bounds the entries: its own time to live starts at the end of a read, not at the start.
 */
export function createReadCache<Value extends object>(
  options: ReadCacheOptions<Value>,
): (key: string) => Promise<Value | undefined> {
  const { read, now, maxAgeMs, maxEntries, maxUnknownAgeMs = 0, onGet } = options;
  const kept = new LRUCache<string, Entry<Value>>({ max: maxEntries });
  const unknown = new LRUCache<string, Entry<undefined>>({ max: maxEntries });
  const inFlight = new Map<string, Entry<Promise<Value | undefined>>>();

  // A clock that was set back makes an entry old, not young.
  const isFresh = ({ readAtMs }: Entry<unknown>, limitMs = maxAgeMs) => {
    const ageMs = now() - readAtMs;
    return ageMs >= 0 && ageMs < limitMs;
  };

  const readAndKeep = async (key: string, readAtMs: number) => {
    const value = await read(key);
    // A later read may have overtaken one that took longer than `maxAgeMs`.
    if (inFlight.get(key)?.readAtMs !== readAtMs) return value;
    if (value !== undefined) kept.set(key, { readAtMs, value });
    else if (maxUnknownAgeMs > 0) unknown.set(key, { readAtMs, value });
    return value;
  };

  const startRead = (key: string) => {
    const readAtMs = now();
    const started = { readAtMs, value: readAndKeep(key, readAtMs) };
    inFlight.set(key, started);
    const forget = () => {
      if (inFlight.get(key) === started) inFlight.delete(key);
    };
    started.value.then(forget, forget);
    return started.value;
  };

  return (key) => {
    const entry = kept.get(key);
    if (entry !== undefined && isFresh(entry)) {
      onGet?.(true);
      return Promise.resolve(entry.value);
    }
    kept.delete(key);
    const missed = unknown.get(key);
    if (missed !== undefined && isFresh(missed, maxUnknownAgeMs)) {
      onGet?.(true);
      return Promise.resolve(undefined);
    }
    const other = inFlight.get(key);
    const isShared = other !== undefined && isFresh(other);
    onGet?.(isShared);
    return isShared ? other.value : startRead(key);
  };
}
