import { existsSync } from 'node:fs';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import { counted, wholeNumber } from '../report.ts';
import { confirm } from '../ask.ts';
import type { DeletionOrder } from './deletion-order.ts';
import { summarizeIds, type IdSummary, type InvalidId } from './id-input.ts';
import { draftJournal, openJournal, type JournalDraft, type JournalFile } from './journal.ts';
import type { RunLine } from './journal-line.ts';
import { isComplete } from './journal-state.ts';

/** The largest number of invalid ids that is printed. */
const maxShownInvalid = 100;

/**
 * Reads the whole input, then opens the journal of the run that it continues, or begins a new one. Sends nothing.
 * @throws Refusal when the input, the journal or the user does not allow the run
 */
export function prepareRun(io: Io, order: DeletionOrder): Promise<JournalFile> {
  return existsSync(order.journal.path) ? continueRun(io, order) : beginRun(io, order);
}

async function beginRun(io: Io, order: DeletionOrder): Promise<JournalFile> {
  const draft = draftJournal(order.journal.path);
  try {
    const summary = await readInput(io, order, draft);
    if (summary.jobCount > 0) await confirmLive(io, order, counted(summary.jobCount, 'job'));
    return draft.begin(runLine(io, order, summary));
  } catch (error) {
    draft.discard();
    throw error;
  }
}

async function continueRun(io: Io, order: DeletionOrder): Promise<JournalFile> {
  const journal = await openJournal(order.journal.path);
  try {
    const summary = await readInput(io, order, undefined);
    requireSameRun(journal, runLine(io, order, summary));
    const state = journal.state();
    if (!isComplete(state, summary.jobCount)) {
      if (!order.sandbox) requireKeptKeys(io, order, journal);
      const left = summary.jobCount - state.acceptedJobs - state.refusedJobs;
      await confirmLive(
        io,
        order,
        `the remaining ${wholeNumber(left)} of ${counted(summary.jobCount, 'job')}`,
      );
    }
    return journal;
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** Lists the first invalid ids on stderr, and records all of them in a new journal. */
async function readInput(
  io: Io,
  { input, inputName, continueOnError }: DeletionOrder,
  draft: JournalDraft | undefined,
): Promise<IdSummary> {
  let count = 0;
  const summary = await summarizeIds(input, (record) => {
    count += 1;
    if (count <= maxShownInvalid)
      io.stderr.write(`${inputName}, line ${wholeNumber(record.error.line)}: ${record.error.message}.\n`);
    draft?.append({ kind: 'invalid', line: record.error.line, ...invalidJob(record) });
  });
  if (count > maxShownInvalid)
    io.stderr.write(`${wholeNumber(count - maxShownInvalid)} more lines are invalid.\n`);
  if (count > 0 && !continueOnError)
    throw new Refusal(
      `${inputName} has ${counted(count, 'invalid line')}. Nothing was sent. Correct it, or add --continue-on-error.`,
    );
  return summary;
}

/** Returns the reason in the journal and the report. */
export function invalidJob({ code, error, text }: InvalidId) {
  const message = `line ${String(error.line)}: ${error.message}`;
  return { job_id: printable(text), code, message };
}

function runLine(
  { now }: Io,
  { caller, sandbox, journal }: DeletionOrder,
  { jobCount, digest }: IdSummary,
): RunLine {
  return {
    ...({ kind: 'run', version: 1 } as const),
    base_url: caller.baseUrl,
    account_id: caller.accountId,
    token_id: caller.tokenId,
    sandbox,
    named: journal.isNamed,
    job_count: jobCount,
    digest,
    started_at: new Date(now()).toISOString(),
  };
}

function requireSameRun({ path, run }: JournalFile, wanted: RunLine): void {
  const name = `The journal ${printable(path)}`;
  const orElse = 'Name another journal with --journal.';
  if (run.base_url !== wanted.base_url)
    throw new Refusal(`${name} belongs to a run against ${printable(run.base_url)}. ${orElse}`);
  const owner = otherOwner(run, wanted);
  if (owner !== undefined) throw new Refusal(`${name} belongs to a run ${printable(owner)}. ${orElse}`);
  if (run.sandbox !== wanted.sandbox)
    throw new Refusal(`${name} belongs to a run ${run.sandbox ? 'with' : 'without'} --sandbox. ${orElse}`);
  if (run.digest !== wanted.digest)
    throw new Refusal(
      `${name} belongs to a run with other ids: ${counted(run.job_count, 'job')}, and the input has ` +
        `${wholeNumber(wanted.job_count)}. Continue it with the same ids in the same order. ${orElse}`,
    );
}

/**
 * Returns whose run it is, unless it may be of the same account: the service knows the keys of a run in its account only. The
 * accounts decide if both are known. Otherwise the tokens do.
 */
function otherOwner(run: RunLine, wanted: RunLine): string | undefined {
  if (run.account_id !== undefined && wanted.account_id !== undefined)
    return run.account_id === wanted.account_id ? undefined : `of the account ${run.account_id}`;
  if (run.token_id === undefined || run.token_id === wanted.token_id) return undefined;
  return `with the token ${run.token_id}`;
}

/** Time until a request is sent again. Its retries take up to `retryForMs` more. */
const resendMarginMs = 5 * 60_000;

/** After its key has expired, a request that is sent again can delete a later job with the same id. */
function requireKeptKeys(
  { now }: Io,
  { keyRetentionMs, retryForMs, resendExpired }: DeletionOrder,
  journal: JournalFile,
): void {
  const requests = journal
    .state()
    .segments.flatMap((segment) => (segment.state === 'sent' ? [segment.request] : []));
  const oldestMs = now() + resendMarginMs + retryForMs - keyRetentionMs;
  const expired = requests.filter(({ at }) => Date.parse(at) < oldestMs);
  const [first] = expired;
  if (first === undefined || resendExpired) return;
  throw new Refusal(
    `${counted(expired.length, 'request')} got no answer, the first one at ${first.at} with the key ${first.key}. The ` +
      'server may have forgotten the key, so nothing was sent. If the server keeps keys longer, set --key-retention. ' +
      'Otherwise ask its operator if the jobs are deleted (jobs-delete deletions list --key KEY). ' +
      '--resend-expired sends such requests again: deleted jobs are then refused as job_not_found, and a job that was ' +
      'posted again under its id is deleted.',
  );
}

async function confirmLive(io: Io, { sandbox, yes, caller }: DeletionOrder, what: string): Promise<void> {
  if (sandbox || yes) return;
  const { accountName, baseUrl } = caller;
  const question = `Delete ${what} of the account ${printable(accountName)} permanently at ${printable(baseUrl)}?`;
  await confirm(io, question, 'Nothing was sent.');
}
