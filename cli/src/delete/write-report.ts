import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { csvLine } from '@jobs-delete/runtime/text/csv-line';
import { safeJson } from '@jobs-delete/runtime/text/safe-json';
import { printable } from '../printable.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { digestOfIds, InputChangedError, type IdInput } from './id-input.ts';
import { readJournal, type JournalFile } from './journal.ts';
import type { SentLine } from './journal-line.ts';
import { invalidJob } from './prepare-run.ts';

/** One job of a report. `open`: it was not sent, or there is no answer. */
export interface ReportRow extends Outcome {
  readonly job_id: string;
}

interface Outcome {
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

/**
 * Writes one row for each record of the input, in its order. Only the owner can read the file. Needs 4 bytes of memory for
 * each id.
 * @param stopRows the jobs of the refusal that stopped the run
 * @throws Refusal
 */
export async function writeReport(
  path: string,
  summary: object,
  { input, inputName }: Pick<DeletionOrder, 'input' | 'inputName'>,
  journal: JournalFile,
  stopRows: readonly ReportRow[],
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
      for await (const row of rowsOf(input, journal, stopRows)) {
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
    if (error instanceof Refusal) throw error;
    const isChanged = error instanceof InputChangedError;
    throw new Refusal(unwritable(path, isChanged ? `${inputName} has changed` : error));
  }
}

function unwritable(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Cannot write the report ${printable(path)}: ${reason}`;
}

/** @throws InputChangedError at the end if the ids are not those of the run */
async function* rowsOf(
  input: IdInput,
  { path, run }: JournalFile,
  stopRows: readonly ReportRow[],
): AsyncGenerator<ReportRow> {
  const outcomeAt = await readOutcomes(path, run.job_count);
  const stoppedBy = new Map(stopRows.map((row) => [row.job_id, row]));
  const digest = digestOfIds();
  let position = 0;
  for await (const record of input.read()) {
    if ('error' in record) {
      yield refusedRow(invalidJob(record));
      continue;
    }
    const { jobId } = record;
    digest.add(jobId);
    const outcome = outcomeAt(position++);
    yield { job_id: jobId, ...(outcome.outcome === 'open' ? (stoppedBy.get(jobId) ?? outcome) : outcome) };
  }
  if (digest.text() !== run.digest) throw new InputChangedError();
}

const openJob = { outcome: 'open', deletion_id: null, code: null } as const;
const notSent = 0;
const noAnswer = 1;

/** Returns the outcome at each position, from the journal. */
async function readOutcomes(journalPath: string, jobCount: number): Promise<(position: number) => Outcome> {
  const outcomes: Outcome[] = [
    { ...openJob, message: 'It was not sent.' },
    { ...openJob, message: 'It was sent, and the service has not answered.' },
  ];
  /** An index of `outcomes` for each position. Most refused jobs share theirs. */
  const indexes = new Uint32Array(jobCount);
  const refusals = new Map<string, number>();
  const sent = new Map<string, SentLine>();
  /** The positions of a request, without those that an earlier one lost by a refusal. */
  const move = (request: SentLine | undefined, before: number, after: number) => {
    if (request === undefined) return;
    for (let position = request.from; position < request.to; position++)
      if (indexes[position] === before) indexes[position] = after;
  };
  for await (const { line } of readJournal(journalPath)) {
    if (line.kind === 'run' || line.kind === 'invalid') continue;
    if (line.kind === 'sent') {
      sent.set(line.key, line);
      move(line, notSent, noAnswer);
      continue;
    }
    const request = sent.get(line.key);
    sent.delete(line.key);
    if (line.kind === 'accepted') {
      const { deletion_id } = line;
      const index = outcomes.push({ outcome: 'accepted', deletion_id, code: null, message: null }) - 1;
      move(request, noAnswer, index);
      continue;
    }
    move(request, noAnswer, notSent);
    if (line.kind !== 'refused') continue;
    for (const { position, code, message } of line.jobs) {
      const key = `${code} ${message}`;
      const index =
        refusals.get(key) ?? outcomes.push({ outcome: 'refused', deletion_id: null, code, message }) - 1;
      refusals.set(key, index);
      indexes[position] = index;
    }
  }
  return (position) => outcomes[indexes[position] ?? notSent] ?? { ...openJob, message: null };
}

/** Returns the first refused jobs of the journal. */
export async function firstRefused(journalPath: string, count: number): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for await (const { line } of readJournal(journalPath)) {
    if (line.kind === 'refused' || line.kind === 'invalid')
      rows.push(...(line.kind === 'refused' ? line.jobs : [line]).map(refusedRow));
    if (rows.length >= count) break;
  }
  return rows.slice(0, count);
}

export function refusedRow(job: { job_id: string; code: string; message: string }): ReportRow {
  const { job_id, code, message } = job;
  return { job_id, outcome: 'refused', deletion_id: null, code, message };
}
