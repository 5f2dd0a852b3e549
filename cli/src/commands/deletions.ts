import {
  deletionStates,
  type DeletionReceipt,
  type DeletionState,
} from '@jobs-delete/deleter-service/store/deletion';
import type { Store } from '@jobs-delete/deleter-service/store/store';
import { operator } from '@jobs-delete/accounts/people/audit-trail';
import { traceIdOf } from '@jobs-delete/runtime/telemetry/tracing';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { requireAccount, withStore } from '../open-storage.ts';
import { Refusal } from '../refusal.ts';
import {
  counted,
  fieldLines,
  printable,
  report,
  tableLines,
  timeJson,
  timeText,
  wholeNumber,
  type ReportOptions,
} from '../report.ts';
import {
  type AccountOptions,
  accountSubcommand,
  commandGroup,
  duration,
  subcommand,
  wholeNumberBetween,
} from './options.ts';

export function deletionsCommand(io: Io): Command {
  return commandGroup(
    'deletions',
    'list, show and cancel deletions',
    listCommand(io),
    showCommand(io),
    cancelCommand(io),
  );
}

interface ListOptions extends ReportOptions {
  readonly account?: string;
  readonly state?: DeletionState;
  readonly job?: string;
  readonly key?: string;
  /** A duration before now, in milliseconds. */
  readonly since?: number;
  readonly limit: number;
}

function listCommand(io: Io): Command {
  return subcommand('list', 'list the deletions, newest first')
    .option('--account <id>', 'only deletions of this account')
    .choiceOption('--state <state>', 'only deletions in this state', deletionStates)
    .option('--job <id>', 'only deletions that name this job; reads all others of the account and time')
    .option('--key <key>', 'only deletions with this Idempotency-Key')
    .option('--since <duration>', 'only deletions accepted within this time, such as 7d', duration)
    .option('--limit <n>', 'maximum number to show', wholeNumberBetween(1, 100_000), 50)
    .examples(
      'jobs-delete deletions list --account acme',
      'jobs-delete deletions list --job ABC123 --account acme --since 7d',
      'jobs-delete deletions list --state published --limit 1000 --json',
    )
    .action(async (options: ListOptions) => {
      await requireAccount(io, options.account);
      const { summaries, more } = await withStore(io, (store) => listDeletions(store, options, io.now()));
      report(io, options, summaries, () => [
        ...tableLines(
          ['DELETION', 'ACCOUNT', 'STATE', 'JOBS', 'ACCEPTED', 'COMPLETED'],
          summaries.map((summary) => [
            summary.deletion_id,
            summary.account_id,
            summary.state,
            wholeNumber(summary.job_count),
            summary.accepted_at ?? '-',
            summary.completed_at ?? '-',
          ]),
          'There are no deletions.',
        ),
        ...(more
          ? [`There are more deletions; these are the newest ${wholeNumber(options.limit)}. See --limit.`]
          : []),
      ]);
    });
}

const pageSize = 100;

async function listDeletions(store: Store, options: ListOptions, nowMs: number) {
  const { account, state, job, key, since, limit } = options;
  const query = {
    accountId: account,
    state,
    jobId: job,
    idempotencyKey: key,
    acceptedFromMs: since === undefined ? undefined : nowMs - since,
  };
  const summaries: ReturnType<typeof summaryJson>[] = [];
  let after: Awaited<ReturnType<Store['listDeletions']>>['next'];
  do {
    // One more than the limit: a page token alone does not mean that there are more.
    const wanted = Math.min(pageSize, limit + 1 - summaries.length);
    const page = await store.listDeletions({ ...query, pageSize: wanted, after });
    summaries.push(...page.deletions.map(summaryJson));
    after = page.next;
  } while (after !== undefined && summaries.length <= limit);
  return { summaries: summaries.slice(0, limit), more: summaries.length > limit };
}

function showCommand(io: Io): Command {
  return subcommand('show', 'show a deletion: its state, times and caller')
    .argument('<id>', "the id from the response's Deletion-Id header")
    .option('--account <id>', 'only if this account owns it')
    .option('--job-ids', 'also show the ids of its jobs')
    .examples(
      'jobs-delete deletions show 0c6f7c0e-6f43-4a53-9f0e-2f8f3f4a8a11',
      'jobs-delete deletions show 0c6f7c0e-6f43-4a53-9f0e-2f8f3f4a8a11 --job-ids --json',
    )
    .action(async (id: string, options: ReportOptions & { account?: string; jobIds?: true }) => {
      await requireAccount(io, options.account);
      const found = await withStore(io, (store) => findShown(store, id, options));
      if (found === undefined)
        throw new Refusal(`There is no deletion ${printable(id)}. List them: jobs-delete deletions list`);
      const { receipt, jobIds } = found;
      const value = { ...detailsJson(receipt), ...(jobIds && { job_ids: jobIds }) };
      report(io, options, value, () => [...detailLines(receipt), ...(jobIds ?? [])]);
    });
}

