import type { DetailCode } from '../../messages/messages.ts';
import type { JsonPath } from './json-pointer.ts';
import { MemberNames } from './member-names.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null';

export interface JsonVisitor {
  /**
   * Called for every value in the order of the text: for an object or array at its start, for anything else
   * once its syntax is checked. `path` is only lent. `readString` gives a string's value; nothing else is built.
   */
  value(path: JsonPath, kind: JsonKind, readString: () => string): void;
  /** Called for a member whose name, unescaped, its object has had before; its value is visited all the same. */
  duplicate(path: JsonPath): void;
}

/** Why reading stopped before the end, and at which value: the innermost that was being read. */
export interface JsonStop {
  readonly path: JsonPath;
  readonly detail: DetailCode;
}

/**
 * Reads a text by the grammar of RFC 8259, in one pass, without recursion. Unlike JSON.parse it tells
 * duplicated names, and takes a byte-order mark.
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
  readonly path: JsonPath;
  readonly detail: DetailCode;

  constructor(path: JsonPath, detail: DetailCode) {
    super(detail);
    this.path = path;
    this.detail = detail;
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

/** Every part of it matches all it can and is never taken back. */
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const literals = ['true', 'false', 'null'] as const;

class JsonScanner {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #visitor: JsonVisitor;
  /** Of the next character to read. Past the end, charCodeAt gives NaN, which equals nothing expected. */
  #at = 0;
  /** One token for each container that is open: where in it the value is that is being read. */
  readonly #path: (string | number)[] = [];
  /** One for each open container: the names so far of an object, nothing for an array. */
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

  /** Reads a scalar or an empty container, or enters a container: true when its first value is next. */
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
    if (this.#names.length >= this.#maxDepth) this.#stop('body_too_deep');
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

  /** After a value: closes what ends here; true when another value follows, false after the root. */
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
      else this.#stop();
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

  /** Where the match of a sticky pattern ends. */
  #match(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    if (!pattern.test(this.#text)) this.#stop();
    return pattern.lastIndex;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #stop(detail: DetailCode = 'json_syntax'): never {
    throw new Stopped(this.#path, detail);
  }
}
