import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** One line of the file, in JSON. The Python client reads and writes the same lines. */
export type Line = StartLine | SentLine | OutcomeLine;

export interface StartLine {
  readonly kind: 'start';
  readonly version: 1;
  readonly base_url: string;
  readonly sandbox: boolean;
  /** A note of the program that wrote the journal, about what it belongs to. Only that program understands it. */
  readonly run?: unknown;
}

export interface SentLine {
  readonly kind: 'sent';
  readonly key: string;
  readonly job_ids: readonly string[];
  /** Time of the first attempt, RFC 3339. */
  readonly at: string;
}

export type OutcomeLine =
  | { readonly kind: 'accepted'; readonly key: string; readonly deletion_id: string | null }
  | { readonly kind: 'refused'; readonly key: string; readonly jobs: readonly RefusedLine[] }
  /** The request was refused as a whole. Its jobs are still to be sent. */
  | { readonly kind: 'reopened'; readonly key: string; readonly code: string };

export interface RefusedLine {
  readonly job_id: string;
  readonly code: string;
  readonly message: string;
}

/** The journal is damaged, belongs to another call, or cannot be written. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/** Yields the lines, each with its end in the file. Leaves out a last line that a crash has cut. @throws JournalError */
export function* readLines(path: string): Generator<{ readonly line: Line; readonly end: number }> {
  let end = 0;
  let number = 0;
  for (const bytes of completeLines(path)) {
    number += 1;
    end += bytes.length;
    const line = parseLine(bytes);
    if (line === undefined || (line.kind === 'start') !== (number === 1))
      throw new JournalError(
        `The journal ${path} is damaged at line ${String(number)}. Restore it, or name another.`,
      );
    yield { line, end };
  }
}

/**
 * Creates a file that only the owner can read. It gets its name with its first line: a crash leaves no incomplete journal.
 * @returns its descriptor, for `appendLine`
 */
export function createJournal(path: string, first: StartLine): number {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'ax', 0o600);
  appendLine(file, first);
  fsyncSync(file);
  renameSync(temporary, path);
  // Without its name, a power cut would lose the journal, and with it the keys of its requests.
  syncFolder(dirname(path));
  return file;
}

/** Appends the whole line or nothing: a later line must not follow a part of this one. */
export function appendLine(file: number, line: Line): void {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, `${JSON.stringify(line)}\n`);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

const chunkBytes = 1_048_576;

/** Yields the complete lines, with their line feeds. */
function* completeLines(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    let rest: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const bytes = chunk.subarray(0, readSync(file, chunk));
      if (bytes.length === 0) return;
      let start = 0;
      for (let end = bytes.indexOf('\n') + 1; end > 0; end = bytes.indexOf('\n', start) + 1) {
        yield Buffer.concat([...rest, bytes.subarray(start, end)]);
        rest = [];
        start = end;
      }
      rest.push(bytes.subarray(start));
    }
  } finally {
    closeSync(file);
  }
}

const kinds: readonly unknown[] = ['start', 'sent', 'accepted', 'refused', 'reopened'];

function parseLine(bytes: Buffer): Line | undefined {
  try {
    const value = JSON.parse(bytes.toString()) as {
      readonly kind?: unknown;
      readonly version?: unknown;
    } | null;
    const isKnown = kinds.includes(value?.kind) && (value?.kind !== 'start' || value.version === 1);
    // The client wrote the line: the rest of its form follows from its kind.
    return isKnown && isUtf8(bytes) ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the names in a folder durable. Windows cannot open a folder; NTFS journals the names. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
