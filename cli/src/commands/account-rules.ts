import { parseDuration } from '@jobs-delete/accounts/credentials/credential';
import {
  maxAllowanceMs,
  maxAllowances,
  maxRemovalDelayMs,
  type DeletionLimit,
  type SafetyRules,
} from '@jobs-delete/deleter-service/store/safety-rules';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { operationEntry, withAccount, withStore } from '../open-storage.ts';
import { Refusal, wrongUsage } from '../refusal.ts';
import { counted, printable, report, wholeNumber } from '../report.ts';
import { type AccountOptions, accountSubcommand } from './options.ts';

const within = 'A running service applies it within a minute.';

export function limitCommand(io: Io): Command {
  return accountSubcommand('limit', 'limit the jobs that an account deletes within 24 hours')
    .argument('<limit>', 'a number of jobs, a share of the jobs that the account has such as 20%, or off')
    .notes('A request that would exceed the limit is refused as a whole, with deletion_limit_exceeded.')
    .examples(
      'jobs-delete accounts limit --account acme 5000',
      'jobs-delete accounts limit --account acme 20%',
      'jobs-delete accounts limit --account acme off',
    )
    .action(async (text: string, options: AccountOptions) => {
      const limit = text === 'off' ? undefined : parseLimit(text);
      if (limit === undefined && text !== 'off')
        throw wrongUsage(
          `'${printable(text)}' is not a limit: use a whole number of jobs, 0% to 100%, or off.`,
        );
      const { account } = options;
      await changeRules(io, account, { action: 'limit.changed', subject: text }, (store) =>
        store.setRules(account, { limit }),
      );
      report(io, options, { account_id: account, deletion_limit: limitText(limit) ?? null }, () => [
        `Limit of account ${account}: ${limitText(limit) ?? 'none'}. ${within}`,
      ]);
    });
}

export function allowCommand(io: Io): Command {
  return accountSubcommand('allow', 'let an account delete more jobs than its limit for a time')
    .requiredOption('--jobs <number>', 'how many jobs more')
    .requiredOption('--for <time>', 'for how long, such as 1h, at most 30d')
    .examples('jobs-delete accounts allow --account acme --jobs 2000 --for 1h')
    .action(async (options: AccountOptions & { jobs: string; for: string }) => {
      const { account } = options;
      const jobs = parseJobs(options.jobs);
      if (jobs === undefined || jobs === 0)
        throw wrongUsage(`'${printable(options.jobs)}' is not a number of jobs: use a whole number from 1.`);
      const durationMs = parseDuration(options.for);
      if (durationMs === undefined || durationMs > maxAllowanceMs)
        throw wrongUsage(
          `'${printable(options.for)}' is not a time: use a whole number and s, m, h or d, at most 30d.`,
        );
      const nowMs = io.now();
      const untilMs = nowMs + durationMs;
      const until = new Date(untilMs).toISOString();
      const subject = `${String(jobs)} until ${until}`;
      await changeRules(io, account, { action: 'limit.raised', subject }, async (store, { id }) => {
        const { allowances } = await store.addAllowance(account, { id, jobs, untilMs }, nowMs);
        if (!allowances.some((one) => one.id === id))
          throw new Refusal(
            `Account ${account} has ${String(maxAllowances)} allowances that have not ended. Wait until one ends, or set another limit.`,
          );
      });
      report(io, options, { account_id: account, jobs, until }, () => [
        `Account ${account} may delete ${wholeNumber(jobs)} jobs more until ${until}. ${within}`,
      ]);
    });
}

