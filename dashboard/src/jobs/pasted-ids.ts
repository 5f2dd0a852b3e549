import { isJobId } from '@jobs-delete/proto/job-id';
import { CsvError, parse } from 'csv-parse/sync';

/** The limit of the API. */
export const maxJobs = 10_000;

export interface PastedIds {
  /** Distinct and valid, in the order of the text. */
  readonly ids: readonly string[];
  /** The distinct words that are no job ids. */
  readonly wrong: readonly string[];
}

const idColumns = ['id', 'job_id', 'jobid', 'reference'];

/**
 * Reads ids that somebody has pasted: one a line, or with commas, semicolons, spaces, quotes or brackets between them. In a
 * table in CSV with a column `id`, `job_id`, `jobId` or `reference`, only this column counts.
 */
export function readPastedIds(text: string): PastedIds {
  const words = new Set(columnOf(text) ?? text.split(/[\s,;"'[\]]+/));
  words.delete('');
  const all = [...words];
  return { ids: all.filter(isJobId), wrong: all.filter((word) => !isJobId(word)) };
}

/** Returns undefined for a text that is no table with a column of ids. */
function columnOf(text: string): readonly string[] | undefined {
  const [head = ''] = text.trimStart().split('\n', 1);
  const delimiter = [';', '\t', ','].find((mark) => head.includes(mark)) ?? ',';
  const [names = [], ...rows] = readTable(text.trimStart(), delimiter);
  const column = names.findIndex((name) => idColumns.includes(name.trim().toLowerCase()));
  return column === -1 ? undefined : rows.map((row) => (row[column] ?? '').trim());
}

/** Returns no rows for a text that is no CSV. */
function readTable(text: string, delimiter: string): readonly (readonly string[])[] {
  try {
    return parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true });
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}
