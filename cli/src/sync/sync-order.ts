import type { JobsDeleteClient } from '@jobs-delete/client';
import type { NamedCaller } from '../delete/read-caller.ts';
import { reasonOf } from '../delete/report-run.ts';
import { createClient } from '../delete/run-deletion.ts';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';
import { Refusal } from '../refusal.ts';
import type { Memory, Plan } from './sync-files.ts';

/** How a run of `sync` reaches the account. */
export interface SyncOrder {
  readonly caller: NamedCaller;
  readonly allowHttp: boolean;
  readonly retryForMs: number;
  /** The most that may go at once, in percent. */
  readonly maxShare: number;
  readonly planPath: string;
  readonly memoryPath: string;
}

export const requestOptions = {
  requestFormat: 'json',
  sandbox: false,
  concurrency: 2,
  jobsPerRequest: 10_000,
} as const;

/** Yields the jobs of the account. @throws Refusal when the service refuses, or does not answer */
export async function* ownJobs(io: Io, order: SyncOrder): AsyncGenerator<string, void> {
  const client: JobsDeleteClient = createClient(io, { ...requestOptions, ...order });
  try {
    yield* client.jobs();
  } catch (error) {
    throw new Refusal(reasonOf(error, { caller: order.caller, inputName: 'the list of jobs' }));
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
