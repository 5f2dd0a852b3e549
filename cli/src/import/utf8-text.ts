import { ImportError } from './import-record.ts';

export type ByteChunks = AsyncIterable<Buffer>;

/** Limits the memory of readers, whatever the chunk size of the source. */
const maxChunkBytes = 65_536;

/**
 * Yields the text in pieces, without a byte-order mark.
 * @throws ImportError at the first invalid byte, after yielding all text before it
 */
export async function* utf8Text(input: ByteChunks): AsyncGenerator<string> {
  const decoder = strictDecoder();
  /** The bytes of a character that the next piece completes. */
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let atStart = true;
  for await (const piece of inPieces(input)) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = decoded(decoder, piece);
    const text = whole ?? validStart(bytes);
    if (text !== '') yield atStart ? text.replace(/^\uFEFF/, '') : text;
    atStart &&= text === '';
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) line += 1;
    if (whole === undefined) throw notUtf8(line);
    rest = bytes.subarray(Buffer.byteLength(text));
  }
  if (rest.length > 0) throw notUtf8(line);
}

async function* inPieces(input: ByteChunks): AsyncGenerator<Buffer> {
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; from += maxChunkBytes)
      yield chunk.subarray(from, from + maxChunkBytes);
  }
}

function strictDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Returns undefined if a byte is invalid. */
function decoded(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Returns the text before the first invalid byte. */
function validStart(bytes: Buffer): string {
  const decoder = strictDecoder();
  let text = '';
  for (const byte of bytes) {
    const next = decoded(decoder, Uint8Array.of(byte));
    if (next === undefined) break;
    text += next;
  }
  return text;
}

function notUtf8(line: number): ImportError {
  return new ImportError(line, 'the text is not valid UTF-8');
}
