import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedJobId, ImportError, type ImportRecord } from '../import/import-record.ts';
import { readers, type Format } from '../import/formats.ts';
import { openSource, type Source } from '../import/open-source.ts';
import type { Io } from '../io.ts';

/** Ids that can be read several times. */
export interface IdInput {
  /** @throws ImportError or SourceError where the input cannot be read on */
  read(): AsyncGenerator<IdRecord>;
  close(): void;
}

export type IdRecord =
  | { readonly line: number; readonly jobId: string }
  /** `text` is what the record has in place of an id. */
  | { readonly line: number; readonly error: ImportError; readonly text: string };

export function idsOfArguments(jobIds: readonly string[]): IdInput {
  return {
    read: async function* () {
      for (const [index, jobId] of jobIds.entries()) yield await Promise.resolve({ line: index + 1, jobId });
    },
    close: () => undefined,
  };
}

export interface IdFile {
  /** `-` is standard input. */
  readonly file: string;
  readonly format: Format;
  /** The CSV column with the ids. */
  readonly column: string;
}

/** Copies what cannot be read twice, such as standard input, to a temporary file. @throws SourceError */
export async function idsOfFile({ file, format, column }: IdFile, stdin: Io['stdin']): Promise<IdInput> {
  const first = await openSource(file, stdin);
  const copy = first.sizeBytes === undefined ? await copySource(first) : undefined;
  if (copy === undefined) first.stop();
  return {
    read: async function* () {
      const source = copy?.open() ?? (await openSource(file, stdin));
      try {
        const records =
          format === 'csv' ? readers.csv(source.chunks, column) : readers[format](source.chunks);
        for await (const record of records) yield idRecord(record, format === 'csv' ? column : 'id');
      } finally {
        source.stop();
      }
    },
    close: () => copy?.close(),
  };
}

/** A source that can be opened again. */
interface Copy {
  open(): Pick<Source, 'chunks' | 'stop'>;
  close(): void;
}

/** Copies to a file that has no name and ends with the process. */
async function copySource(source: Source): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), 'jobs-delete-'));
  const file = openSync(join(folder, 'input'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  for await (const chunk of source.chunks) writeSync(file, chunk);
  return {
    open: () => ({
      chunks: createReadStream('', { fd: file, start: 0, autoClose: false }),
      stop: () => undefined,
    }),
    close: () => closeSync(file),
  };
}

function idRecord(record: ImportRecord, column: string): IdRecord {
  const { line } = record;
  if ('error' in record) return { line, error: record.error, text: '' };
  const value = record.record[column];
  try {
    return { line, jobId: checkedJobId(line, value, column) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { line, error, text: typeof value === 'string' ? value.slice(0, 128) : '' };
  }
}

/** The ids of an input: their number, and a digest that proves that two inputs have the same ids in the same order. */
export interface IdSummary {
  readonly jobCount: number;
  readonly digest: string;
}

/** Reads the whole input. */
export async function summarizeIds(
  input: IdInput,
  onInvalid: (record: Extract<IdRecord, { error: ImportError }>) => void,
): Promise<IdSummary> {
  const hash = createHash('sha256');
  let jobCount = 0;
  for await (const record of input.read()) {
    if ('error' in record) {
      onInvalid(record);
      continue;
    }
    jobCount += 1;
    addId(hash, record.jobId);
  }
  return { jobCount, digest: digestOf(hash) };
}

/** Yields the valid ids. @throws InputChangedError at the end if they are not those of the summary */
export async function* validIds(input: IdInput, expected: IdSummary): AsyncGenerator<string, void> {
  const hash = createHash('sha256');
  for await (const record of input.read()) {
    if ('error' in record) continue;
    addId(hash, record.jobId);
    yield record.jobId;
  }
  if (digestOf(hash) !== expected.digest) throw new InputChangedError();
}

/** The input changed while it was read. */
export class InputChangedError extends Error {
  override readonly name = 'InputChangedError';
}

function addId(hash: Hash, jobId: string): void {
  hash.update(`${jobId}\n`);
}

function digestOf(hash: Hash): string {
  return `sha256:${hash.digest('hex')}`;
}
