import { join } from 'node:path';
import { parseUrl } from '@jobs-delete/runtime/config/addresses';
import type { Command } from 'commander';
import { profilePath, readCaller, type CallerOptions } from '../delete/read-caller.ts';
import { formatOf, nameOf } from '../import/formats.ts';
import type { Io } from '../io.ts';
import { wrongUsage } from '../refusal.ts';
import { counted, fieldLines, printable, report, wholeNumber } from '../report.ts';
import { applyPlan } from '../sync/apply-plan.ts';
import { feedFormats, makePlan, type FeedFormat } from '../sync/make-plan.ts';
import { isUrl } from '../sync/open-feed.ts';
import { shareText, type ApplyOptions, type Plan, type SyncOrder } from '../sync/plan.ts';
import { subcommand, wholeNumberBetween } from './options.ts';

interface SyncOptions extends CallerOptions, ApplyOptions {
  readonly format?: FeedFormat;
  readonly idField?: string;
  readonly plan?: string;
  readonly apply?: string | true;
  readonly maxShare: number;
}

const help = `Without --apply, it deletes nothing: it reads the feed, lists the jobs of the account, and writes a plan to delete those
that are not in the feed. --apply deletes them. The credentials are those of \`jobs-delete delete\`. A folder beside the
profile keeps the plan, and what is known of the feed. docs/command-line.md explains it.`;

export function syncCommand(io: Io): Command {
  return subcommand('sync', 'delete the jobs of an account that are not in a feed')
    .argument('[feed]', 'a file, an https:// address, or - for standard input')
    .callerOptions()
    .choiceOption('--format <format>', 'format of the feed (default: by its extension)', feedFormats)
    .option(
      '--id-field <name>',
      'the field or element with the id (default: id; below <source> referencenumber)',
    )
    .option(
      '--max-share <percent>',
      'the most that may go at once, in percent',
      wholeNumberBetween(0, 100),
      20,
    )
    .option('--plan <file>', 'where to write the plan (default: in the folder beside the profile)')
    .option('--apply [plan]', 'delete the jobs of the plan')
    .runOptions()
    .notes(help)
    .examples(
      'jobs-delete sync https://acme.example/feed.xml --profile acme.json',
      'jobs-delete sync --apply --profile acme.json --wait',
    )
    .action((feed: string | undefined, options: SyncOptions) => sync(io, feed, options));
}

async function sync(io: Io, feed: string | undefined, options: SyncOptions): Promise<void> {
  const { apply } = options;
  if ((feed === undefined) === (apply === undefined))
    throw wrongUsage('Give either a feed, which makes a plan, or --apply, which deletes the jobs of a plan.');
  const folder = `${profilePath(io, options)}.sync`;
  const order: SyncOrder = {
    ...options,
    caller: readCaller(io, options),
    planPath: (typeof apply === 'string' ? apply : options.plan) ?? join(folder, 'plan.json'),
    memoryPath: join(folder, 'feed.json'),
  };
  if (feed === undefined) {
    await applyPlan(io, order);
    return;
  }
  const { idField } = options;
  const plan = await makePlan(io, order, { feed, format: options.format ?? formatOfFeed(feed), idField });
  if (plan === undefined)
    report(io, options, { complete: true, unchanged_feed: true }, () => [
      'The feed has not changed since its last plan was applied.',
    ]);
  else reportPlan(io, order, plan, options);
}

/** @throws Refusal */
function formatOfFeed(feed: string): FeedFormat {
  return formatOf(isUrl(feed) ? (parseUrl(feed)?.pathname ?? feed) : feed, feedFormats);
}

function reportPlan(io: Io, { planPath }: SyncOrder, plan: Plan, options: SyncOptions): void {
  const { job_ids, own_jobs, feed_jobs, unchanged_jobs, unknown_jobs } = plan;
  const withProfile = options.profile === undefined ? '' : ` --profile ${printable(options.profile)}`;
  const value = {
    complete: true,
    unchanged_feed: false,
    own_jobs,
    feed_jobs,
    unchanged_jobs,
    unknown_jobs,
    jobs_to_delete: job_ids.length,
    plan: planPath,
  };
  report(io, options, value, () => [
    ...fieldLines([
      ['feed', `${nameOf(plan.feed)}: ${counted(feed_jobs, 'job')}`],
      ['account', counted(own_jobs, 'job')],
      ['to delete', `${wholeNumber(job_ids.length)} (${shareText(job_ids.length, own_jobs)} of the account)`],
      ['unchanged', wholeNumber(unchanged_jobs)],
      ['unknown', `${wholeNumber(unknown_jobs)} (in the feed only)`],
      ['plan', planPath],
    ]),
    `Nothing is deleted yet. To delete these jobs: jobs-delete sync --apply ${printable(planPath)}${withProfile}`,
  ]);
}
