import { ImportError, maxRecordBytes } from './import-record.ts';

/** A position in a text that arrives in chunks. Keeps the text from there to the end of the last chunk. */
export interface TextCursor {
  /** The line of this position, counted from 1. */
  readonly line: number;
  /** Skips white space. Returns the next character; undefined at the end of the text. */
  peek(): Promise<string | undefined>;
  /** Returns the next characters; fewer at the end of the text. */
  ahead(length: number): Promise<string>;
  /** Moves on and returns the skipped text. */
  take(length: number): string;
  /** Returns the first match at this offset or later in what has arrived. */
  search(pattern: RegExp, from: number): Match | undefined;
  /**
   * Receives another chunk. Returns the length of the text before that chunk.
   * @throws ImportError at the end of the text, and when `what` begins here and is too large
   */
  extend(what: string): Promise<number>;
}

/** The offset from the cursor, and the text. */
export interface Match {
  readonly at: number;
  readonly text: string;
}

/**
 * Returns the first match of a pattern of at most 10 characters, and receives chunks until there is one.
 * @throws ImportError at the end of the text, and when `what` begins at the cursor and is too large
 */
export async function find(cursor: TextCursor, pattern: RegExp, from: number, what: string): Promise<Match> {
  for (let start = from; ;) {
    const match = cursor.search(pattern, start);
    if (match) return match;
    start = Math.max(from, (await cursor.extend(what)) - 10);
  }
}

export function openTextCursor(input: AsyncGenerator<string>): TextCursor {
  let text = '';
  let start = 0;
  let line = 1;

  const receive = async (): Promise<boolean> => {
    const chunk = await input.next();
    if (chunk.done) return false;
    text = text.slice(start) + chunk.value;
    start = 0;
    return true;
  };
  const moveTo = (end: number) => {
    for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1))
      line += 1;
    start = end;
  };

  return {
    get line() {
      return line;
    },
    peek: async () => {
      for (;;) {
        const match = matchFrom(/[^ \t\r\n]/g, text, start);
        moveTo(match?.index ?? text.length);
        if (match) return match[0];
        if (!(await receive())) return undefined;
      }
    },
    ahead: async (length) => {
      while (text.length - start < length && (await receive()));
      return text.slice(start, start + length);
    },
    take: (length) => {
      const taken = text.slice(start, start + length);
      moveTo(start + length);
      return taken;
    },
    search: (pattern, from) => {
      const match = matchFrom(pattern, text, start + from);
      return match && { at: match.index - start, text: match[0] };
    },
    extend: async (what) => {
      const length = text.length - start;
      if (length > maxRecordBytes) throw new ImportError(line, `the ${what} is larger than 1 MiB`);
      if (!(await receive()))
        throw new ImportError(line, `the file ends inside the ${what} that begins here`);
      return length;
    },
  };
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}
