import type { FairSemaphore } from '@jobs-delete/runtime/batching/fair-semaphore';
import { Fault } from '@jobs-delete/runtime/fault';
import type { Clock } from '@jobs-delete/runtime/time/clock';
import { isLost } from './answer.ts';
import type { Connection, ReadLimits } from './connection.ts';
import type { Replica } from './replica.ts';

export interface CallOptions {
  readonly replicas: () => readonly Replica[];
  /** Bounds the calls in progress. */
  readonly reads: FairSemaphore;
  /** The longest time until the answer. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

const retryPauseMs = 200;

/** Runs one of a bounded number of calls, repeatedly if it is lost, until the time is up. @throws Fault, ServiceError */
export async function callReplica<Answer extends object>(
  accountId: string,
  { reads, timeoutMs, ...options }: CallOptions,
  call: (connection: Connection, limits: ReadLimits) => Promise<Answer>,
): Promise<Answer> {
  const deadlineMs = options.clock.now() + timeoutMs;
  const answer = await reads.run(accountId, () =>
    repeatCall(options, deadlineMs, (connection, { signal }) => call(connection, { deadlineMs, signal })),
  );
  if (answer === 'full') throw new Fault('busy', 'too many calls of this kind wait');
  return answer;
}

/**
 * Runs a call. One that is lost, or that a sick replica has while another is well, is repeated on the next replica until the
 * deadline.
 * @param call counts as in flight on its replica; the pool may abort its controller
 * @throws Fault if there is no replica, or the error of the last call
 */
export async function repeatCall<Answer>(
  { replicas, clock }: Pick<CallOptions, 'replicas' | 'clock'>,
  deadlineMs: number,
  call: (connection: Connection, calling: AbortController) => Promise<Answer>,
  mayRepeat: (error: unknown) => boolean = isLost,
): Promise<Answer> {
  for (let previous: Replica | undefined; ;) {
    const replica = pickReader(replicas(), previous);
    if (replica === undefined) throw new Fault('unavailable', 'deleter: no address');
    previous = replica;
    const calling = new AbortController();
    replica.reads.add(calling);
    try {
      return await call(replica.connection, calling);
    } catch (error) {
      if (!mayRepeat(error) || clock.now() + retryPauseMs >= deadlineMs) throw error;
    } finally {
      replica.reads.delete(calling);
    }
    await clock.sleep(retryPauseMs);
  }
}

/** Returns the replica of the lowest rank with the fewest reads in flight. A repeated call prefers another one. */
function pickReader(replicas: readonly Replica[], previous: Replica | undefined): Replica | undefined {
  const lowest = Math.min(...replicas.map(({ rank }) => rank));
  const [first] = replicas
    .filter(({ rank }) => rank === lowest)
    .toSorted((a, b) => Number(a === previous) - Number(b === previous) || a.reads.size - b.reads.size);
  return first;
}
