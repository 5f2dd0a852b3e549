import type { Job } from '@jobs-delete/deleter-service/store/job-store';
import type { Command } from 'commander';
import { Fault } from '@jobs-delete/runtime/fault';
import { type Io, Interruption } from '../io.ts';
import { requireAccount, withAccounts, withStore } from '../open-storage.ts';
import { wrongUsage, explainFault, Refusal } from '../refusal.ts';
import {
  counted,
  fieldLines,
  report,
  timeJson,
  timeText,
  type ReportOptions,
  wholeNumber,
} from '../report.ts';
import { type AccountOptions, accountSubcommand, commandGroup, subcommand } from './options.ts';
import {
  importRecords,
  type ImportTotals,
  type InvalidRecords,
  type StoppedImport,
} from '../import/import-records.ts';
import { formatOf, nameOf, readers } from '../import/formats.ts';
import { ImportError } from '../import/import-record.ts';
import { openSource, SourceError } from '../import/open-source.ts';
import { startImportProgress } from '../progress.ts';

interface LookupOptions extends ReportOptions {
  readonly account?: string;
}

export function jobsCommand(io: Io): Command {
  return commandGroup(
    'jobs',
    'import, count and show jobs',
    importCommand(io),
    countCommand(io),
    showCommand(io),
  );
}

function countCommand(io: Io): Command {
  return subcommand('count', 'count the stored jobs, including those being removed')
    .option('--account <id>', 'only jobs of this account')
    .examples('jobs-delete jobs count', 'jobs-delete jobs count --account acme --json')
    .action(async (options: LookupOptions) => {
      const { account } = options;
      await requireAccount(io, account);
      const count = await withStore(io, (store) => store.countJobs(account));
      report(io, options, { account_id: account ?? null, job_count: count }, () => [counted(count, 'job')]);
    });
}

function showCommand(io: Io): Command {
  return subcommand('show', 'show a job; exit code 1 if it does not exist')
    .argument('<id>', 'the job')
    .option('--account <id>', 'the owner of the job (default: any account)')
    .examples('jobs-delete jobs show ABC123', 'jobs-delete jobs show ABC123 --account acme --json')
    .action(async (jobId: string, options: LookupOptions) => {
      const [job, ...others] = await findJobs(io, jobId, options.account);
      if (job === undefined) {
        io.exitCode = 1;
        report(io, options, { job_id: jobId, exists: false }, () => ['Job ID does not exist.']);
        return;
      }
      if (others.length > 0) {
        const owners = [job, ...others].map(({ accountId }) => accountId).join(', ');
        throw wrongUsage(`Several accounts have a job ${jobId}: ${owners}. Choose one with --account.`);
      }
      report(io, options, jobJson(job), () => jobLines(job));
    });
}

async function findJobs(io: Io, jobId: string, account: string | undefined): Promise<Job[]> {
  await requireAccount(io, account);
  const accountIds =
    account === undefined
      ? await withAccounts(io, async (accounts) => (await accounts.listAccounts()).map(({ id }) => id))
      : [account];
  return withStore(io, async (store) => {
    const found = await Promise.all(accountIds.map((accountId) => store.findJob(accountId, jobId)));
    return found.filter((job) => job !== undefined);
  });
}

function jobJson(job: Job) {
  return {
    job_id: job.id,
    exists: true,
    account_id: job.accountId,
    imported_at: timeJson(job.importedAtMs),
    state: job.deletionId === undefined ? 'posted' : 'accepted_for_deletion',
    deletion_id: job.deletionId ?? null,
    posting: job.posting,
  };
}

