import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isJobId } from '@jobs-delete/proto/job-id';
import { printable } from '../printable.ts';
import { wrongUsage } from '../refusal.ts';

/** The ids on the command line, or the file that has them; `-` is standard input. */
export type Target =
  | { readonly kind: 'ids'; readonly jobIds: readonly string[] }
  | { readonly kind: 'file'; readonly file: string };

/** @throws Refusal for words that are neither ids nor one file, or could be both */
export function targetOf(words: readonly string[]): Target {
  const ambiguous = words.find((word) => isJobId(word) && existsSync(word));
  if (ambiguous !== undefined)
    throw wrongUsage(
      `${ambiguous} is an id and the name of a file. Write ./${ambiguous} for the file, or run the command in another folder.`,
    );
  const wrong = words.find((word): boolean => !isJobId(word));
  if (wrong === undefined) return { kind: 'ids', jobIds: words };
  if (words.length === 1) return { kind: 'file', file: wrong };
  throw wrongUsage(
    `'${printable(wrong, 140)}' is not a job id, which has 4 to 128 letters and digits. Give either ids, or one file, or -.`,
  );
}

/** The place of a journal. */
export interface JournalPlace {
  readonly path: string;
  /** Removes it, after the run is complete. A journal that the user has named stays. */
  readonly remove: () => void;
}

/** By default, the journal of a file is beside it, and any other is in a new temporary folder. */
export function journalPlace(target: Target, named: string | undefined): JournalPlace {
  if (named !== undefined) return { path: named, remove: () => undefined };
  if (target.kind === 'file' && target.file !== '-') {
    const path = `${target.file}.journal`;
    return { path, remove: () => rmSync(path, { force: true }) };
  }
  const path = join(mkdtempSync(join(tmpdir(), 'jobs-delete-')), 'journal');
  return { path, remove: () => rmSync(dirname(path), { recursive: true, force: true }) };
}
