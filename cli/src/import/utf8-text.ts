import { ImportError, maxRecordBytes } from './import-record.ts';

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

/** The offset from the cursor, and the text. */
interface Match {
  readonly at: number;
  readonly text: string;
}

/** A position in a text that arrives in pieces. Keeps the text from there to the end of the last piece. */
export class TextCursor {
  readonly #input: AsyncGenerator<string>;
  #text = '';
  #start = 0;
  #line = 1;

  constructor(input: AsyncGenerator<string>) {
    this.#input = input;
  }

  /** The line of this position, counted from 1. */
  get line(): number {
    return this.#line;
  }

  /** Skips white space. Returns the next character; undefined at the end of the text. */
  async peek(): Promise<string | undefined> {
    for (;;) {
      const match = matchFrom(/[^ \t\r\n]/g, this.#text, this.#start);
      this.#moveTo(match?.index ?? this.#text.length);
      if (match) return match[0];
      if (!(await this.#receive())) return undefined;
    }
  }

  /** Returns the next characters; fewer at the end of the text. */
  async ahead(length: number): Promise<string> {
    while (this.#text.length - this.#start < length && (await this.#receive()));
    return this.#text.slice(this.#start, this.#start + length);
  }

  /** Moves on and returns the skipped text. */
  take(length: number): string {
    const taken = this.#text.slice(this.#start, this.#start + length);
    this.#moveTo(this.#start + length);
    return taken;
  }

  /** Returns the first match at this offset or later in what has arrived. */
  search(pattern: RegExp, from: number): Match | undefined {
    const match = matchFrom(pattern, this.#text, this.#start + from);
    return match && { at: match.index - this.#start, text: match[0] };
  }

  /**
   * Returns the first match of a pattern of at most 10 characters, and receives pieces until there is one.
   * @throws ImportError at the end of the text, and when `what` begins here and is too large
   */
  async find(pattern: RegExp, from: number, what: string): Promise<Match> {
    for (let start = from; ;) {
      const match = this.search(pattern, start);
      if (match) return match;
      const length = this.#text.length - this.#start;
      if (length > maxRecordBytes) throw new ImportError(this.#line, `the ${what} is larger than 1 MiB`);
      if (!(await this.#receive()))
        throw new ImportError(this.#line, `the file ends inside the ${what} that begins here`);
      start = Math.max(from, length - 10);
    }
  }

  async #receive(): Promise<boolean> {
    const piece = await this.#input.next();
    if (piece.done) return false;
    this.#text = this.#text.slice(this.#start) + piece.value;
    this.#start = 0;
    return true;
  }

  #moveTo(end: number): void {
    for (
      let at = this.#text.indexOf('\n', this.#start);
      at !== -1 && at < end;
      at = this.#text.indexOf('\n', at + 1)
    )
      this.#line += 1;
    this.#start = end;
  }
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}
