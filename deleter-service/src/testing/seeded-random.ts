import type { Random } from '@jobs-delete/runtime/time/clock';

export interface SeededRandom extends Random {
  /** Returns a whole number from 0 to below `limit`. */
  below(limit: number): number;
}

/** Creates a generator (mulberry32) that returns the same numbers for the same seed. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed;
  let uuids = 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    uuid: () => `${hex(seed >>> 0, 8)}-0000-7000-8000-${hex(++uuids, 12)}`,
  };
}
