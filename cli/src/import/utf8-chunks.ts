import { isUtf8 } from 'node:buffer';
import { ImportError } from './import-record.ts';

export type ByteChunks = AsyncIterable<Buffer>;

/** Limits the memory of readers, whatever the chunk size of the source. */
const maxChunkBytes = 65_536;

/**
 * Yields the bytes without a byte-order mark, split only between characters.
 * @throws ImportError at the first invalid byte, after yielding all bytes before it
 */
export async function* utf8Chunks(input: ByteChunks): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let atStart = true;

  for await (const chunk of inPieces(input)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (atStart && bytes.length < byteOrderMark.length) {
      rest = bytes;
      continue;
    }
    const text = atStart ? withoutByteOrderMark(bytes) : bytes;
    atStart = false;
    const end = text.length - unfinishedBytes(text);
    const whole = text.subarray(0, end);
    const good = isUtf8(whole) ? whole : whole.subarray(0, validBytes(whole));
    if (good.length > 0) yield good;
    line += countNewlines(good);
    if (good.length < whole.length) throw notUtf8(line);
    rest = text.subarray(end);
  }

  if (rest.length === 0) return;
  const good = rest.subarray(0, validBytes(rest));
  if (good.length > 0) yield good;
  if (good.length < rest.length) throw notUtf8(line + countNewlines(good));
}

async function* inPieces(input: ByteChunks): AsyncGenerator<Buffer> {
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; from += maxChunkBytes)
      yield chunk.subarray(from, from + maxChunkBytes);
  }
}

const byteOrderMark = Buffer.from('\uFEFF');

function withoutByteOrderMark(bytes: Buffer): Buffer {
  const marked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return marked ? bytes.subarray(byteOrderMark.length) : bytes;
}

/** Returns the number of bytes of an incomplete character at the end. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(leadByte: number): number {
  if (leadByte >= 0xf0) return 4;
  return leadByte >= 0xe0 ? 3 : 2;
}

/** Returns the number of valid bytes at the start: up to a replacement character that is not in the bytes. */
function validBytes(bytes: Buffer): number {
  const text = bytes.toString();
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf('\uFFFD', from);
    if (at === -1) return bytes.length;
    offset += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(offset, offset + 3).equals(replacement)) return offset;
    offset += replacement.length;
    from = at + 1;
  }
}

const replacement = Buffer.from('\uFFFD');

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

function notUtf8(line: number): ImportError {
  return new ImportError(line, 'the text is not valid UTF-8');
}
