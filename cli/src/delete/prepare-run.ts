import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ConnectionError, ProblemError } from '@jobs-delete/client';
import {
  ExpiredKeyError,
  JournalError,
  openFileJournal,
  type FileJournal,
} from '@jobs-delete/client/file-journal';
import { z } from 'zod';
import type { Io } from '../io.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { counted, printable, wholeNumber, type ReportOptions } from '../report.ts';
import { createClient, type ClientSettings } from './create-client.ts';
import { summarizeIds, type IdInput, type IdSummary } from './id-input.ts';
import type { NamedCaller } from './read-caller.ts';

/** The options of a run. */
export interface RunOptions extends ReportOptions, Omit<ClientSettings, 'caller'> {
  /** Leaves out refused jobs and invalid ids. Otherwise the first one stops the run. */
  readonly continueOnError?: boolean;
  /** Waits until the jobs are removed. */
  readonly wait?: boolean;
  /** Starts a live deletion without a question. */
  readonly yes?: boolean;
  /** The file of the report. */
  readonly report?: string;
  /** How long the server keeps an idempotency key, in ms. */
  readonly keyRetention: number;
  /** Repeats requests without an outcome even if the server may have forgotten their keys. */
  readonly resendExpired?: boolean;
}

/** What one run of the command deletes, and how. */
export interface DeletionOrder extends RunOptions {
  readonly caller: NamedCaller;
  readonly input: IdInput;
  /** For messages, such as `jobs.csv`. */
  readonly inputName: string;
  readonly journal: JournalPlace;
}

export interface JournalPlace {
  readonly path: string;
  /** The user has named it. */
  readonly isNamed: boolean;
  /** The same command finds it again. */
  readonly isFound: boolean;
}

/** The run that a journal belongs to, apart from the address and the sandbox. */
const runForm = z.object({
  /** The account, if the profile names it, and the public part of the token. */
  account_id: z.string().optional(),
  token_id: z.string().optional(),
  /** The user has named the journal, so it stays when the run is complete. */
  named: z.boolean(),
  /** Number of valid ids in the input, and their digest in its order. */
  job_count: z.int(),
  digest: z.string(),
});

type Run = z.output<typeof runForm>;

export interface PreparedRun {
  readonly run: Run;
  readonly journal: FileJournal;
  /** Number of ids of the input that cannot be sent. */
  readonly invalidJobs: number;
}

/**
 * Reads the whole input, and opens the journal of the run that it continues or begins. Sends nothing.
 * @throws Refusal when the input, the journal or the user does not allow the run
 */