function cancelCommand(io: Io): Command {
  return accountSubcommand('cancel', 'cancel a deletion that waits for the end of its delay; its jobs stay')
    .argument('<id>', "the id from the response's Deletion-Id header")
    .examples('jobs-delete deletions cancel 0c6f7c0e-6f43-4a53-9f0e-2f8f3f4a8a11 --account acme')
    .action(async (id: string, { account, ...options }: AccountOptions) => {
      await requireAccount(io, account);
      const key = { deletionId: id, accountId: account };
      const cancellation = await withStore(io, (store) =>
        store.cancelDeletion(key, io.now(), { ...noOrigin, caller: operator }),
      );
      switch (cancellation.kind) {
        case 'not-found':
          throw new Refusal(
            `Account ${account} has no deletion ${printable(id)}. List them: jobs-delete deletions list --account ${account}`,
          );
        case 'not-cancellable':
          throw new Refusal(
            `The deletion ${printable(id)} can't be cancelled: its removal has begun, or the account had no delay. Nothing was changed.`,
          );
        case 'cancelled': {
          const { receipt } = cancellation;
          report(io, options, detailsJson(receipt), () => [
            `Cancelled ${receipt.id}: ${counted(receipt.jobCount, 'job')} of account ${account} can be deleted again.`,
          ]);
        }
      }
    });
}

const noOrigin = {
  requestId: '',
  language: '',
  userAgent: '',
  clientTechnology: '',
  webOrigin: '',
  tokenId: '',
};

interface Shown {
  readonly receipt: DeletionReceipt;
  readonly jobIds?: readonly string[];
}

async function findShown(
  store: Store,
  id: string,
  options: { account?: string; jobIds?: true },
): Promise<Shown | undefined> {
  if (options.jobIds) {
    const deletion = await store.findDeletion(id, options.account);
    if (deletion === undefined) return undefined;
    const { jobIds } = deletion;
    return { receipt: { ...deletion, jobCount: jobIds.length }, jobIds };
  }
  const receipt = await store.findReceipt(id, options.account);
  return receipt && { receipt };
}

function summaryJson(deletion: DeletionReceipt) {
  const { id, accountId, state, jobCount, keptCount = 0 } = deletion;
  return {
    deletion_id: id,
    account_id: accountId,
    state,
    job_count: jobCount,
    // In a completed deletion each job is removed or kept.
    removed_count: state === 'completed' ? jobCount - keptCount : null,
    kept_count: keptCount,
    kept_reason: keptCount > 0 ? 'version_changed' : null,
    accepted_at: timeJson(deletion.acceptedAtMs),
    published_at: timeJson(deletion.publishedAtMs),
    completed_at: timeJson(deletion.completedAtMs),
    removal_at: state === 'waiting' ? timeJson(deletion.removalAtMs) : null,
    cancelled_at: timeJson(deletion.cancelledAtMs),
  };
}

function detailsJson(deletion: DeletionReceipt) {
  const { origin } = deletion;
  return {
    ...summaryJson(deletion),
    publications: deletion.publications,
    idempotency_key: deletion.idempotencyKey ?? null,
    request_id: origin.requestId,
    trace_id: traceIdOf(origin.traceparent) ?? null,
    token_id: origin.tokenId,
    person: origin.person ?? null,
    caller: origin.caller ?? null,
    origin: origin.webOrigin,
    user_agent: origin.userAgent,
    client_technology: origin.clientTechnology,
    language: origin.language,
  };
}

function detailLines(deletion: DeletionReceipt): string[] {
  const { origin } = deletion;
  return fieldLines([
    ['deletion', deletion.id],
    ['account', deletion.accountId],
    ['state', stateText(deletion)],
    ['accepted', timeText(deletion.acceptedAtMs)],
    ['published', timeText(deletion.publishedAtMs, unpublishedText(deletion))],
    ['completed', timeText(deletion.completedAtMs)],
    ...cancellationLines(deletion),
    ['publications', wholeNumber(deletion.publications)],
    ['idempotency key', deletion.idempotencyKey ?? '-'],
    ['request', origin.requestId || '-'],
    ['trace', traceIdOf(origin.traceparent) ?? '-'],
    ['token', origin.tokenId || '-'],
    ['person', origin.person ?? '-'],
    ['caller', origin.caller ?? '-'],
    ['origin', origin.webOrigin || '-'],
    ['user agent', origin.userAgent || '-'],
    ['client', origin.clientTechnology || '-'],
    ['language', origin.language || '-'],
  ]);
}

function cancellationLines({ cancelledAtMs, cancelOrigin }: DeletionReceipt): [string, string][] {
  if (cancelledAtMs === undefined) return [];
  const { tokenId = '', caller = '-' } = cancelOrigin ?? {};
  const by = tokenId === '' ? caller : tokenId;
  return Object.entries({ cancelled: timeText(cancelledAtMs), 'cancelled by': by });
}

/** A publication is recorded seconds later, and not at all if the deletion is completed by then. */
function unpublishedText({ state }: DeletionReceipt): string {
  return state === 'completed' ? 'before its completion; the time was not recorded' : '-';
}

function stateText(deletion: DeletionReceipt): string {
  const { jobCount, keptCount = 0, acceptedAtMs, publishedAtMs, completedAtMs, cancelledAtMs } = deletion;
  const jobs = counted(jobCount, 'job');
  switch (deletion.state) {
    case 'waiting':
      return `waits until ${timeText(deletion.removalAtMs)}: ${jobs} to be removed; jobs-delete deletions cancel stops it`;
    case 'cancelled':
      return `cancelled at ${timeText(cancelledAtMs)}: no job removed`;
    case 'accepted':
      return `accepted at ${timeText(acceptedAtMs)}: ${jobs} to be removed`;
    case 'published':
      return `published at ${timeText(publishedAtMs)}: ${jobs} to be removed`;
    case 'completed':
      return `completed at ${timeText(completedAtMs)}: ${counted(jobCount - keptCount, 'job')} removed${keptText(keptCount)}`;
  }
}

function keptText(count: number): string {
  return count === 0 ? '' : `, ${counted(count, 'job')} kept: changed after the deletion was accepted`;
}
