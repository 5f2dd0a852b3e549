import { IdMap } from '@jobs-delete/client/id-map';
import { readingError } from '../delete/id-input.ts';
import { nameOf, readers } from '../import/formats.ts';
import { checkedJobId } from '../import/import-record.ts';
import { readXml } from '../import/read-xml.ts';
import type { Io } from '../io.ts';
import { Refusal } from '../refusal.ts';
import { counted, wholeNumber } from '../report.ts';
import { openFeed, type Feed } from './open-feed.ts';
import {
  ownerOf,
  ownJobs,
  readMemory,
  requireSameOwner,
  requireShare,
  writePrivately,
  type Memory,
  type Plan,
  type SyncOrder,
} from './plan.ts';

export const feedFormats = ['csv', 'ndjson', 'json', 'xml'] as const;
export type FeedFormat = (typeof feedFormats)[number];

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
    if (ids.get(id) === 0) jobIds.push(id);
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

/**
 * Reads the ids of a feed. All of it must be valid: a job that is left out would be deleted.
 * @param idField the field of the ids. Default: `id`; in XML below `<source>`, `referencenumber`
 * @throws ImportError, SourceError; Refusal for a feed without jobs, or that repeats most of its ids
 */
async function readFeed(
  { chunks, stop }: Feed,
  format: FeedFormat,
  idField: string | undefined,
): Promise<IdMap> {
  const ids = new IdMap();
  let rows = 0;
  try {
    for await (const row of recordsOf(chunks, format, idField)) {
      if ('error' in row) throw row.error;
      // The XML reader names every id `id`.
      const field = format === 'xml' ? 'id' : (idField ?? 'id');
      ids.set(checkedJobId(row.line, row.record[field], idField ?? 'id'), 1);
      rows += 1;
    }
  } finally {
    stop();
  }
  if (rows === 0) throw new Refusal('The feed has no jobs. Nothing is deleted.');
  if (2 * ids.size < rows)
    throw new Refusal(
      `The feed repeats most of its ids: ${counted(rows, 'row')} have ${wholeNumber(ids.size)} different ones. ` +
        'Nothing is deleted. Name the field of the ids with --id-field.',
    );
  return ids;
}

function recordsOf(chunks: Feed['chunks'], format: FeedFormat, idField: string | undefined) {
  if (format === 'csv') return readers.csv(chunks, idField);
  if (format !== 'xml') return readers[format](chunks);
  const idElements = new Map([
    ['source', idField ?? 'referencenumber'],
    ['jobs', idField ?? 'id'],
  ]);
  return readXml(chunks, { idElements, skipsOthers: true });
}
