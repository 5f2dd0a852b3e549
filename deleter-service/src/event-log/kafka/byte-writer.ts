import { crc32c } from '@node-rs/crc32';

type Content = Buffer | string | null | undefined;

/** Writes the types of Kafka's protocol, one after the other, into a buffer that grows. */
export class ByteWriter {
  #buffer: Buffer;
  #length = 0;

  /** @param capacity how many bytes there is room for before it grows */
  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  written(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Starts anew in the same room: over what has been written so far. */
  clear(): void {
    this.#length = 0;
  }

  int8(value: number): void {
    const at = this.#grow(1);
    this.#buffer.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#grow(2);
    this.#buffer.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#grow(4);
    this.#buffer.writeInt32BE(value, at);
  }

  int64(value: bigint): void {
    const at = this.#grow(8);
    this.#buffer.writeBigInt64BE(value, at);
  }

  varint(value: number): void {
    let at = this.#grow(sizeOfVarint(value));
    let rest = zigzag(value);
    for (; rest > 0x7f; rest >>>= 7) this.#buffer[at++] = (rest & 0x7f) | 0x80;
    this.#buffer[at] = rest;
  }

  string(value: string): void {
    const length = byteLength(value);
    this.int16(length);
    this.bytes(value, length);
  }

  /** With a varint of its length before it. */
  prefixed(content: Content, length: number): void {
    this.varint(length);
    if (length > 0) this.bytes(content, length);
  }

  bytes(content: Content, length: number): void {
    const at = this.#grow(length);
    // What has a byte a character is the same in both, and written faster without looking at each.
    if (typeof content === 'string')
      this.#buffer.write(content, at, length, length === content.length ? 'latin1' : 'utf8');
    else if (content) this.#buffer.set(content, at);
  }

  /** With its length before it. */
  sized(write: () => void): void {
    const at = this.#grow(4);
    write();
    this.#buffer.writeInt32BE(this.#length - at - 4, at);
  }

  /** With its checksum before it, by the polynomial of Castagnoli (RFC 9260, appendix A). */
  checked(write: () => void): void {
    const at = this.#grow(4);
    write();
    this.#buffer.writeUInt32BE(crc32c(this.#buffer.subarray(at + 4, this.#length)), at);
  }

  /** Before the buffer is named: it may be another one afterwards. @returns where the new bytes begin */
  #grow(by: number): number {
    const at = this.#length;
    this.#length += by;
    if (this.#length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(2 * this.#length);
      grown.set(this.#buffer.subarray(0, at));
      this.#buffer = grown;
    }
    return at;
  }
}

/** @returns -1 for none, as the protocol has it */
export function byteLength(content: Content): number {
  if (content === null || content === undefined) return -1;
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

export function sizeOfVarint(value: number): number {
  const bits = 32 - Math.clz32(zigzag(value) | 1);
  return Math.ceil(bits / 7);
}

/** Small numbers of either sign are short. Of 32 bits: a batch has fewer records, bytes and milliseconds. */
function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}
