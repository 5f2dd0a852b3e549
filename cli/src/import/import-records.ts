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
  const batches = createBatches(options);
  const invalid = createInvalidList();
  const isStopped = () => invalid.first() !== undefined && options.skipInvalid !== true;
  const result = (): Result => ({ totals: batches.totals(), invalid: invalid.records() });
  try {
    for await (const record of options.records) {
      const job = jobOf(record);
      if (job instanceof ImportError) invalid.add(job);
      else if (!isStopped()) await batches.add(job, record);
    }
    if (isStopped()) return { kind: 'stopped', ...result(), stoppedBy: invalid.first() };
    await batches.flush();
    return { kind: 'done', ...result() };
  } catch (stoppedBy) {
    if (stoppedBy instanceof ImportError) invalid.add(stoppedBy);
    return { kind: 'stopped', ...result(), stoppedBy };
  }
}

function createBatches({ importBatch, onBatch }: ImportOptions) {
  let totals: ImportTotals = { records: 0, imported: 0, existing: 0, lastLine: 0 };
  let jobs: JobPosting[] = [];
  let bytes = 0;
  let lastLine = 0;

  const flush = async () => {
    if (jobs.length === 0) return;
    const { imported, existing } = await importBatch(jobs);
    totals = {
      records: totals.records + jobs.length,
      imported: totals.imported + imported,
      existing: totals.existing + existing,
      lastLine,
    };
    jobs = [];
    bytes = 0;
    onBatch?.(totals);
  };
  return {
    flush,
    totals: () => totals,
    add: async (job: JobPosting, record: ImportRecord) => {
      jobs.push(job);
      bytes += record.bytes;
      lastLine = record.lastLine;
      if (jobs.length === maxBatchRecords || bytes >= maxBatchBytes) await flush();
    },
  };
}

function createInvalidList() {
  let count = 0;
  const first: ImportError[] = [];
  return {
    add: (error: ImportError) => {
      count += 1;
      if (first.length < maxListedInvalid) first.push(error);
    },
    first: () => first[0],
    records: (): InvalidRecords => ({ count, first }),
  };
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
