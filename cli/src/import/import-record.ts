import type { JobPosting } from '@jobs-delete/deleter-service/store/job-store';
import { isJobId } from '@jobs-delete/proto/ids';
import { printable } from '../report.ts';

/**
 * A record of a file. Readers yield records in order and keep at most one record and one chunk in memory. An invalid
 * record has its error. Where the next record cannot be found, readers throw an ImportError, after yielding all records
 * before it.
 */
export type ImportRecord = ValidRecord | InvalidRecord;

interface RecordPlace {
  /** The first and last line, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** The size of its source. */
  readonly bytes: number;
}

export interface ValidRecord extends RecordPlace {
  readonly record: Fields;
}

export interface InvalidRecord extends RecordPlace {
  readonly error: ImportError;
}

export type Fields = Readonly<Record<string, unknown>>;

/** An error in a file. The message has no full stop. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Returns the record, or its error if `parse` throws an ImportError. */
export function recordAt(place: RecordPlace, parse: () => Fields): ImportRecord {
  try {
    return { ...place, record: parse() };
  } catch (error) {
    if (error instanceof ImportError) return { ...place, error };
    throw error;
  }
}

export const maxRecordBytes = 1_048_576;

export function recordTooLarge(line: number): ImportError {
  return new ImportError(line, 'the record is larger than 1 MiB');
}

/** Returns the size of a record's source. @throws ImportError when it is too large */
export function checkedBytes(line: number, source: string): number {
  const bytes = Buffer.byteLength(source);
  if (bytes > maxRecordBytes) throw recordTooLarge(line);
  return bytes;
}

/** @throws ImportError when the source is not a JSON object */
export function parseJsonObject(line: number, source: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new ImportError(line, `the record is not valid JSON (${printable((error as Error).message, 200)})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ImportError(line, 'the record is not a JSON object');
}

/** @throws ImportError when the id is missing or invalid, or the record is nested too deep for the store */
export function toJobPosting({ line, record }: ValidRecord): JobPosting {
  const { id, ...posting } = record;
  const jobId = checkedJobId(line, id);
  if (isDeeperThan(maxDepth, posting))
    throw new ImportError(line, `the record is nested deeper than ${maxDepth} levels`);
  return { id: jobId, posting };
}

/** @param name the name of the field. @throws ImportError when the id is missing or invalid */
export function checkedJobId(line: number, id: unknown, name = 'id'): string {
  if (id === undefined || id === null || id === '')
    throw new ImportError(line, `the record has no '${name}'`);
  if (typeof id !== 'string') throw new ImportError(line, `the '${name}' must be text, not ${describe(id)}`);
  if (isJobId(id)) return id;
  const shown = printable(id, 140);
  throw new ImportError(
    line,
    `the '${name}' must be 4 to 128 letters and digits (A-Z a-z 0-9), not '${shown}'`,
  );
}

export const maxDepth = 100;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`;
}
