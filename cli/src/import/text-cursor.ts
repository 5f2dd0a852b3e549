import { ImportError, maxRecordBytes, recordTooLarge } from './import-record.ts';

/** A place in a text that arrives in chunks. It holds what is from there to the end of the last chunk. */
export interface TextCursor {
  /** Of this place, counted from 1. */
  readonly line: number;
  /** Moves over white space. @returns the character there, undefined at the end of the text */
  peek(): Promise<string | undefined>;
  /** Whether this text is next. */
  has(text: string): Promise<boolean>;
  /** Moves on. @returns what was passed over */
  take(length: number): string;
  /** The first match, at `from` characters after this place or later, in what has arrived. */
  search(pattern: RegExp, from: number): { readonly at: number; readonly character: string } | undefined;
  /**
   * Lets the record that begins here grow by a chunk. @returns where to search on
   * @throws ImportError at the end of the text, and when the record grows too large
   */
  extend(searched: number): Promise<number>;
}

export function openTextCursor(input: AsyncGenerator<Buffer>): TextCursor {
  let text = '';
  let start = 0;
  let line = 1;

  const receive = async (): Promise<boolean> => {
    const chunk = await input.next();
    if (chunk.done) return false;
    text = text.slice(start) + chunk.value.toString();
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
    has: async (expected) => {
      while (text.length - start < expected.length && (await receive()));
      return text.startsWith(expected, start);
    },
    take: (length) => {
      const taken = text.slice(start, start + length);
      moveTo(start + length);
      return taken;
    },
    search: (pattern, from) => {
      const match = matchFrom(pattern, text, start + from);
      return match && { at: match.index - start, character: match[0] };
    },
    extend: async (searched) => {
      const length = text.length - start;
      if (length > maxRecordBytes) throw recordTooLarge(line);
      if (!(await receive())) throw new ImportError(line, 'the file ends inside the record that begins here');
      return Math.max(searched, length);
    },
  };
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}
