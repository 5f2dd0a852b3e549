import { createHash } from 'node:crypto';

/** 96 bits of the SHA-256 of an id. Two of 10 million ids have the same with a probability of 10^-15. */
const keyWords = 3;
/** A slot has a key and the value. */
const words = keyWords + 1;

/** Maps ids to numbers, in 21 to 43 bytes each, outside the heap of V8. An id that was never set has the value 0. */
export class IdMap {
  /** Open addressing, at most three quarters full. A slot that starts with 0 is empty. */
  #slots = new Uint32Array(1_024 * words);
  #size = 0;

  /** The number of ids that were set. */
  get size(): number {
    return this.#size;
  }

  get(id: string): number {
    return this.#slots[slotOf(this.#slots, keyOf(id)) + keyWords] ?? 0;
  }

  /** Returns the value before. */
  set(id: string, value: number): number {
    const key = keyOf(id);
    const at = slotOf(this.#slots, key);
    const before = this.#slots[at + keyWords] ?? 0;
    if (this.#slots[at] === 0) this.#size += 1;
    this.#slots.set(key, at);
    this.#slots[at + keyWords] = value;
    if (4 * words * this.#size > 3 * this.#slots.length) this.#grow();
    return before;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (let at = 0; at < this.#slots.length; at += words) {
      const slot = this.#slots.subarray(at, at + words);
      if (slot[0] !== 0) larger.set(slot, slotOf(larger, slot));
    }
    this.#slots = larger;
  }
}

function keyOf(id: string): Uint32Array {
  // Deno and Bun may lack the faster `hash`.
  const digest = createHash('sha256').update(id).digest();
  const key = Uint32Array.from({ length: keyWords }, (_, word) => digest.readUInt32LE(4 * word));
  key[0] ||= 1;
  return key;
}

/** Returns the start of the slot with this key, or of the empty one for it. */
function slotOf(slots: Uint32Array, key: Uint32Array): number {
  let at = ((key[0] ?? 0) * words) % slots.length;
  while (slots[at] !== 0 && !hasKey(slots, at, key)) at = (at + words) % slots.length;
  return at;
}

function hasKey(slots: Uint32Array, at: number, key: Uint32Array): boolean {
  for (let word = 0; word < keyWords; word++) if (slots[at + word] !== key[word]) return false;
  return true;
}
