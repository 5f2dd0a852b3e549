import { ConnectionError, ProblemError } from '@jobs-delete/client';
import { ImportError } from '../import/import-record.ts';
import { SourceError } from '../import/open-source.ts';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { counted, report, tableLines, wholeNumber, type ReportOptions } from '../report.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { InputChangedError } from './id-input.ts';
import type { JournalFile } from './journal.ts';
import { isComplete, isUnfinished } from './journal-state.ts';
import { Interruption } from './run-deletion.ts';
import { firstRefused, refusedRow, writeReport, type ReportRow } from './write-report.ts';

export interface RunReportOptions extends ReportOptions {
  /** The file of the report. */
  readonly report?: string;
}

type Stop = { readonly stoppedBy: unknown } | undefined;

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
  journal: JournalFile,
  stop: Stop,
  options: RunReportOptions,
): Promise<boolean> {
  const reason = stop === undefined ? undefined : reasonOf(stop.stoppedBy, order);
  const summary = summaryOf(journal, reason);
  const stopRows = rowsOfStop(stop);
  const refused = [...(await firstRefused(journal.path, maxShown)), ...stopRows].slice(0, maxShown);
  const isTruncated = summary.refused_jobs + stopRows.length > refused.length;
  const value = { ...summary, refused, refused_truncated: isTruncated };
  report(io, options, value, () => [
    summaryLine(summary, order.wait && stop === undefined),
    ...(refused.length === 0 ? [] : tableLines(['JOB', 'CODE', 'REASON'], refused.map(cells), '')),
    ...(isTruncated ? [`These are the first ${wholeNumber(maxShown)}. See --report.`] : []),
  ]);
  const unwritten = options.report && (await tryToReport(options.report, summary, order, journal, stopRows));
  if (unwritten !== undefined) io.stderr.write(`${unwritten}\n`);
  if (reason !== undefined) io.stderr.write(`${reason}\n`);
  const isLeft = stop !== undefined || unwritten !== undefined;
  const isNeeded = isUnfinished(journal.state(), journal.run.job_count, isLeft);
  if (isNeeded) io.stderr.write(`To continue, run the same command again${continuation(order.journal)}\n`);
  io.exitCode = unwritten === undefined ? exitCodeOf(stop, summary) : 1;
  return isNeeded;
}

/** Returns why the report cannot be written. The outcome is known without it. */
async function tryToReport(...args: Parameters<typeof writeReport>): Promise<string | undefined> {
  try {
    await writeReport(...args);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function summaryOf({ path, run, state }: JournalFile, stoppedBy: string | undefined) {
  const { acceptedJobs, refusedJobs, invalidJobs, deletions } = state();
  return {
    base_url: run.base_url,
    sandbox: run.sandbox,
    complete: isComplete(state(), run.job_count),
    job_count: run.job_count + invalidJobs,
    accepted_jobs: acceptedJobs,
    refused_jobs: refusedJobs + invalidJobs,
    /** Not sent, or without an answer. */
    open_jobs: run.job_count - acceptedJobs - refusedJobs,
    request_count: deletions,
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
    job_id === undefined ? [] : [refusedRow({ job_id, code, message })],
  );
}

/** @throws the error if it is a defect */
export function reasonOf(
  error: unknown,
  { inputName, caller }: Pick<DeletionOrder, 'inputName' | 'caller'>,
): string {
  if (error instanceof Interruption) return 'Interrupted.';
  if (error instanceof ProblemError) return problemText(error);
  if (error instanceof ConnectionError)
    return `No answer from ${printable(caller.baseUrl)}. Check the address and the network.`;
  if (error instanceof InputChangedError) return `${inputName} changed while it was read.`;
  if (error instanceof SourceError || error instanceof ImportError)
    return `Cannot read ${inputName}: ${error.message}.`;
  if (error instanceof Refusal) return error.message;
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