export function delayCommand(io: Io): Command {
  return accountSubcommand(
    'delay',
    'set the time between the acceptance of a deletion and the removal of its jobs',
  )
    .argument('<time>', 'such as 24h, at most 30d; or off')
    .notes(
      'Until the time is over, a deletion can be cancelled. Deletions that wait already keep their time.',
    )
    .examples(
      'jobs-delete accounts delay --account acme 24h',
      'jobs-delete accounts delay --account acme off',
    )
    .action(async (text: string, options: AccountOptions) => {
      const removalDelayMs = text === 'off' ? 0 : parseDuration(text);
      if (removalDelayMs === undefined || removalDelayMs > maxRemovalDelayMs)
        throw wrongUsage(
          `'${printable(text)}' is not a delay: use a whole number and s, m, h or d, at most 30d, or off.`,
        );
      const { account } = options;
      await changeRules(io, account, { action: 'delay.changed', subject: text }, (store) =>
        store.setRules(account, { removalDelayMs }),
      );
      const removal_delay_s = removalDelayMs / 1_000;
      report(io, options, { account_id: account, removal_delay_s }, () => [
        `Delay of account ${account}: ${delayText(removal_delay_s)}. A running service applies it within 5 seconds.`,
      ]);
    });
}

async function changeRules(
  io: Io,
  account: string,
  entry: Pick<AuditEntry, 'action' | 'subject'>,
  change: (store: Store, recorded: AuditEntry) => Promise<unknown>,
): Promise<void> {
  const recorded = operationEntry(io, { accountId: account, ...entry });
  // First: a change without its entry is worse than an entry without its change.
  await withAccount(io, account, (accounts) => accounts.recordAction(recorded));
  await withStore(io, (store) => change(store, recorded));
}

/** Shows whole days, hours or minutes where that is exact. */
export function delayText(delayS: number): string {
  if (delayS === 0) return 'none';
  if (delayS % 86_400 === 0) return counted(delayS / 86_400, 'day');
  if (delayS % 3_600 === 0) return counted(delayS / 3_600, 'hour');
  return delayS % 60 === 0 ? counted(delayS / 60, 'minute') : counted(delayS, 'second');
}

/** Returns the JSON members of `accounts show`. */
export async function limitFields(account: string, rules: SafetyRules, store: Store, nowMs: number) {
  const { limit, allowances } = rules;
  const usage = limit && (await store.readUsage(account, { limit, allowances }));
  return {
    deletion_limit: limitText(limit) ?? null,
    /** Undefined for a share until the jobs are counted. */
    deletion_limit_jobs: usage?.limit ?? null,
    jobs_deleted_24h: usage?.used ?? null,
    jobs_reserved: usage?.held ?? null,
    allowances: allowances
      .filter(({ jobs, untilMs }) => jobs > 0 && untilMs > nowMs)
      .map(({ jobs, untilMs }) => ({ jobs, until: new Date(untilMs).toISOString() })),
  };
}

export function limitLine(fields: Awaited<ReturnType<typeof limitFields>>): string {
  const { deletion_limit, deletion_limit_jobs, jobs_deleted_24h, jobs_reserved, allowances } = fields;
  if (deletion_limit === null) return 'none';
  const raised = allowances.map(({ jobs, until }) => `, ${wholeNumber(jobs)} more until ${until}`).join('');
  const now = deletion_limit_jobs === null ? '' : ` (${wholeNumber(deletion_limit_jobs)} jobs now)`;
  const used = `${wholeNumber(jobs_deleted_24h ?? 0)} deleted within 24 hours, ${wholeNumber(jobs_reserved ?? 0)} reserved`;
  return `${deletion_limit}${raised}${now}: ${used}`;
}

function limitText(limit: DeletionLimit | undefined): string | undefined {
  if (limit === undefined) return undefined;
  return limit.kind === 'jobs' ? String(limit.jobs) : `${String(limit.percent)}%`;
}

function parseLimit(text: string): DeletionLimit | undefined {
  const [, digits] = /^(\d{1,3})%$/.exec(text) ?? [];
  if (digits !== undefined)
    return Number(digits) > 100 ? undefined : { kind: 'share', percent: Number(digits) };
  const jobs = parseJobs(text);
  return jobs === undefined ? undefined : { kind: 'jobs', jobs };
}

function parseJobs(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
