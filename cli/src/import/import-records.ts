import type { JobPosting } from '@jobs-delete/deleter-service/store/job-store';
import { ImportError, toJobPosting, type ImportRecord } from './import-record.ts';

export interface ImportOptions {
  readonly records: AsyncIterable<ImportRecord>;
  /** Imports all jobs or none. */
  readonly importBatch: (
    jobs: readonly JobPosting[],
  ) => Promise<{ readonly imported: number; readonly existing: number }>;
  readonly onBatch?: (totals: ImportTotals) => void;
  /** Leaves out invalid records. Default: the first one stops the import. */
  readonly skipInvalid?: boolean;
}

/** The totals of the imported batches. */
export interface ImportTotals {
  readonly records: number;
  readonly imported: number;
  readonly existing: number;
  /** The last line of the last batch. */
  readonly lastLine: number;
}

/** The invalid records of the whole file. */
export interface InvalidRecords {
  readonly count: number;
  /** At most 100. */
  readonly first: readonly ImportError[];
}

interface Result {
  readonly totals: ImportTotals;
  readonly invalid: InvalidRecords;
}

export interface StoppedImport extends Result {
  readonly kind: 'stopped';
  readonly stoppedBy: unknown;
}

export type ImportOutcome = (Result & { readonly kind: 'done' }) | StoppedImport;

const maxBatchRecords = 1_000;
/** Limits memory: a batch ends with the record that reaches this size. */
const maxBatchBytes = 4 * 1_048_576;
const maxListedInvalid = 100;

/**
 * Checks the records and imports them in batches. The first invalid record stops the import: earlier batches stay, and
 * later records are only checked. The same file gives the same batches.
 */
export async function importRecords(options: ImportOptions): Promise<ImportOutcome> {
  const { records, importBatch, onBatch, skipInvalid = false } = options;
  let totals: ImportTotals = { records: 0, imported: 0, existing: 0, lastLine: 0 };
  let invalidCount = 0;
  const firstInvalid: ImportError[] = [];
  let batch: JobPosting[] = [];
  let batchBytes = 0;

  const flush = async (lastLine: number) => {
    if (batch.length === 0) return;
    const { imported, existing } = await importBatch(batch);
    totals = {
      records: totals.records + batch.length,
      imported: totals.imported + imported,
      existing: totals.existing + existing,
      lastLine,
    };
    batch = [];
    batchBytes = 0;
    onBatch?.(totals);
  };
  const noteInvalid = (error: ImportError) => {
    invalidCount += 1;
    if (firstInvalid.length < maxListedInvalid) firstInvalid.push(error);
  };
  const result = (): Result => ({ totals, invalid: { count: invalidCount, first: firstInvalid } });

  try {
    let lastLine = 0;
    for await (const record of records) {
      const job = jobOf(record);
      if (job instanceof ImportError) noteInvalid(job);
      if (job instanceof ImportError || (invalidCount > 0 && !skipInvalid)) continue;
      batch.push(job);
      batchBytes += record.bytes;
      ({ lastLine } = record);
      if (batch.length === maxBatchRecords || batchBytes >= maxBatchBytes) await flush(lastLine);
    }
    if (invalidCount > 0 && !skipInvalid) return { kind: 'stopped', ...result(), stoppedBy: firstInvalid[0] };
    await flush(lastLine);
    return { kind: 'done', ...result() };
  } catch (stoppedBy) {
    if (stoppedBy instanceof ImportError) noteInvalid(stoppedBy);
    return { kind: 'stopped', ...result(), stoppedBy };
  }
}

function jobOf(record: ImportRecord): JobPosting | ImportError {
  if ('error' in record) return record.error;
  try {
    return toJobPosting(record);
  } catch (error) {
    if (error instanceof ImportError) return error;
    throw error;
  }
}
