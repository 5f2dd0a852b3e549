import { readingError } from '../delete/run-order.ts';
import { nameOf } from '../import/formats.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { counted, wholeNumber } from '../report.ts';
import { openFeed } from './open-feed.ts';
import { readFeed, type FeedFormat } from './read-feed.ts';
import { readMemory, writePrivately, type Memory, type Plan } from './sync-files.ts';
import { ownerOf, ownJobs, requireSameOwner, requireShare, type SyncOrder } from './sync-order.ts';

export interface FeedOptions {
  readonly feed: string;
  readonly format: FeedFormat;
  readonly idField: string | undefined;
}

/**
 * Compares the feed with the account's jobs, and writes the plan. Deletes nothing.
 * @returns undefined when the server still has the feed whose plan is applied
 * @throws Refusal when the feed or the plan looks wrong
 */
export async function makePlan(io: Io, order: SyncOrder, options: FeedOptions): Promise<Plan | undefined> {
  const { feed, format, idField } = options;
  const memory = readMemory(order.memoryPath);
  if (memory !== undefined) requireSameOwner('The state of this profile', memory, order);
  const known = memory?.feed === feed ? memory.etag : undefined;
  const read = await tryToRead(feed, async () => {
    const opened = await openFeed(feed, known, io.stdin);
    if (opened === 'unchanged') return undefined;
    return { ids: await readFeed(opened, format, idField), etag: opened.etag };
  });
  if (read === undefined) return undefined;
  const { ids, etag } = read;
  if (memory !== undefined) requireSimilarSize(memory, ids.size, order.maxShare);

  const jobIds: string[] = [];
  let own = 0;
  for await (const id of ownJobs(io, order)) {
    own += 1;
    if (!ids.has(id)) jobIds.push(id);
  }
  requireShare(jobIds.length, own, order.maxShare);
  const unchanged = own - jobIds.length;
  const plan: Plan = {
    version: 1,
    ...ownerOf(order.caller),
    feed,
    etag,
    created_at: new Date(io.now()).toISOString(),
    max_share: order.maxShare,
    own_jobs: own,
    feed_jobs: ids.size,
    unchanged_jobs: unchanged,
    unknown_jobs: ids.size - unchanged,
    job_ids: jobIds,
  };
  writePrivately(order.planPath, plan);
  writePrivately(order.memoryPath, memoryOf(plan));
  return plan;
}

/** The version of the feed is known only if nothing is left to delete: otherwise a later run must read it again. */
export function memoryOf(plan: Plan): Memory {
  const { base_url, account_id, token_id, feed, feed_jobs, etag, applied_at } = plan;
  const isDone = applied_at !== undefined || plan.job_ids.length === 0;
  return { version: 1, base_url, account_id, token_id, feed, feed_jobs, etag: isDone ? etag : undefined };
}

async function tryToRead<Result>(feed: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const shown = readingError(nameOf(feed), error);
    throw shown instanceof Refusal ? new Refusal(withConsequence(shown.message)) : shown;
  }
}

function withConsequence(message: string): string {
  return message.includes('Nothing is deleted.') ? message : `${message} Nothing is deleted.`;
}

/** @throws Refusal if the feed has lost too many jobs since it was read last */
function requireSimilarSize({ feed_jobs: before }: Memory, now: number, maxShare: number): void {
  if ((before - now) * 100 <= maxShare * before) return;
  throw new Refusal(
    `The feed has ${counted(now, 'job')}, and had ${wholeNumber(before)} the last time: more than --max-share ` +
      `(${String(maxShare)} %) are missing. Nothing is deleted. Check the feed.`,
  );
}
