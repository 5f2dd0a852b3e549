import { isJobId } from '@jobs-delete/proto/job-id';
import { parse } from 'csv-parse/sync';

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

/** Returns undefined for a text without a column of ids. */
function columnOf(text: string): readonly string[] | undefined {
  const [head = ''] = text.trimStart().split(/\r?\n/, 1);
  const delimiter = [';', '\t', ','].find((mark) => head.includes(mark)) ?? ',';
  const names = head.split(delimiter).map((name) => name.replaceAll('"', '').trim().toLowerCase());
  const column = names.findIndex((name) => idColumns.includes(name));
  if (column === -1) return undefined;
  const options = { delimiter, fromLine: 2, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: true };
  const rows = parse(text.trimStart(), options) as readonly (readonly string[])[];
  return rows.map((row) => (row[column] ?? '').trim());
}
