import type { RequestOrigin } from '@jobs-delete/proto/generated/jobs/deleter/v1/RequestOrigin';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeleteJobsAnswer } from './answer.ts';
import type { Batch } from './member.ts';

export interface DeleteJobsCall {
  readonly accountId: string;
  readonly jobIds: string[];
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
  readonly origin: RequestOrigin;
}

/** A call that waits for its answer. */
export interface QueuedCall {
  readonly call: DeleteJobsCall;
  readonly bytes: number;
  readonly deadlineMs: number;
  /** The latest batch it was sent in. */
  batch: Batch | undefined;
  attempts: number;
  isSettled: boolean;
  resolve(answer: DeleteJobsAnswer): void;
  reject(fault: Fault): void;
}

/** Returns the call and the promise of its answer. The promise settles by the deadline. */
export function queueCall(call: DeleteJobsCall, timeoutMs: number): [QueuedCall, Promise<DeleteJobsAnswer>] {
  const queued: QueuedCall = {
    call,
    bytes: bytesOf(call),
    deadlineMs: Date.now() + timeoutMs,
    batch: undefined,
    attempts: 0,
    isSettled: false,
    resolve: () => undefined,
    reject: () => undefined,
  };
  const answer = new Promise<DeleteJobsAnswer>((resolve, reject) => {
    // No deadline of gRPC: the call may still be queued, or share a batch with a later deadline.
    const giveUp = () => queued.reject(new Fault('unknown-outcome', 'deleter: no answer in time'));
    const timer = setTimeout(giveUp, timeoutMs);
    const settle = () => {
      queued.isSettled = true;
      clearTimeout(timer);
    };
    queued.resolve = (given) => {
      settle();
      resolve(given);
    };
    queued.reject = (fault) => {
      settle();
      reject(fault);
    };
  });
  return [queued, answer];
}

const maxAttempts = 3;

/** Returns whether another attempt is left, and cannot have a second effect. */
export function mayRepeat({ call, attempts }: QueuedCall): boolean {
  return attempts < maxAttempts && (call.dryRun || call.idempotencyKey !== undefined);
}

export function isOver({ isSettled, deadlineMs }: QueuedCall): boolean {
  return isSettled || deadlineMs <= Date.now();
}

/** Bytes of the tag and the length of one field. */
const fieldBytes = 6;

/** An upper bound of the message's size. A character of a header value takes up to two bytes in UTF-8. */
function bytesOf({ accountId, jobIds, idempotencyKey = '', origin }: DeleteJobsCall): number {
  let bytes = 16 * fieldBytes + 2 * (accountId.length + idempotencyKey.length);
  for (const id of jobIds) bytes += id.length + fieldBytes;
  for (const value of Object.values(origin)) bytes += 2 * String(value).length;
  return bytes;
}