export async function prepareRun(io: Io, order: DeletionOrder): Promise<PreparedRun> {
  const { invalidJobs, ...summary } = await readInput(io, order);
  const wanted = runOf(order, summary);
  let journal = openJournal(io, order, wanted);
  try {
    const isOver = isOfRunThatIsOver(order, journal, wanted);
    if (isOver) tellOfRunThatIsOver(io, order, journal);
    const start = isOver ? undefined : journal.start;
    const run = start === undefined ? wanted : requireSameRun(order, start, wanted);
    const left = run.job_count - (isOver ? 0 : journal.acceptedJobs + journal.refusedJobs);
    const all = counted(run.job_count, 'job');
    if (left > 0)
      await confirmLive(
        io,
        order,
        start === undefined ? all : `the remaining ${wholeNumber(left)} of ${all}`,
      );
    if (isOver) {
      // Not before the user agrees: otherwise the earlier run could not be continued.
      journal.close();
      rmSync(order.journal.path);
      journal = openJournal(io, order, wanted);
    }
    return { run, journal, invalidJobs };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** The largest number of invalid ids that is printed. */
const maxShownInvalid = 100;

/** Lists the first invalid ids on stderr. */
async function readInput(
  io: Io,
  { input, inputName, continueOnError }: DeletionOrder,
): Promise<IdSummary & { readonly invalidJobs: number }> {
  let invalidJobs = 0;
  const summary = await summarizeIds(input, ({ error: { line, message } }) => {
    invalidJobs += 1;
    if (invalidJobs <= maxShownInvalid)
      io.stderr.write(`${inputName}, line ${wholeNumber(line)}: ${message}.\n`);
  });
  if (invalidJobs > maxShownInvalid)
    io.stderr.write(`${wholeNumber(invalidJobs - maxShownInvalid)} more lines are invalid.\n`);
  if (invalidJobs > 0 && !continueOnError)
    throw new Refusal(
      `${inputName} has ${counted(invalidJobs, 'invalid line')}. Nothing was sent. Correct it, or add --continue-on-error.`,
    );
  return { ...summary, invalidJobs };
}

function runOf({ caller, journal }: DeletionOrder, { jobCount, digest }: IdSummary): Run {
  return {
    account_id: caller.accountId,
    token_id: caller.tokenId,
    named: journal.isNamed,
    job_count: jobCount,
    digest,
  };
}

function tellOfRunThatIsOver(io: Io, order: DeletionOrder, { start, acceptedJobs }: FileJournal): void {
  if (start?.sandbox === false)
    io.stderr.write(
      `${order.inputName} has other ids than the run that ended early, so a new run begins. ` +
        `That run has queued ${counted(acceptedJobs, 'job')} for deletion.\n`,
    );
}

/**
 * A run is over if only its own ids could continue it, and no request has an unknown outcome: yesterday's run of a file must not
 * stop today's. A named journal is kept.
 */
function isOfRunThatIsOver(order: DeletionOrder, { start, unanswered }: FileJournal, wanted: Run): boolean {
  const run = runForm.safeParse(start?.run).data;
  if (start === undefined || run === undefined || run.named || order.journal.isNamed) return false;
  const isSameTarget = start.baseUrl === order.caller.baseUrl && otherOwner(run, wanted) === undefined;
  const isOtherRun = run.digest !== wanted.digest || (start.sandbox && !order.sandbox);
  return isSameTarget && isOtherRun && (start.sandbox || unanswered.length === 0);
}

/** A request may be sent again only while the server keeps its key, also for the last of the retries. */
function openJournal({ now }: Io, order: DeletionOrder, run: Run): FileJournal {
  const { journal, sandbox = false, resendExpired = false, keyRetention, retryFor } = order;
  try {
    return openFileJournal(journal.path, {
      run,
      // The sandbox deletes nothing, and keeps no keys.
      resendExpired: resendExpired || sandbox,
      keyLifetimeMs: keyRetention - retryFor,
      now,
    });
  } catch (error) {
    throw error instanceof JournalError ? new Refusal(journalProblem(error)) : error;
  }
}

export function journalProblem(error: JournalError): string {
  if (!(error instanceof ExpiredKeyError)) return printable(error.message);
  const { requests } = error;
  const first = requests[0];
  return (
    `${counted(requests.length, 'request')} got no answer, the first one at ${first.sentAt.toISOString()} with the key ` +
    `${printable(first.idempotencyKey)}. The server may have forgotten the key, so it was not sent again. If the server keeps ` +
    'keys longer, set --key-retention. Otherwise ask its operator if the jobs are deleted (jobs-delete deletions list --key KEY). ' +
    '--resend-expired sends such requests again: deleted jobs are then refused as job_not_found, and a job that was ' +
    'posted again under its id is deleted.'
  );
}

/** @returns the run of the journal */
function requireSameRun(
  { journal: { path }, caller, sandbox = false }: DeletionOrder,
  start: NonNullable<FileJournal['start']>,
  wanted: Run,
): Run {
  const name = `The journal ${printable(path)}`;
  const orElse = 'Name another journal with --journal.';
  const parsed = runForm.safeParse(start.run);
  if (!parsed.success) throw new Refusal(`${name} is not a journal of this command. ${orElse}`);
  const run = parsed.data;
  if (start.baseUrl !== caller.baseUrl)
    throw new Refusal(`${name} belongs to a run against ${printable(start.baseUrl)}. ${orElse}`);
  const owner = otherOwner(run, wanted);
  if (owner !== undefined) throw new Refusal(`${name} belongs to a run ${printable(owner)}. ${orElse}`);
  if (start.sandbox !== sandbox)
    throw new Refusal(`${name} belongs to a run ${start.sandbox ? 'with' : 'without'} --sandbox. ${orElse}`);
  if (run.digest !== wanted.digest)
    throw new Refusal(
      `${name} belongs to a run with other ids: ${counted(run.job_count, 'job')}, and the input has ` +
        `${wholeNumber(wanted.job_count)}. Continue it with the same ids in the same order. ${orElse}`,
    );
  return run;
}

/**
 * Returns whose run it is, unless it may be of the same account: the service knows the keys of a run in its account only. The
 * accounts decide if both are known. Otherwise the tokens do.
 */
function otherOwner(run: Run, wanted: Run): string | undefined {
  if (run.account_id !== undefined && wanted.account_id !== undefined)
    return run.account_id === wanted.account_id ? undefined : `of the account ${run.account_id}`;
  if (run.token_id === undefined || run.token_id === wanted.token_id) return undefined;
  return `with the token ${run.token_id}`;
}

/**
 * Asks on a terminal before a live deletion. Elsewhere, returns at once.
 * @throws Refusal for every answer but `y` and `yes`, and where there is a terminal that cannot answer
 */
async function confirmLive(io: Io, order: DeletionOrder, what: string): Promise<void> {
  const { stdin, stderr } = io;
  if (order.sandbox || order.yes || stderr.isTTY !== true) return;
  if (!stdin.isTTY)
    throw wrongUsage('Standard input is not the terminal, so it cannot answer the question. Add --yes.');
  const account = printable(await askAccount(io, order));
  const question = `Delete ${what} of the account ${account} permanently at ${printable(order.caller.baseUrl)}?`;
  const lines = createInterface({ input: stdin, output: stderr });
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    lines.question(`${question} [y/N] `, resolve);
  });
  lines.close();
  if (!/^\s*y(?:es)?\s*$/i.test(answer)) throw new Refusal('Nothing was sent.');
}

/** Asks the service for the account of the credentials. Returns what is known without it if it does not say. */
async function askAccount(io: Io, order: DeletionOrder): Promise<string> {
  try {
    const { accountId, accountName } = await createClient(io, { ...order, retryFor: 0 }).whoami();
    return accountName === undefined ? accountId : `${accountId} (${accountName})`;
  } catch (error) {
    if (error instanceof ProblemError || error instanceof ConnectionError) return order.caller.accountName;
    throw error;
  }
}
