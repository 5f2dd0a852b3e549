/** The names of one object: a short list is searched, a long one hashed. */
export class MemberNames {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** False when the name is there already. */
  add(name: string): boolean {
    if (this.#many === undefined) {
      if (this.#few.includes(name)) return false;
      this.#few.push(name);
      if (this.#few.length > 8) this.#many = new Set(this.#few.map(hashable));
      return true;
    }
    const size = this.#many.size;
    return this.#many.add(hashable(name)).size > size;
  }
}

/**
 * V8 hashes a string that looks like an array index by its number, without a seed in some versions, so that a
 * caller could make all names collide.
 */
function hashable(name: string): string {
  return `"${name}`;
}