function jobLines(job: Job): string[] {
  const state = job.deletionId === undefined ? 'posted' : `accepted for deletion by ${job.deletionId}`;
  return fieldLines([
    ['job', job.id],
    ['account', job.accountId],
    ['imported', timeText(job.importedAtMs)],
    ['state', state],
    ...Object.entries(job.posting).map(
      ([name, value]) =>
        [`posting.${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ]);
}

const formats = ['ndjson', 'json', 'csv', 'xml'] as const;

interface ImportOptions extends AccountOptions {
  readonly format?: (typeof formats)[number];
  readonly dryRun?: true;
  readonly skipInvalid?: true;
}

const formatHelp = `Formats, all in UTF-8; a record is at most 1 MiB:
  ndjson  one object per line (.ndjson, .jsonl)
  json    an array of objects, or {"jobs": {"job": […]}} (.json)
  csv     comma-separated, with a header that has a column 'id' (.csv)
  xml     <jobs><job><id>…</id><title>…</title></job></jobs> (.xml)

Every record has an 'id' of 4 to 128 letters and digits; its other fields are the posting. Existing jobs are not
changed, so you can run an import again. The first invalid record stops the import. Earlier batches of up to 1,000
records stay imported, and the command prints how many. It checks the rest of the file too, and lists the first 100
invalid records. With --skip-invalid it imports all others.`;

function importCommand(io: Io): Command {
  return accountSubcommand('import', 'import jobs from a file')
    .argument('<file>', 'the file, - for standard input')
    .choiceOption('--format <format>', "the file's format (default: by its extension)", formats)
    .option('--dry-run', 'check the whole file and import nothing')
    .option('--skip-invalid', 'leave out invalid records and import the others')
    .notes(formatHelp)
    .examples(
      'jobs-delete jobs import jobs.csv --account acme',
      'zcat jobs.ndjson.gz | jobs-delete jobs import - --format ndjson --account acme',
      'jobs-delete jobs import jobs.xml --account acme --dry-run',
    )
    .action((file: string, options: ImportOptions) => importJobs(io, file, options));
}

async function importJobs(io: Io, file: string, options: ImportOptions): Promise<void> {
  const read = readers[options.format ?? formatOf(file, formats)];
  await requireAccount(io, options.account);
  const startedMs = io.now();
  const outcome = await withStore(io, async (store) => {
    const source = await openSource(file, io.stdin).catch((error: unknown) => {
      throw error instanceof SourceError ? cannotRead(file, error) : error;
    });
    const progress = startImportProgress(io.stderr, source.sizeBytes);
    const disarm = io.onInterrupt(() => source.stop(new Interruption()));
    try {
      return await importRecords({
        records: read(source.chunks),
        skipInvalid: options.skipInvalid === true,
        importBatch: (jobs) =>
          options.dryRun
            ? Promise.resolve({ imported: 0, existing: 0 })
            : store.importJobs(options.account, jobs, io.now()),
        onBatch: ({ records }) => progress.update(source.bytesRead(), records),
      });
    } finally {
      disarm();
      progress.stop();
      source.stop();
    }
  });
  const { totals, invalid } = outcome;
  const { imported, existing, records } = totals;
  const value = { account_id: options.account, imported, existing };
  if (outcome.kind === 'stopped') {
    const failure = { ...value, complete: false, invalid: invalidJson(invalid) };
    report(io, options, failure, () => []);
    throw explainStop(io, file, options, outcome);
  }
  if (!options.json) for (const line of invalidLines(file, invalid)) io.stderr.write(`${line}\n`);
  const seconds = ((io.now() - startedMs) / 1_000).toFixed(1);
  const skipped = options.skipInvalid && { invalid: invalidJson(invalid) };
  const checked = options.dryRun && { dry_run: true, checked: records };
  const left = invalid.count === 0 ? '' : ` ${counted(invalid.count, 'invalid record')} left out.`;
  report(io, options, { ...value, ...skipped, ...checked }, () => [
    options.dryRun
      ? `Checked ${counted(records, 'job')} in ${seconds} s${left === '' ? ': all valid.' : `.${left}`} Nothing was imported: this was a dry run.`
      : `Imported ${counted(imported, 'job')} in ${seconds} s; ${wholeNumber(existing)} existed already.${left}`,
  ]);
}

function invalidLines(file: string, { count, first }: InvalidRecords): string[] {
  const lines = first.map(({ line, message }) => `${nameOf(file)}, line ${wholeNumber(line)}: ${message}.`);
  const more = count - first.length;
  return more === 0 ? lines : [...lines, `${counted(more, 'more invalid record')}.`];
}

function invalidJson({ count, first }: InvalidRecords) {
  return { count, first: first.map(({ line, message }) => ({ line, message })) };
}

/** Returns the error that stopped the import, with the jobs imported before it. */
function explainStop(
  io: Io,
  file: string,
  options: ImportOptions,
  { totals, invalid, stoppedBy }: StoppedImport,
): unknown {
  const imported = options.dryRun ? 'Nothing was imported: this was a dry run.' : doneText(totals);
  const done = [...invalidLines(file, invalid), imported].join('\n');
  if (stoppedBy instanceof Interruption) return new Refusal(`Interrupted. ${done}`, 130);
  if (stoppedBy instanceof ImportError) return new Refusal(done);
  if (stoppedBy instanceof SourceError) return cannotRead(file, stoppedBy, done);
  if (stoppedBy instanceof Fault && stoppedBy.code !== 'internal')
    return new Refusal(`${explainFault(stoppedBy)}\n${done}`);
  io.stderr.write(`${done}\n`);
  return stoppedBy;
}

function cannotRead(file: string, { message }: SourceError, done = ''): Refusal {
  return new Refusal(`Cannot read ${nameOf(file)}: ${message}.\n${done}`.trim());
}

function doneText({ imported, existing, records, lastLine }: ImportTotals): string {
  if (records === 0) return 'Nothing was imported.';
  const were = imported === 1 ? 'was' : 'were';
  const also = existing === 0 ? '' : ` and ${wholeNumber(existing)} existed already`;
  return (
    `${counted(imported, 'job')} ${were} imported${also} (lines 1 to ${wholeNumber(lastLine)}), and no later ones. ` +
    'You can run the import again: existing jobs are not changed.'
  );
}
