import type { JobPosting } from '@jobs-delete/deleter-service/store/store';
import { toJobPosting, type ImportRecord } from './import-record.ts';

export interface ImportOptions {
  readonly records: AsyncIterable<ImportRecord>;
  /** Imports all jobs or none. */
  readonly importBatch: (
    jobs: readonly JobPosting[],
  ) => Promise<{ readonly imported: number; readonly existing: number }>;
  readonly onBatch?: (totals: ImportTotals) => void;
}

/** The totals of the imported batches. */
export interface ImportTotals {
  readonly records: number;
  readonly imported: number;
  readonly existing: number;
  /** The last line of the last batch. */
  readonly lastLine: number;
}

export interface StoppedImport {
  readonly kind: 'stopped';
  readonly totals: ImportTotals;
  readonly stoppedBy: unknown;
}

export type ImportOutcome = { readonly kind: 'done'; readonly totals: ImportTotals } | StoppedImport;

export const maxBatchRecords = 1_000;
/** Limits memory: a batch ends with the record that reaches this size. */
export const maxBatchBytes = 4 * 1_048_576;

/**
 * Checks the records and imports them in batches. The first error stops the import: earlier batches stay, and later
 * records are not imported. The same file gives the same batches.
 */
export async function importRecords(options: ImportOptions): Promise<ImportOutcome> {
  let totals: ImportTotals = { records: 0, imported: 0, existing: 0, lastLine: 0 };
  let jobs: JobPosting[] = [];
  let bytes = 0;
  let lastLine = 0;

  const flush = async () => {
    if (jobs.length === 0) return;
    const { imported, existing } = await options.importBatch(jobs);
    totals = {
      records: totals.records + jobs.length,
      imported: totals.imported + imported,
      existing: totals.existing + existing,
      lastLine,
    };
    jobs = [];
    bytes = 0;
    options.onBatch?.(totals);
  };

  try {
    for await (const record of options.records) {
      if ('error' in record) throw record.error;
      jobs.push(toJobPosting(record));
      bytes += record.bytes;
      lastLine = record.lastLine;
      if (jobs.length === maxBatchRecords || bytes >= maxBatchBytes) await flush();
    }
    await flush();
    return { kind: 'done', totals };
  } catch (stoppedBy) {
    return { kind: 'stopped', totals, stoppedBy };
  }
}
