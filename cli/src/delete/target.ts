import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /** The user has named it. */
  readonly isNamed: boolean;
  /** The same command finds it again. */
  readonly isFound: boolean;
}

/** By default, the journal of a file is beside it, and any other is a new temporary file. */
export function journalPlace(target: Target, named: string | undefined): JournalPlace {
  if (named !== undefined) return { path: named, isNamed: true, isFound: true };
  if (target.kind === 'file' && target.file !== '-')
    return { path: `${target.file}.journal`, isNamed: false, isFound: true };
  return { path: join(tmpdir(), `jobs-delete-${randomUUID()}.journal`), isNamed: false, isFound: false };
}
