import { LRUCache } from 'lru-cache';

export interface ReadCache<Value> {
  get(key: string): Promise<Value | undefined>;
}

export interface ReadCacheOptions<Value> {
  readonly read: (key: string) => Promise<Value | undefined>;
  readonly now: () => number;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** Called for each `get`. A hit starts no read. */
  readonly onGet?: (isHit: boolean) => void;
}

interface Entry<Value> {
  readonly readAtMs: number;
  readonly value: Value;
}

/**
 * Answers from a read that started at most `maxAgeMs` ago, so changes before that moment are visible. Concurrent callers
 * share one read. Beyond `maxEntries`, the least recently used entry is dropped. Values that do not exist and failures
 * are not cached, so guessing drops no entry.
 *
 * lru-cache only bounds the entries: its own time to live starts at the end of a read, not at the start.
 */
export function createReadCache<Value extends object>(options: ReadCacheOptions<Value>): ReadCache<Value> {
  const { read, now, maxAgeMs, maxEntries, onGet } = options;
  const kept = new LRUCache<string, Entry<Value>>({ max: maxEntries });
  const inFlight = new Map<string, Entry<Promise<Value | undefined>>>();

  // A clock that was set back makes an entry old, not young.
  const isFresh = ({ readAtMs }: Entry<unknown>) => {
    const ageMs = now() - readAtMs;
    return ageMs >= 0 && ageMs < maxAgeMs;
  };

  const readAndKeep = async (key: string, readAtMs: number) => {
    const value = await read(key);
    // A later read may have overtaken one that took longer than `maxAgeMs`.
    if (value !== undefined && inFlight.get(key)?.readAtMs === readAtMs) kept.set(key, { readAtMs, value });
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

  return {
    get(key) {
      const entry = kept.get(key);
      if (entry !== undefined && isFresh(entry)) {
        onGet?.(true);
        return Promise.resolve(entry.value);
      }
      kept.delete(key);
      const other = inFlight.get(key);
      const isShared = other !== undefined && isFresh(other);
      onGet?.(isShared);
      return isShared ? other.value : startRead(key);
    },
  };
}
