import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { JobOutcome } from '@jobs-delete/client';
import { csvLine, safeJson } from '@jobs-delete/runtime/text/safe-text';
import { messageOf } from '@jobs-delete/runtime/fault';
import { printable } from '../report.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { digestOfIds, InputChangedError, type IdInput } from './id-input.ts';
import type { PreparedRun } from './prepare-run.ts';

/** One job of a report. `open`: it was not sent, or there is no answer. */
export interface ReportRow {
  readonly job_id: string;
  readonly outcome: 'accepted' | 'refused' | 'open';
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

/** @throws Refusal unless the name ends in .json or .csv and the report can be created */
export function requireReport(path: string): void {
  if (formats[extname(path).toLowerCase()] === undefined)
    throw wrongUsage(`The name of the report must end in .json or .csv: ${printable(path)}`);
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true });
    closeSync(openSync(temporary, 'wx', 0o600));
    rmSync(temporary);
  } catch (error) {
    throw wrongUsage(unwritable(path, error));
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw wrongUsage(unwritable(path, 'it is a folder'));
}

/** Writes the rows. Only the owner can read the file. @throws Refusal */
export async function writeReport(
  path: string,
  summary: object,
  rows: AsyncIterable<ReportRow>,
  inputName: string,
): Promise<void> {
  const format = formats[extname(path).toLowerCase()];
  if (format === undefined) return;
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      let text = format.head(summary);
      let index = 0;
      for await (const row of rows) {
        text += format.row(row, index++);
        if (text.length < 65_536) continue;
        await file.appendFile(text);
        text = '';
      }
      await file.appendFile(text + format.foot);
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const isChanged = error instanceof InputChangedError;
    throw new Refusal(unwritable(path, isChanged ? `${inputName} has changed` : error));
  }
}

function unwritable(path: string, error: unknown): string {
  const reason = messageOf(error);
  return `Cannot write the report ${printable(path)}: ${reason}`;
}

/**
 * Yields one row for each record of the input, in its order.
 * @param stopRows the jobs of the refusal that stopped the run
 * @throws InputChangedError at the end if the ids are not those of the run
 */
export async function* reportRows(
  input: IdInput,
  { run, journal }: PreparedRun,
  stopRows: readonly ReportRow[],
): AsyncGenerator<ReportRow> {
  const stoppedBy = new Map(stopRows.map((row) => [row.job_id, row]));
  const unanswered = new Set(journal.unanswered.flatMap(({ jobIds }) => jobIds));
  const digest = digestOfIds();
  for await (const record of input.read()) {
    if ('error' in record) {
      const { code, error, text } = record;
      const message = `line ${String(error.line)}: ${error.message}`;
      yield reportRow(printable(text), 'refused', { code, message });
      continue;
    }
    const { jobId } = record;
    digest.add(jobId);
    yield (
      rowOf(jobId, journal.outcomeOf(jobId)) ?? stoppedBy.get(jobId) ?? openRow(jobId, unanswered.has(jobId))
    );
  }
  if (digest.text() !== run.digest) throw new InputChangedError();
}

function rowOf(jobId: string, outcome: JobOutcome | undefined): ReportRow | undefined {
  if (outcome === undefined) return undefined;
  if (outcome.kind === 'accepted')
    return reportRow(jobId, 'accepted', { deletion_id: outcome.deletionId ?? null });
  const { code, message } = outcome.reason;
  return reportRow(jobId, 'refused', { code, message });
}

function openRow(jobId: string, isSent: boolean): ReportRow {
  const message = isSent ? 'It was sent, and the service has not answered.' : 'It was not sent.';
  return reportRow(jobId, 'open', { message });
}

export function reportRow(
  job_id: string,
  outcome: ReportRow['outcome'],
  facts: Partial<Pick<ReportRow, 'deletion_id' | 'code' | 'message'>>,
): ReportRow {
  return { job_id, outcome, deletion_id: null, code: null, message: null, ...facts };
}
