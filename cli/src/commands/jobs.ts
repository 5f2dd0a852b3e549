import type { Job } from '@jobs-delete/deleter-service/store/job-store';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { requireAccount, withAccounts, withStore } from '../open-storage.ts';
import { wrongUsage } from '../refusal.ts';
import { counted, fieldLines, report, timeJson, timeText, type ReportOptions } from '../report.ts';
import { importCommand } from './import-jobs.ts';
import { examples, subcommand } from './options.ts';

interface LookupOptions extends ReportOptions {
  readonly account?: string;
}

export function jobsCommand(io: Io): Command {
  return new Command('jobs')
    .description('import, count and show jobs')
    .addCommand(importCommand(io))
    .addCommand(countCommand(io))
    .addCommand(showCommand(io));
}

function countCommand(io: Io): Command {
  return subcommand('count', 'count the stored jobs, including those being removed')
    .option('--account <id>', 'only jobs of this account')
    .addHelpText('after', examples('jobs-delete jobs count', 'jobs-delete jobs count --account acme --json'))
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
    .addHelpText(
      'after',
      examples('jobs-delete jobs show ABC123', 'jobs-delete jobs show ABC123 --account acme --json'),
    )
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
