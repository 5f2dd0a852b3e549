import { once } from 'node:events';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { csvLine } from '@jobs-delete/runtime/text/csv-line';
import { safeJson } from '@jobs-delete/runtime/text/safe-json';
import { printable } from '../printable.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { readJournal } from './journal.ts';
import type { JournalLine } from './journal-line.ts';

/** One job of a report: accepted in a deletion, or refused with a reason. */
export interface ReportRow {
  readonly job_id: string;
  readonly outcome: 'accepted' | 'refused';
  readonly deletion_id: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

interface ReportFormat {
  readonly head: (summary: object) => string;
  readonly row: (row: ReportRow, index: number) => string;
  readonly foot: string;
}

const formats: Readonly<Record<string, ReportFormat>> = {
  '.json': {
    head: (summary) => `${safeJson(summary).slice(0, -1)},"jobs":[`,
    row: (row, index) => `${index === 0 ? '' : ','}\n${safeJson(row)}`,
    foot: '\n]}\n',
  },
  '.csv': {
    head: () => csvLine(['job_id', 'outcome', 'deletion_id', 'code', 'message']),
    row: ({ job_id, outcome, deletion_id, code, message }) =>
      csvLine([job_id, outcome, deletion_id, code, message]),
    foot: '',
  },
};

/** @throws Refusal unless the name ends in .json or .csv */
export function requireReportName(path: string): void {
  if (formats[extname(path).toLowerCase()] === undefined)
    throw wrongUsage(`The name of the report must end in .json or .csv: ${printable(path)}`);
}

/**
 * Writes what the journal has for each job, in the order of the answers. Only the owner can read the file.
 * @param more the jobs of the refusal that stopped the run
 * @throws Refusal
 */
export async function writeReport(
  path: string,
  summary: object,
  journalPath: string,
  more: readonly ReportRow[],
): Promise<void> {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) return;
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true });
    const output = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true });
    let index = 0;
    const write = async (text: string) => {
      if (!output.write(text)) await once(output, 'drain');
    };
    await write(format.head(summary));
    for await (const { line } of readJournal(journalPath))
      await write(
        rowsOf(line)
          .map((row) => format.row(row, index++))
          .join(''),
      );
    await write(more.map((row) => format.row(row, index++)).join(''));
    output.end(format.foot);
    await finished(output);
    renameSync(temporary, path);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`Cannot write the report ${printable(path)}: ${reason}`);
  }
}

/** Returns the first refused jobs of the journal. */
export async function firstRefused(journalPath: string, count: number): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for await (const { line } of readJournal(journalPath)) {
    if (line.kind === 'refused' || line.kind === 'invalid') rows.push(...rowsOf(line));
    if (rows.length >= count) break;
  }
  return rows.slice(0, count);
}

function rowsOf(line: JournalLine): ReportRow[] {
  switch (line.kind) {
    case 'accepted':
      return line.job_ids.map((job_id) => ({
        ...{ job_id, outcome: 'accepted', deletion_id: line.deletion_id, code: null, message: null },
      }));
    case 'refused':
      return line.jobs.map(refusedRow);
    case 'invalid':
      return [refusedRow(line)];
    case 'run':
    case 'sent':
    case 'reopened':
      return [];
  }
}

export function refusedRow(job: { job_id: string; code: string; message: string }): ReportRow {
  const { job_id, code, message } = job;
  return { job_id, outcome: 'refused', deletion_id: null, code, message };
}
