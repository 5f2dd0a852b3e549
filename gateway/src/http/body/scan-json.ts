import { echo } from '../answer/echo.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null';

export interface JsonVisitor {
  /**
   * Called for every value in the order of the text: at the start of an object or array, and after the syntax check of any
   * other value. `path` changes after the call. `readString` returns the value of a string.
   */
  value(path: JsonPath, kind: JsonKind, readString: () => string): void;
  /** Called for a member whose unescaped name occurred before in its object. Its value is visited too. */
  duplicate(path: JsonPath): void;
}

/** Why the scan stopped before the end. */
export interface JsonStop {
  readonly reason: 'syntax' | 'too_deep';
  /** The innermost open value. */
  readonly path: JsonPath;
  /** The index of the first character that is not accepted: the length of the text if it ends too early. */
  readonly at: number;
}

/**
 * Scans a text by the grammar of RFC 8259, in one pass and without recursion. Unlike JSON.parse, it reports duplicated
 * names and accepts a byte-order mark.
 */
export function scanJson(text: string, maxDepth: number, visitor: JsonVisitor): JsonStop | undefined {
  try {
    new JsonScanner(text, maxDepth, visitor).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

class Stopped extends Error implements JsonStop {
  override readonly name = 'Stopped';
  readonly reason: JsonStop['reason'];
  readonly path: JsonPath;
  readonly at: number;

  constructor({ reason, path, at }: JsonStop) {
    super(reason);
    this.reason = reason;
    this.path = path;
    this.at = at;
  }
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;

/** Never backtracks: each part matches as much as it can. */
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const literals = ['true', 'false', 'null'] as const;

class JsonScanner {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #visitor: JsonVisitor;
  /** Index of the next character. Beyond the end, charCodeAt gives NaN, which equals no expected code. */
  #at = 0;
  /** The name or index of the current value in each open container. */
  readonly #path: (string | number)[] = [];
  /** The names so far in each open object; undefined for an array. */
  readonly #names: (MemberNames | undefined)[] = [];
  /** The last string, without its quotes. */
  #stringStart = 0;
  #stringEnd = 0;
  #stringEscaped = false;

  constructor(text: string, maxDepth: number, visitor: JsonVisitor) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#visitor = visitor;
  }

  scan(): void {
    if (this.#text.charCodeAt(0) === byteOrderMark) this.#at = 1;
    while (this.#openOrRead() || this.#advance());
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#stop();
  }

  /** Reads a scalar or an empty container, or enters a container. Returns true when its first value is next. */
  #openOrRead(): boolean {
    this.#skipSpace();
    switch (this.#text.charCodeAt(this.#at)) {
      case openBrace:
        return this.#open('object', closeBrace);
      case openBracket:
        return this.#open('array', closeBracket);
      case quote:
        this.#scanString();
        this.#visitor.value(this.#path, 'string', this.#readString);
        return false;
      default:
        this.#visitor.value(this.#path, this.#scanScalar(), this.#readString);
        return false;
    }
  }

  #open(kind: 'object' | 'array', close: number): boolean {
    if (this.#names.length >= this.#maxDepth) this.#stop('too_deep');
    this.#visitor.value(this.#path, kind, this.#readString);
    this.#at++;
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) === close) {
      this.#at++;
      return false;
    }
    const names = kind === 'object' ? new MemberNames() : undefined;
    this.#names.push(names);
    if (names === undefined) this.#path.push(0);
    else this.#scanName(names);
    return true;
  }

  /** Closes the containers that end after a value. Returns true when another value follows, false after the root. */
  #advance(): boolean {
    while (this.#names.length > 0) {
      const names = this.#names.at(-1);
      const token = this.#path.pop();
      this.#skipSpace();
      const code = this.#text.charCodeAt(this.#at);
      if (code !== comma && code !== (names === undefined ? closeBracket : closeBrace)) this.#stop();
      this.#at++;
      if (code === comma) {
        if (names === undefined) this.#path.push(Number(token) + 1);
        else this.#scanName(names);
        return true;
      }
      this.#names.pop();
    }
    return false;
  }

  #scanName(names: MemberNames): void {
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== quote) this.#stop();
    this.#scanString();
    const name = this.#readString();
    this.#path.push(name);
    if (!names.add(name)) this.#visitor.duplicate(this.#path);
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== colon) this.#stop();
    this.#at++;
  }

  #scanString(): void {
    const start = this.#at + 1;
    let escaped = false;
    let at = start;
    for (let code = this.#text.charCodeAt(at); code !== quote; code = this.#text.charCodeAt(at)) {
      if (code === backslash) {
        escaped = true;
        at = this.#match(escapePattern, at);
      } else if (code >= space) at++;
      else this.#stop('syntax', at);
    }
    this.#stringStart = start;
    this.#stringEnd = at;
    this.#stringEscaped = escaped;
    this.#at = at + 1;
  }

  readonly #readString = (): string => {
    if (!this.#stringEscaped) return this.#text.slice(this.#stringStart, this.#stringEnd);
    return JSON.parse(this.#text.slice(this.#stringStart - 1, this.#stringEnd + 1)) as string;
  };

  #scanScalar(): JsonKind {
    const literal = literals.find((word) => this.#text.startsWith(word, this.#at));
    this.#at = literal === undefined ? this.#match(numberPattern, this.#at) : this.#at + literal.length;
    return literal ?? 'number';
  }

  /** Returns the end of the match of a sticky pattern. */
  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    if (!pattern.test(this.#text)) this.#stop('syntax', at);
    return pattern.lastIndex;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #stop(reason: JsonStop['reason'] = 'syntax', at = this.#at): never {
    throw new Stopped({ reason, path: this.#path, at });
  }
}

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

/** Names and indexes from the root to a value, outermost first. */
export type JsonPath = readonly (string | number)[];

/** Formats an RFC 6901 pointer. Cuts a long name, and then the pointer no longer resolves. */
export function jsonPointer(path: JsonPath): string {
  return path
    .map((token) => (typeof token === 'number' ? `/${String(token)}` : `/${escape(token)}`))
    .join('');
}

function escape(name: string): string {
  // The names of the API need no change, and 10,000 pointers repeat them.
  if (/^[a-z]{1,8}$/.test(name)) return name;
  return echo(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
