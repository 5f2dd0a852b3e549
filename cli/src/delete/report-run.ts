import { ConnectionError, DeletionCancelledError, ProblemError } from '@jobs-delete/client';
import { JournalError } from '@jobs-delete/client/file-journal';
import { Interruption, type Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { counted, printable, report, tableLines, wholeNumber } from '../report.ts';
import { sentence } from './create-client.ts';
import { readingError } from './id-input.ts';
import { journalProblem, type DeletionOrder, type PreparedRun } from './prepare-run.ts';
import { reportRow, reportRows, writeReport, type ReportRow } from './write-report.ts';

/** Why a run ended early. */
export type Stop = { readonly stoppedBy: unknown } | undefined;

/** The largest number of refused jobs that is printed. */
const maxShown = 100;

/**
 * Prints the outcome, writes the report, and sets the exit code.
 * @returns whether a later run needs the journal
 * @throws the cause of the stop if it is a defect
 */
export async function reportRun(
  io: Io,
  order: DeletionOrder,
  prepared: PreparedRun,
  stop: Stop,
): Promise<boolean> {
  const reason = stop === undefined ? undefined : reasonOf(stop.stoppedBy, order.inputName);
  const summary = summaryOf(order, prepared, reason);
  const stopRows = rowsOfStop(stop);
  const refused: ReportRow[] = [];
  const rows = notingRefused(reportRows(order.input, prepared, stopRows), refused);
  const refusedCount = summary.refused_jobs + stopRows.length;
  const reportPath = order.report;
  let unwritten: string | undefined;
  if (reportPath === undefined) await readRefused(rows, order, refused, Math.min(refusedCount, maxShown));
  else unwritten = await tryToReport(() => writeReport(reportPath, summary, rows, order.inputName));
  const isTruncated = refusedCount > refused.length;
  const value = { ...summary, refused, refused_truncated: isTruncated };
  report(io, order, value, () => [
    summaryLine(summary, order.wait === true && stop === undefined),
    ...(refused.length === 0 ? [] : tableLines(['JOB', 'CODE', 'REASON'], refused.map(cells), '')),
    ...(isTruncated ? [`These are the first ${wholeNumber(maxShown)}. See --report.`] : []),
  ]);
  if (unwritten !== undefined) io.stderr.write(`${unwritten}\n`);
  if (reason !== undefined) io.stderr.write(`${reason}\n`);
  const { acceptedJobs, unanswered } = prepared.journal;
  const isLeft = stop !== undefined || unwritten !== undefined || !summary.complete;
  const isNeeded = isLeft && (acceptedJobs > 0 || unanswered.length > 0);
  if (isNeeded) io.stderr.write(`To continue, run the same command again${continuation(order.journal)}\n`);
  io.exitCode = unwritten === undefined ? exitCodeOf(stop, summary) : 1;
  return isNeeded;
}

async function* notingRefused(
  rows: AsyncIterable<ReportRow>,
  refused: ReportRow[],
): AsyncGenerator<ReportRow, void> {
  for await (const row of rows) {
    if (row.outcome === 'refused' && refused.length < maxShown) refused.push(row);
    yield row;
  }
}

/** Reads until `refused` has `count` jobs. An input that can no longer be read has no more of them. */
async function readRefused(
  rows: AsyncGenerator<ReportRow, void>,
  { inputName }: DeletionOrder,
  refused: readonly ReportRow[],
  count: number,
): Promise<undefined> {
  try {
    while (refused.length < count && (await rows.next()).done !== true);
    await rows.return();
  } catch (error) {
    if (!(readingError(inputName, error) instanceof Refusal)) throw error;
  }
}

/** Returns why the report cannot be written. The outcome is known without it. */
async function tryToReport(write: () => Promise<void>): Promise<string | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function summaryOf(
  { caller, sandbox = false, journal: { path } }: DeletionOrder,
  { run, journal, invalidJobs }: PreparedRun,
  stoppedBy: string | undefined,
) {
  const { acceptedJobs, refusedJobs, deletionIds } = journal;
  const openJobs = run.job_count - acceptedJobs - refusedJobs;
  return {
    base_url: caller.baseUrl,
    sandbox,
    complete: openJobs === 0,
    job_count: run.job_count + invalidJobs,
    accepted_jobs: acceptedJobs,
    refused_jobs: refusedJobs + invalidJobs,
    /** Not sent, or without an answer. */
    open_jobs: openJobs,
    request_count: deletionIds.length,
    stopped_by: stoppedBy ?? null,
    journal: path,
  };
}

function summaryLine(
  { sandbox, accepted_jobs, refused_jobs, open_jobs, request_count }: ReturnType<typeof summaryOf>,
  areRemoved: boolean,
): string {
  const what = sandbox ? 'Checked' : areRemoved ? 'Deleted' : 'Queued';
  const jobs = `${counted(accepted_jobs, 'job')} in ${counted(request_count, 'request')}`;
  const effect = sandbox ? ' Nothing was deleted: this was the sandbox.' : '';
  return `${what} ${jobs}; ${wholeNumber(refused_jobs)} refused, ${wholeNumber(open_jobs)} open.${effect}`;
}

function cells({ job_id, code, message }: ReportRow): string[] {
  return [job_id === '' ? '-' : job_id, code ?? '-', message ?? '-'];
}

/** Returns the jobs of the refusal that stopped the run. They are not deleted, and not final. */
function rowsOfStop(stop: Stop): ReportRow[] {
  if (!(stop?.stoppedBy instanceof ProblemError)) return [];
  return stop.stoppedBy.errors.flatMap(({ job_id, code, message }) =>
    job_id === undefined ? [] : [reportRow(job_id, 'refused', { code, message })],
  );
}

/** @throws the error if it is a defect */
export function reasonOf(error: unknown, inputName: string): string {
  if (error instanceof Interruption) return 'Interrupted.';
  if (error instanceof ProblemError) return problemText(error);
  if (error instanceof ConnectionError)
    return `${sentence(error.message)}. Check the address and the network.`;
  if (error instanceof DeletionCancelledError) return `The jobs are not deleted: ${error.message}.`;
  if (error instanceof JournalError) return journalProblem(error);
  const refusal = readingError(inputName, error);
  if (refusal instanceof Refusal) return refusal.message;
  throw error;
}

function problemText({ status, code, message, requestId }: ProblemError): string {
  const request = requestId === undefined ? '' : `, request ${requestId}`;
  return `The service refused a request: ${printable(message)} (${String(status)} ${code}${request}).${hintFor(status, code)}`;
}

function hintFor(status: number, code: string): string {
  if (code === 'job_not_found' || code.startsWith('job_id'))
    return ' The request was refused as a whole. --continue-on-error leaves the refused jobs out.';
  if (code === 'too_many_jobs' || status === 413)
    return ' It is not split, because an earlier attempt may have been accepted. --resend-expired splits it.';
  return '';
}

/** Names the journal only if the same command does not find it: a journal that the user names stays. */
function continuation({ path, isFound }: DeletionOrder['journal']): string {
  return isFound ? '' : ` with --journal ${printable(path)}`;
}

function exitCodeOf(stop: Stop, { refused_jobs }: { readonly refused_jobs: number }): number {
  if (stop?.stoppedBy instanceof Interruption) return 130;
  return stop !== undefined || refused_jobs > 0 ? 1 : 0;
}
