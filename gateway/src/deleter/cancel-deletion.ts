import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { hasCode } from '@jobs-delete/proto/service-error';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, isLost } from './answer.ts';
import type { CancellationCall } from './connection.ts';
import {
  pickReader,
  retryPauseMs,
  statusOf,
  whileReading,
  type DeletionStatus,
  type ReadOptions,
} from './read-deletion.ts';
import type { Replica } from './replica.ts';

/**
 * Cancels a deletion. A lost call is repeated on another replica until the time is up: the answer is the same. A replica
 * of an earlier release can't cancel, so another one is asked.
 * @returns undefined when the account has no such deletion
 * @throws Fault
 */
export async function cancelDeletion(
  call: CancellationCall,
  { reads, ...options }: ReadOptions,
): Promise<DeletionStatus | 'not-cancellable' | undefined> {
  const answer = await reads.run(call.accountId, () => repeatCancel(call, options));
  if (answer === 'full') throw new Fault('busy', 'too many reads of deletions wait');
  return answer;
}

async function repeatCancel(
  call: CancellationCall,
  { replicas, timeoutMs }: Omit<ReadOptions, 'reads'>,
): Promise<DeletionStatus | 'not-cancellable' | undefined> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let replica: Replica | undefined; ;) {
    replica = pickReader(replicas(), replica);
    try {
      if (replica === undefined) throw new Fault('unavailable', 'deleter: no address');
      const { connection } = replica;
      const deletion = await whileReading(replica, ({ signal }) =>
        connection.cancelDeletion(call, { deadlineMs, signal }),
      );
      return statusOf(deletion);
    } catch (error) {
      if (hasCode(error, status.NOT_FOUND)) return undefined;
      if (hasCode(error, status.FAILED_PRECONDITION)) return 'not-cancellable';
      const isOld = hasCode(error, status.UNIMPLEMENTED);
      if ((!isLost(error) && !isOld) || Date.now() + retryPauseMs >= deadlineMs) {
        if (isOld) throw new Fault('unavailable', 'deleter: no replica can cancel', error);
        throw error instanceof Fault ? error : faultOfCall(error);
      }
      await delay(retryPauseMs);
    }
  }
}
