import type { JobPosting } from '@jobs-delete/deleter-service/store/store';
import { toJobPosting, type ImportRecord } from './import-record.ts';

export interface ImportOptions {
  readonly records: AsyncIterable<ImportRecord>;
  /** Imports all of them or none. */
  readonly importBatch: (
    jobs: readonly JobPosting[],
  ) => Promise<{ readonly imported: number; readonly existing: number }>;
  readonly onBatch?: (totals: ImportTotals) => void;
}

/** What the batches so far have done. */
export interface ImportTotals {
  readonly records: number;
  readonly imported: number;
  readonly existing: number;
  /** Where the last record of the last batch ends. */
  readonly lastLine: number;
}

export interface StoppedImport {
  readonly kind: 'stopped';
  readonly totals: ImportTotals;
  readonly stoppedBy: unknown;
}

export type ImportOutcome = { readonly kind: 'done'; readonly totals: ImportTotals } | StoppedImport;

export const maxBatchRecords = 1_000;
/** What a batch may come to before the record that exceeds it; it keeps the memory flat where records are large. */
export const maxBatchBytes = 4 * 1_048_576;

/**
 * Checks the records and imports them in batches, which depend on the file alone. Whatever the records or the batches
 * throw stops it: the batches until then stay, and what was read after the last of them is not imported.
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
