import { readFileSync } from 'node:fs';
import { replacePrivateFile } from '@jobs-delete/runtime/files/private-files';
import { parseJson } from '@jobs-delete/runtime/text/safe-text';
import { z } from 'zod';
import { createClient } from '../delete/create-client.ts';
import type { RunOptions } from '../delete/prepare-run.ts';
import type { NamedCaller } from '../delete/read-caller.ts';
import { reasonOf } from '../delete/report-run.ts';
import type { Io } from '../io.ts';
import { printable } from '../report.ts';
import { Refusal } from '../refusal.ts';

/** The options of the deletion. */
export type ApplyOptions = Pick<RunOptions, 'json' | 'allowHttp' | 'retryFor' | 'wait' | 'yes' | 'report'>;

export interface SyncOrder extends ApplyOptions {
  readonly caller: NamedCaller;
  /** The most that may go at once, in percent. */
  readonly maxShare: number;
  readonly planPath: string;
  readonly memoryPath: string;
}

export const requestOptions = {
  requestFormat: 'json',
  concurrency: 2,
  jobsPerRequest: 10_000,
} as const;

/** Yields the jobs of the account. @throws Refusal when the service refuses, or does not answer */
export async function* ownJobs(io: Io, order: SyncOrder): AsyncGenerator<string, void> {
  const client = createClient(io, { ...requestOptions, ...order });
  try {
    yield* client.jobs();
  } catch (error) {
    throw new Refusal(reasonOf(error, 'the list of jobs'));
  }
}

export function ownerOf({ baseUrl, accountId, tokenId }: NamedCaller) {
  return { base_url: baseUrl, account_id: accountId, token_id: tokenId };
}

/** The accounts decide if both are known. Otherwise the tokens do. @throws Refusal */
export function requireSameOwner(what: string, of: Plan | Memory, { caller }: SyncOrder): void {
  const sameAccount =
    of.account_id !== undefined && caller.accountId !== undefined
      ? of.account_id === caller.accountId
      : of.token_id === caller.tokenId;
  if (of.base_url !== caller.baseUrl)
    throw new Refusal(`${what} is for ${printable(of.base_url)}, not for ${printable(caller.baseUrl)}.`);
  if (!sameAccount)
    throw new Refusal(`${what} is for another account, or for another token. Nothing is deleted.`);
}

/** @throws Refusal if the jobs are too large a share of the account */
export function requireShare(jobs: number, ownJobCount: number, maxShare: number): void {
  if (jobs * 100 <= maxShare * ownJobCount) return;
  throw new Refusal(
    `${shareText(jobs, ownJobCount)} of the account's jobs would be deleted, and --max-share is ` +
      `${String(maxShare)} %. Nothing is deleted. Check the feed.`,
  );
}

export function shareText(jobs: number, ownJobCount: number): string {
  const share = ownJobCount === 0 ? 0 : (100 * jobs) / ownJobCount;
  return `${share.toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
}

const owner = {
  base_url: z.string(),
  account_id: z.string().optional(),
  token_id: z.string().optional(),
};

const planForm = z.object({
  version: z.literal(1),
  ...owner,
  feed: z.string(),
  etag: z.string().optional(),
  created_at: z.iso.datetime(),
  max_share: z.number(),
  own_jobs: z.number(),
  feed_jobs: z.number(),
  unchanged_jobs: z.number(),
  unknown_jobs: z.number(),
  /** When `--apply` began. From then on, the jobs to delete do not change. */
  started_at: z.iso.datetime().optional(),
  applied_at: z.iso.datetime().optional(),
  /** The jobs to delete. */
  job_ids: z.array(z.string()),
});

/** The jobs that `sync --apply` deletes. */
export type Plan = z.output<typeof planForm>;

const memoryForm = z.object({
  version: z.literal(1),
  ...owner,
  feed: z.string(),
  /** The number of jobs in the feed when it was read last. */
  feed_jobs: z.number(),
  /** The version of the feed whose plan is applied. */
  etag: z.string().optional(),
});

/** The last feed of a profile. */
export type Memory = z.output<typeof memoryForm>;

export function readPlan(path: string): Plan {
  const plan = readForm(path, planForm);
  if (plan === undefined) throw new Refusal(`There is no plan ${printable(path)}.`);
  return plan;
}

export function readMemory(path: string): Memory | undefined {
  return readForm(path, memoryForm);
}

/** @throws Refusal for a file that cannot be read or is not valid */
function readForm<Form extends z.ZodType>(path: string, form: Form): z.output<Form> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal(`Cannot read ${printable(path)}: ${(error as Error).message}.`);
  }
  const parsed = form.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Refusal(
    `The file ${printable(path)} is damaged. Remove it, and run the command without --apply.`,
  );
}

/** Replaces the file as a whole; only the owner can read it. @throws Refusal */
export function writePrivately(path: string, value: Plan | Memory): void {
  try {
    replacePrivateFile(path, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw new Refusal(`Cannot write ${printable(path)}: ${(error as Error).message}.`);
  }
}
