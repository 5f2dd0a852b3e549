/** Bounds what is in progress, such as the calls of one caller. */
export interface Permits {
  /** Returns false, and takes none, if the key or all keys together hold too many. */
  take(key: string): boolean;
  give(key: string): void;
}

export interface PermitsOptions {
  readonly perKey: number;
  /** The permits of all keys. Default: no limit. */
  readonly total?: number;
}

/** A key that holds nothing takes no memory. */
export function createPermits({ perKey, total = Infinity }: PermitsOptions): Permits {
  const heldBy = new Map<string, number>();
  let heldByAll = 0;
  return {
    take: (key) => {
      const held = heldBy.get(key) ?? 0;
      if (held >= perKey || heldByAll >= total) return false;
      heldBy.set(key, held + 1);
      heldByAll++;
      return true;
    },
    give: (key) => {
      const left = (heldBy.get(key) ?? 0) - 1;
      if (left > 0) heldBy.set(key, left);
      else heldBy.delete(key);
      heldByAll--;
    },
  };
}
