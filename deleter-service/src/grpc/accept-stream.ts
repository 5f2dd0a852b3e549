import { status, type ServerDuplexStream } from '@grpc/grpc-js';
import type { AcceptDeletionsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsRequest';
import type { AcceptDeletionsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/AcceptDeletionsResponse';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleteJobsResponse } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsResponse';
import type { NumberedOutcome } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedOutcome';
import type { NumberedRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/NumberedRequest';
import { splitByWeight } from '@jobs-delete/runtime/batching/groups';
import { GrpcError, invalidField } from './grpc-error.ts';

export type AcceptStream = ServerDuplexStream<AcceptDeletionsRequest__Output, AcceptDeletionsResponse>;

export interface AcceptStreamOptions {
  readonly deleteOne: (
    request: DeleteJobsRequest__Output,
    deadlineMs: number | undefined,
  ) => Promise<DeleteJobsResponse>;
  /** Converts and reports the error of one request. */
  readonly report: (error: unknown) => GrpcError;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  readonly maxUnanswered?: number;
}

const defaultMaxUnanswered = 10_000;
/** An outcome takes at most 10 kB (the names of ten jobs), so a message stays far below its limit. */
const maxOutcomesPerMessage = 400;

/**
 * Answers each request of a stream as soon as its own outcome is known. A message carries the outcomes of one turn of the
 * event loop. Stops reading while the caller does not read its outcomes. When the server stops, answers the requests that
 * it has, refuses further ones, and ends the stream.
 */
export function serveAcceptStream(call: AcceptStream, options: AcceptStreamOptions): void {
  const { deleteOne, report, stopping, maxUnanswered = defaultMaxUnanswered } = options;
  const unanswered = new Set<number>();
  let outcomes: NumberedOutcome[] = [];
  let isFlushDue = false;
  let isLast = false;

  const endIfDone = () => {
    if (isLast && unanswered.size === 0 && outcomes.length === 0) call.end();
  };
  const flush = () => {
    isFlushDue = false;
    const ready = outcomes;
    outcomes = [];
    // The caller of a cancelled stream asks again.
    if (call.cancelled || call.writableEnded) return;
    for (const part of splitByWeight(ready, () => 1, maxOutcomesPerMessage)) call.write({ outcomes: part });
    if (call.writableNeedDrain) call.pause();
    endIfDone();
  };
  const answer = (outcome: NumberedOutcome) => {
    outcomes.push(outcome);
    if (isFlushDue) return;
    isFlushDue = true;
    // The last outcome does not wait for the rest of the turn.
    if (unanswered.size > 0) setImmediate(flush);
    else process.nextTick(flush);
  };
  const refuse = (number: number, error: GrpcError) => answer({ number, error: error.status });

  const accept = ({ number, request, timeoutMs }: NumberedRequest__Output, nowMs: number) => {
    if (request === null) refuse(number, invalidField('request', 'is required'));
    else if (unanswered.has(number))
      refuse(number, invalidField('number', 'is that of an unanswered request'));
    else if (stopping.aborted)
      refuse(number, new GrpcError(status.UNAVAILABLE, 'The server stops; ask another replica.'));
    else if (unanswered.size >= maxUnanswered) refuse(number, tooManyUnanswered(maxUnanswered));
    else {
      unanswered.add(number);
      const settle = (outcome: NumberedOutcome) => {
        unanswered.delete(number);
        answer(outcome);
      };
      deleteOne(request, timeoutMs === 0 ? undefined : nowMs + timeoutMs).then(
        (response) => settle({ number, response }),
        (error: unknown) => settle({ number, error: report(error).status }),
      );
    }
  };

  const finish = () => {
    isLast = true;
    endIfDone();
  };
  call.on('data', ({ requests }: AcceptDeletionsRequest__Output) => {
    const nowMs = Date.now();
    for (const request of requests) accept(request, nowMs);
  });
  call.on('drain', () => call.resume());
  call.on('end', finish);
  onAbort(stopping, call, finish);
}

/** Calls back when the signal is aborted, unless the stream is over by then. */
function onAbort(signal: AbortSignal, call: AcceptStream, finish: () => void): void {
  if (signal.aborted) finish();
  signal.addEventListener('abort', finish, { once: true });
  const forget = () => signal.removeEventListener('abort', finish);
  call.on('finish', forget);
  call.on('cancelled', forget);
}

function tooManyUnanswered(max: number): GrpcError {
  return new GrpcError(
    status.RESOURCE_EXHAUSTED,
    `The stream has ${String(max)} unanswered requests; wait for their outcomes, or ask another replica.`,
  );
}
