/** The names of one object. Searches a short list, and hashes a long one. */
export class MemberNames {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  /** Returns false when the name was added before. */
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

/** V8 hashes a string that looks like an array index without a seed in some versions. A caller could make all collide. */
function hashable(name: string): string {
  return `"${name}`;
}
