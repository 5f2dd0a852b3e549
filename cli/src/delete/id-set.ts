import { hash } from 'node:crypto';

/** Words of a slot: 128 bits of the SHA-256 of an id. Two of 10 million ids have the same with a probability of 10^-25. */
const words = 4;

/** Remembers ids in 32 to 64 bytes each, outside the heap of V8. */
export class IdSet {
  /** Open addressing, at most half full. A slot that starts with 0 is empty. */
  #slots = new Uint32Array(1_024 * words);
  #size = 0;

  /** Returns false if the set has the id already. */
  add(id: string): boolean {
    if (!insert(this.#slots, keyOf(id))) return false;
    this.#size += 1;
    if (2 * words * this.#size > this.#slots.length) this.#grow();
    return true;
  }

  has(id: string): boolean {
    return !insert(this.#slots, keyOf(id), false);
  }

  get size(): number {
    return this.#size;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (let at = 0; at < this.#slots.length; at += words)
      if (this.#slots[at] !== 0) insert(larger, this.#slots.subarray(at, at + words));
    this.#slots = larger;
  }
}

function keyOf(id: string): Uint32Array {
  const digest = hash('sha256', id, 'buffer');
  const key = Uint32Array.from({ length: words }, (_, word) => digest.readUInt32LE(4 * word));
  key[0] ||= 1;
  return key;
}

/** Returns false if the slots have the key already. @param isKept false only looks for the key */
function insert(slots: Uint32Array, key: Uint32Array, isKept = true): boolean {
  let at = ((key[0] ?? 0) * words) % slots.length;
  while (slots[at] !== 0) {
    if (key.every((word, index) => slots[at + index] === word)) return false;
    at = (at + words) % slots.length;
  }
  if (isKept) slots.set(key, at);
  return true;
}
