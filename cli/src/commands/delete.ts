import { Option, type Command } from 'commander';
import type { DeletionOrder } from '../delete/deletion-order.ts';
import { idsOfArguments, idsOfFile, withoutRepetitions, type IdInput } from '../delete/id-input.ts';
import { readCaller, type CallerOptions } from '../delete/read-caller.ts';
import { readingError, runOrder } from '../delete/run-order.ts';
import { journalPlace, targetOf, type Target } from '../delete/target.ts';
import { requireReport } from '../delete/write-report.ts';
import { formatOf, nameOf, readers, type Format } from '../import/formats.ts';
import type { Io } from '../io.ts';
import type { ReportOptions } from '../report.ts';
import { duration, examples, subcommand, wholeNumberBetween, withCallerOptions } from './options.ts';

interface DeleteOptions extends ReportOptions, CallerOptions {
  readonly format?: Format;
  readonly column: string;
  readonly requestFormat: 'json' | 'xml';
  readonly sandbox?: true;
  readonly allowHttp?: true;
  readonly concurrency: number;
  readonly jobsPerRequest: number;
  readonly continueOnError?: true;
  readonly wait?: true;
  readonly yes?: true;
  readonly journal?: string;
  readonly report?: string;
  readonly retryFor: number;
  readonly keyRetention: number;
  readonly resendExpired?: true;
}

const formats = Object.keys(readers) as Format[];

const help = `
Deletes through the HTTP API, with the credentials of an account. The address, the token, the secret key and the origin
come from options, environment variables (JOBS_DELETE_BASE_URL, JOBS_DELETE_TOKEN, JOBS_DELETE_SECRET_KEY,
JOBS_DELETE_ORIGIN) or a profile: a JSON file with base_url, token, secret_key and origin, which only you can read.

A journal makes the run repeatable: after an interruption, run the same command again. docs/command-line.md explains it.`;

export function deleteCommand(io: Io): Command {
  const command = withCallerOptions(
    subcommand('delete', 'delete jobs through the HTTP API').argument(
      '<ids...>',
      'ids of jobs, or one file with ids, or - for standard input',
    ),
  )
    .addOption(
      new Option('--format <format>', 'format of the file (default: by its extension)').choices(formats),
    )
    .option('--column <name>', 'the CSV column with the ids', 'id')
    .addOption(
      new Option('--request-format <format>', 'format of the requests')
        .choices(['json', 'xml'])
        .default('json'),
    )
    .option('--sandbox', 'run every check and delete nothing');
  return addRunOptions(command)
    .addHelpText('after', help)
    .addHelpText(
      'after',
      examples(
        'jobs-delete delete NURSE001 NURSE002 --profile data/demo.json',
        'jobs-delete delete jobs.csv --column job_id --continue-on-error --report refused.csv',
        'cat ids.txt | jobs-delete delete - --format txt --yes --journal ids.journal --wait',
      ),
    )
    .action((words: string[], options: DeleteOptions) => deleteJobs(io, words, options));
}

function addRunOptions(command: Command): Command {
  return command
    .option('--concurrency <n>', 'requests at the same time', wholeNumberBetween(1, 64), 2)
    .option('--jobs-per-request <n>', 'most jobs in a request', wholeNumberBetween(1, 10_000), 10_000)
    .option('--continue-on-error', 'leave out invalid ids and refused jobs, and delete the others')
    .option('--wait', 'wait until the jobs are removed')
    .option('--yes', 'do not ask before a live deletion')
    .option('--journal <file>', 'the journal (default: beside the file, and removed at the end)')
    .option('--report <file>', 'write the outcome of each job to a .json or .csv file')
    .addOption(
      new Option('--retry-for <duration>', 'longest time for one request and its retries')
        .argParser(duration)
        .default(5 * 60_000, '5m'),
    )
    .addOption(
      new Option('--key-retention <duration>', 'how long the service keeps idempotency keys')
        .argParser(duration)
        .default(24 * 3_600_000, '24h'),
    )
    .option('--resend-expired', 'send requests without an answer again when their keys may have expired');
}

async function deleteJobs(io: Io, words: readonly string[], options: DeleteOptions): Promise<void> {
  if (options.report !== undefined) requireReport(options.report);
  const caller = readCaller(io, options);
  const target = targetOf(words);
  const inputName = target.kind === 'ids' ? 'the command line' : nameOf(target.file);
  const opened = await openInput(io, target, options).catch((error: unknown) => {
    throw readingError(inputName, error);
  });
  const input = withoutRepetitions(opened);
  const journal = journalPlace(target, options.journal);
  const order: DeletionOrder = {
    caller,
    allowHttp: options.allowHttp ?? false,
    input,
    inputName,
    journal,
    sandbox: options.sandbox ?? false,
    requestFormat: options.requestFormat,
    concurrency: options.concurrency,
    jobsPerRequest: options.jobsPerRequest,
    retryForMs: options.retryFor,
    continueOnError: options.continueOnError ?? false,
    wait: options.wait ?? false,
    yes: options.yes ?? false,
    keyRetentionMs: options.keyRetention,
    resendExpired: options.resendExpired ?? false,
  };
  await runOrder(io, order, options);
}

function openInput(io: Io, target: Target, { format, column }: DeleteOptions): Promise<IdInput> {
  if (target.kind === 'ids') return Promise.resolve(idsOfArguments(target.jobIds));
  const { file } = target;
  return idsOfFile({ file, format: format ?? formatOf(file, formats), column }, io.stdin);
}
