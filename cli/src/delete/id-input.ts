import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdMap } from '@jobs-delete/client/id-map';
import { checkedJobId, ImportError, type ImportRecord } from '../import/import-record.ts';
import { readers, type Format } from '../import/formats.ts';
import { openSource, SourceError, type Source } from '../import/open-source.ts';
import type { Io } from '../io.ts';
import { printable } from '../report.ts';
import { Refusal } from '../refusal.ts';

/** Ids that can be read several times. */
export interface IdInput {
  /** @throws ImportError or SourceError where the input cannot be read on */
  read(): AsyncGenerator<IdRecord>;
  close(): Promise<void>;
}

export type IdRecord = { readonly line: number; readonly jobId: string } | InvalidId;

/** A record that is not sent. */
export interface InvalidId {
  readonly line: number;
  readonly code: 'job_id_malformed' | 'job_id_duplicated';
  readonly error: ImportError;
  /** The id as the record has it, at most 128 characters. Empty if it is no text. */
  readonly text: string;
}

export function idsOfArguments(jobIds: readonly string[]): IdInput {
  return {
    read: async function* () {
      for (const [index, jobId] of jobIds.entries()) yield await Promise.resolve({ line: index + 1, jobId });
    },
    close: () => Promise.resolve(),
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
  let counted: string | undefined;
  /** Yields the chunks while the file is the one of the first reading. @throws InputChangedError */
  const unchanged = async function* (chunks: Source['chunks']) {
    for await (const chunk of chunks) {
      const { ino, size, mtimeNs } = await stat(file, { bigint: true });
      const found = `${String(ino)} ${String(size)} ${String(mtimeNs)}`;
      counted ??= found;
      if (found !== counted) throw new InputChangedError();
      yield chunk;
    }
  };
  return {
    read: async function* () {
      const source = copy?.open() ?? (await openSource(file, stdin));
      try {
        const chunks = copy === undefined ? unchanged(source.chunks) : source.chunks;
        const records = format === 'csv' ? readers.csv(chunks, column) : readers[format](chunks);
        for await (const record of records) yield idRecord(record, format === 'csv' ? column : 'id');
      } finally {
        source.stop();
      }
    },
    close: async () => copy?.close(),
  };
}

/** A source that can be opened again. */
interface Copy {
  open(): Pick<Source, 'chunks' | 'stop'>;
  close(): Promise<void>;
}

const chunkBytes = 65_536;

/**
 * Copies to a file that has no name and ends with the process. A reader that waits for no chunk has no read in flight. So
 * none is left when the file is closed, as it would be with a stream, which reads ahead.
 */
async function copySource(source: Source): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'jobs-delete-'));
  const file = await open(join(folder, 'input'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  for await (const chunk of source.chunks) await file.writeFile(chunk);
  const read = async function* () {
    for (let position = 0; ;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  };
  return { open: () => ({ chunks: read(), stop: () => undefined }), close: () => file.close() };
}

function idRecord(record: ImportRecord, column: string): IdRecord {
  const { line } = record;
  if ('error' in record) return { line, code: 'job_id_malformed', error: record.error, text: '' };
  const value = record.record[column];
  try {
    return { line, jobId: checkedJobId(line, value, column) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return {
      line,
      code: 'job_id_malformed',
      error,
      text: typeof value === 'string' ? value.slice(0, 128) : '',
    };
  }
}

/**
 * Makes every repetition of an id invalid. Only the first complete reading has all ids in memory (id-map.ts). It keeps the
 * indexes of the repetitions for the others.
 */
export function withoutRepetitions(input: IdInput): IdInput {
  let repetitions: readonly number[] | undefined;
  return {
    read: async function* () {
      const seen = repetitions === undefined ? new IdMap() : undefined;
      const found: number[] = [];
      let index = -1;
      for await (const record of input.read()) {
        index += 1;
        const isRepeated =
          'jobId' in record &&
          (seen ? seen.set(record.jobId, 1) !== 0 : repetitions?.[found.length] === index);
        if (isRepeated) found.push(index);
        yield isRepeated ? repeated(record) : record;
      }
      repetitions ??= found;
    },
    close: () => input.close(),
  };
}

function repeated({ line, jobId }: Extract<IdRecord, { jobId: string }>): InvalidId {
  const error = new ImportError(line, `the id ${printable(jobId)} occurs earlier`);
  return { line, code: 'job_id_duplicated', error, text: jobId };
}

/** The ids of an input: their number, and a digest that proves that two inputs have the same ids in the same order. */
export interface IdSummary {
  readonly jobCount: number;
  readonly digest: string;
}

/** Reads the whole input. */
export async function summarizeIds(
  input: IdInput,
  onInvalid: (record: InvalidId) => void,
): Promise<IdSummary> {
  const digest = digestOfIds();
  let jobCount = 0;
  for await (const record of input.read()) {
    if ('error' in record) {
      onInvalid(record);
      continue;
    }
    jobCount += 1;
    digest.add(record.jobId);
  }
  return { jobCount, digest: digest.text() };
}

/** Yields at most the counted valid ids. @throws InputChangedError if there are more, or at the end if they are others */
export async function* validIds(input: IdInput, expected: IdSummary): AsyncGenerator<string, void> {
  const digest = digestOfIds();
  let left = expected.jobCount;
  for await (const record of input.read()) {
    if ('error' in record) continue;
    if (left-- === 0) throw new InputChangedError();
    digest.add(record.jobId);
    yield record.jobId;
  }
  if (digest.text() !== expected.digest) throw new InputChangedError();
}

/** The input changed while it was read. */
export class InputChangedError extends Error {
  override readonly name = 'InputChangedError';
}

/** Returns what to throw for an error while the input is read. */
export function readingError(inputName: string, error: unknown): unknown {
  if (error instanceof SourceError) return new Refusal(`Cannot read ${inputName}: ${error.message}.`);
  if (error instanceof ImportError)
    return new Refusal(`${inputName}, line ${String(error.line)}: ${error.message}.`);
  if (error instanceof InputChangedError) return new Refusal(`${inputName} changed while it was read.`);
  return error;
}

/** Returns the digest of ids in their order. */
export function digestOfIds() {
  const hash = createHash('sha256');
  return {
    add: (jobId: string) => void hash.update(`${jobId}\n`),
    text: () => `sha256:${hash.digest('hex')}`,
  };
}
