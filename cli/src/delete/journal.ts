import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  createReadStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '@jobs-delete/runtime/files/sync-folder';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { parseJournalLine, type JournalLine, type RunLine } from './journal-line.ts';
import { afterLine, emptyState, type JournalState } from './journal-state.ts';

/** The journal of a run, open for writing. docs/command-line.md describes its guarantee. */
export interface JournalFile {
  readonly path: string;
  readonly run: RunLine;
  state(): JournalState;
  /**
   * Appends a line. Returns when it is on disk if it says that a request is about to be sent.
   * @throws Refusal when the line cannot be written; the journal is then as before
   */
  append(line: JournalLine): void;
  close(): void;
}

/** A new journal that has no name yet: a crash leaves no incomplete journal. */
export interface JournalDraft {
  append(line: JournalLine): void;
  /** Gives the journal its name. */
  begin(run: RunLine): JournalFile;
  discard(): void;
}

/** Creates a journal that only the owner can read. @throws Refusal */
export function draftJournal(path: string): JournalDraft {
  const temporary = `${path}.new`;
  const file = withFile(path, () => {
    rmSync(temporary, { force: true });
    return openSync(temporary, 'ax', 0o600);
  });
  let state = emptyState;
  const append = (line: JournalLine) => {
    writeLine(file, line);
    state = afterLine(state, line);
  };
  return {
    append,
    begin: (run) => {
      append(run);
      fsyncSync(file);
      withFile(path, () => {
        renameSync(temporary, path);
        // Without its name, a power cut would lose the journal, and with it the keys of its requests.
        syncFolder(dirname(path));
      });
      return openFile(path, file, run, state);
    },
    discard: () => {
      closeSync(file);
      rmSync(temporary, { force: true });
    },
  };
}

/** Opens the journal of an earlier run. Removes a last line that a crash has cut. @throws Refusal */
export async function openJournal(path: string): Promise<JournalFile> {
  let state = emptyState;
  let run: RunLine | undefined;
  let end = 0;
  for await (const { line, endByte } of readJournal(path)) {
    if (line.kind === 'run') run = line;
    state = afterLine(state, line);
    end = endByte;
  }
  if (run === undefined) throw damaged(path, 1);
  withFile(path, () => truncateSync(path, end));
  return openFile(
    path,
    withFile(path, () => openSync(path, 'a')),
    run,
    state,
  );
}

/** Yields the complete lines. @throws Refusal at an invalid one */
export async function* readJournal(
  path: string,
): AsyncGenerator<{ readonly line: JournalLine; readonly endByte: number }> {
  let number = 0;
  let endByte = 0;
  for await (const bytes of completeLines(path)) {
    number += 1;
    endByte += bytes.length;
    const line = isUtf8(bytes) ? parseJournalLine(bytes.toString()) : undefined;
    if (line === undefined) throw damaged(path, number);
    yield { line, endByte };
  }
}

/** Yields lines with their line feeds. A crash may have cut the last line, also inside a character. */
async function* completeLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf('\n') + 1; end > 0; end = chunk.indexOf('\n', start) + 1) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end;
    }
    rest.push(chunk.subarray(start));
  }
}

function openFile(path: string, file: number, run: RunLine, initial: JournalState): JournalFile {
  let state = initial;
  return {
    path,
    run,
    state: () => state,
    append: (line) => {
      withFile(path, () => writeLine(file, line), 'Correct this first.');
      // A lost outcome costs only a repetition of the request. A lost key would cost its outcome.
      if (line.kind === 'sent') fsyncSync(file);
      state = afterLine(state, line);
    },
    close: () => {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** Writes the whole line or nothing: a later line must not follow a part of this one. */
function writeLine(file: number, line: JournalLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  const { size } = fstatSync(file);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

/** @param advice what the user can do about an error */
function withFile<Result>(path: string, use: () => Result, advice = 'Name another with --journal.'): Result {
  try {
    return use();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`Cannot write the journal ${printable(path)}: ${reason}. ${advice}`);
  }
}

function damaged(path: string, line: number): Refusal {
  return new Refusal(
    `The journal ${printable(path)} is damaged at line ${String(line)}. Restore it, or name another with --journal.`,
  );
}
