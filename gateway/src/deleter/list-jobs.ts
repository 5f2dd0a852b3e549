import { setTimeout as delay } from 'node:timers/promises';
import type { FairSemaphore } from '@jobs-delete/runtime/batching/fair-semaphore';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, isLost } from './answer.ts';
import type { JobRange } from './connection.ts';
import { pickReader, retryPauseMs, whileReading } from './read-deletion.ts';
import type { Replica } from './replica.ts';

export interface OwnJobs {
  readonly jobIds: readonly string[];
  /** The `after` of the next page; undefined at the end. */
  readonly next: string | undefined;
}

export interface ListOptions {
  readonly replicas: () => readonly Replica[];
  /** Bounds the lists in progress. */
  readonly lists: FairSemaphore;
  readonly timeoutMs: number;
}

/** Lists a page of an account's jobs. A lost call is repeated on the next replica until the time is up. @throws Fault */
export async function listJobs(
  range: JobRange,
  { replicas, lists, timeoutMs }: ListOptions,
): Promise<OwnJobs> {
  const deadlineMs = Date.now() + timeoutMs;
  const page = await lists.run(range.accountId, () => repeatList(range, deadlineMs, replicas));
  if (page === 'full') throw new Fault('busy', 'too many lists of jobs wait');
  return page;
}

async function repeatList(
  range: JobRange,
  deadlineMs: number,
  replicas: ListOptions['replicas'],
): Promise<OwnJobs> {
  for (let previous: Replica | undefined; ;) {
    const replica = pickReader(replicas(), previous);
    if (replica === undefined) throw new Fault('unavailable', 'deleter: no address');
    previous = replica;
    try {
      const { jobIds, next } = await whileReading(replica, ({ signal }) =>
        replica.connection.listJobs(range, { deadlineMs, signal }),
      );
      return { jobIds, next: next === '' ? undefined : next };
    } catch (error) {
      if (!isLost(error) || Date.now() + retryPauseMs >= deadlineMs) throw faultOfCall(error);
      await delay(retryPauseMs);
    }
  }
}
