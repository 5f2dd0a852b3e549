import { setImmediate as later } from 'node:timers';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { AcceptDeletionsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { AcceptDeletionsResponse__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { DeleteJobsRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { NumberedRequest } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedRequest';
import { splitByWeight } from '@jobs-delete/runtime/batching/groups';
import { Fault } from '@jobs-delete/runtime/fault';
import { faultOfCall, lossOf, outcomeOf, type Loss, type OnOutcome } from './answer.ts';

/** A message of the server has a limit of 4 or 8 MiB, and one large message delays the others. */
const maxMessageBytes = 1024 * 1024;

export type RequestStream = ReturnType<typeof createRequestStream>;

interface Queued {
  readonly number: number;
  readonly request: DeleteJobsRequest;
  readonly deadlineMs: number;
}

/** Wraps one call of AcceptDeletions. `onOver` is called when the call has ended, before the last outcomes. */
export function createRequestStream(
  call: ClientDuplexStream<AcceptDeletionsRequest, AcceptDeletionsResponse__Output>,
  onOver: () => void,
) {
  const unanswered = new Map<number, OnOutcome>();
  let queue: Queued[] = [];
  let lastNumber = 0;
  let isFlushDue = false;
  let isFinished = false;
  let isOver = false;

  const flush = () => {
    isFlushDue = false;
    // The server does not read now. 'drain' flushes what waits by then.
    if (isOver || call.writableNeedDrain) return;
    for (const requests of toMessages(queue)) call.write({ requests });
    queue = [];
    if (isFinished) call.end();
  };
  const flushLater = () => {
    if (isFlushDue) return;
    isFlushDue = true;
    // A lone request does not wait for the rest of the turn.
    if (unanswered.size > 1) later(flush);
    else process.nextTick(flush);
  };
  const end = (fault: Fault, loss: Loss | undefined) => {
    if (isOver) return;
    isOver = true;
    onOver();
    queue = [];
    const left = [...unanswered.values()];
    unanswered.clear();
    for (const onOutcome of left) onOutcome(fault, loss);
  };

  call.on('data', ({ outcomes }: AcceptDeletionsResponse__Output) => {
    for (const outcome of outcomes) {
      const onOutcome = unanswered.get(outcome.number);
      unanswered.delete(outcome.number);
      onOutcome?.(outcomeOf(outcome));
    }
  });
  call.on('drain', flushLater);
  call.on('error', (error) => end(faultOfCall(error), lossOf(error)));
  call.on('end', () => end(new Fault('unknown-outcome', 'deleter: the server ended the stream'), 'lost'));

  return {
    /** Sends the request in one message with others of this turn of the event loop. Calls `onOutcome` once. */
    send: (request: DeleteJobsRequest, deadlineMs: number, onOutcome: OnOutcome): void => {
      lastNumber += 1;
      unanswered.set(lastNumber, onOutcome);
      queue.push({ number: lastNumber, request, deadlineMs });
      flushLater();
    },
    /** Sends no more. The stream ends when its outcomes are in. */
    finish: (): void => {
      isFinished = true;
      flushLater();
    },
    cancel: (): void => call.cancel(),
  };
}

function toMessages(queue: readonly Queued[]): NumberedRequest[][] {
  const nowMs = Date.now();
  const requests = queue.map(({ number, request, deadlineMs }) => ({
    number,
    request,
    timeoutMs: Math.max(1, Math.round(deadlineMs - nowMs)),
  }));
  return splitByWeight(requests, ({ request }) => bytesOf(request), maxMessageBytes);
}

/** Bytes of the tag and the length of one field. */
const fieldBytes = 6;

/** Returns an upper bound of the message's size. A character of a header value takes up to two bytes in UTF-8. */
function bytesOf({ accountId = '', jobIds = [], idempotencyKey = '', origin }: DeleteJobsRequest): number {
  let bytes = 128 + 16 * fieldBytes + 2 * (accountId.length + idempotencyKey.length);
  for (const id of jobIds) bytes += id.length + fieldBytes;
  for (const value of Object.values(origin ?? {})) bytes += 2 * String(value).length;
  return bytes;
}
