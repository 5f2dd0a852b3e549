/** Bounds what is in progress of each key, such as the calls of one caller. */
export interface PlacesByKey {
  /** False when every place of the key is taken. */
  enter(key: string): boolean;
  leave(key: string): void;
}

/** A key that has nothing in progress takes no memory. */
export function createPlacesByKey(maxPerKey: number): PlacesByKey {
  const taken = new Map<string, number>();
  return {
    enter: (key) => {
      const count = taken.get(key) ?? 0;
      if (count >= maxPerKey) return false;
      taken.set(key, count + 1);
      return true;
    },
    leave: (key) => {
      const left = (taken.get(key) ?? 0) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    },
  };
}
