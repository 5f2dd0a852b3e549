export interface ReadCache<Value> {
  get(key: string): Promise<Value | undefined>;
}

export interface ReadCacheOptions<Value> {
  readonly read: (key: string) => Promise<Value | undefined>;
  readonly now: () => number;
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** Told of each look-up: a hit needs no read of its own. */
  readonly onGet?: (isHit: boolean) => void;
}

interface Entry<Value> {
  readonly readAtMs: number;
  readonly value: Value;
}

/**
 * Answers from what was read at most `maxAgeMs` ago, counted from the start of the read: what changed before that
 * moment is seen. Callers that ask at the same time share one read. The least recently asked-for entry makes room
 * for a new one; what doesn't exist and what failed is not kept, so that guessing pushes nothing out.
 */
export function createReadCache<Value extends object>(options: ReadCacheOptions<Value>): ReadCache<Value> {
  const { read, now, maxAgeMs, maxEntries, onGet } = options;
  const kept = new Map<string, Entry<Value>>();
  const underWay = new Map<string, Entry<Promise<Value | undefined>>>();

  // A clock that was set back makes an entry old, not young.
  const isFresh = ({ readAtMs }: Entry<unknown>) => {
    const ageMs = now() - readAtMs;
    return ageMs >= 0 && ageMs < maxAgeMs;
  };

  const keep = (key: string, entry: Entry<Value>) => {
    kept.delete(key);
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxEntries) return;
      kept.delete(oldest);
    }
  };

  const readAndKeep = async (key: string, readAtMs: number) => {
    const value = await read(key);
    // A read that took longer than `maxAgeMs` may have been overtaken by a later one.
    if (value !== undefined && underWay.get(key)?.readAtMs === readAtMs) keep(key, { readAtMs, value });
    return value;
  };

  const startRead = (key: string) => {
    const readAtMs = now();
    const started = { readAtMs, value: readAndKeep(key, readAtMs) };
    underWay.set(key, started);
    const forget = () => {
      if (underWay.get(key) === started) underWay.delete(key);
    };
    started.value.then(forget, forget);
    return started.value;
  };

  return {
    get(key) {
      const entry = kept.get(key);
      if (entry !== undefined && isFresh(entry)) {
        keep(key, entry);
        onGet?.(true);
        return Promise.resolve(entry.value);
      }
      kept.delete(key);
      const other = underWay.get(key);
      const isShared = other !== undefined && isFresh(other);
      onGet?.(isShared);
      return isShared ? other.value : startRead(key);
    },
  };
}
