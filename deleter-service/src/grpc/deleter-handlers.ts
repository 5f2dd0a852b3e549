import { status, type Metadata, type ServerUnaryCall, type handleUnaryCall } from '@grpc/grpc-js';
import type { DeleteJobsRequest__Output } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleteJobsRequest';
import type { DeleterServiceHandlers } from '@jobs-delete/proto/generated/jobs/deleter/v1/DeleterService';
import type { AcceptDeletion } from '../deletion/accept-deletion.ts';
import { linkAbort, type Clock } from '@jobs-delete/runtime/time/clock';
import { createCountByDay } from '../deletion/count-by-day.ts';
import type { Store } from '../store/store.ts';
import { cancelDeletion, serveDeleteJobs } from './serve-delete-jobs.ts';
import { callerOf } from './authorize-callers.ts';
import { serveAcceptStream } from './accept-stream.ts';
import { toGrpcError, type GrpcError } from './grpc-error.ts';
import type { AnsweredCall } from './call-interceptors.ts';
import { countDeletions, getDeletion } from './read-deletions.ts';
import { createJobMethods } from './read-jobs.ts';
import { createSafetyMethods } from './serve-safety.ts';
import { createWatchDeletion } from './watch-deletion.ts';

export interface HandlerOptions {
  readonly acceptDeletion: AcceptDeletion;
  readonly store: Store;
  readonly clock: Clock;
  /** Aborted when the server stops: ends the watches and the streams of AcceptDeletions. */
  readonly signal: AbortSignal;
  /** Maximum number of open WatchDeletion calls. */
  readonly maxWatches?: number;
  /** How long receipts are kept, for callers that count deletions. */
  readonly retentionMs?: number;
  /** Called for faults, not for refusals. */
  readonly onFault: (error: GrpcError) => void;
  /** Called for each request of a stream, as a call of DeleteJobs. */
  readonly onAnswered?: ((call: AnsweredCall) => void) | undefined;
}

export function deleterHandlers(options: HandlerOptions): DeleterServiceHandlers {
  const { acceptDeletion, store, clock, maxWatches, retentionMs } = options;
  const countByDay = createCountByDay({ store, clock });
  const jobs = createJobMethods(store);
  const watchDeletion = createWatchDeletion({ store, clock, maxWatches });
  const safety = createSafetyMethods({ store, clock });

  const unary =
    <Request, Response>(
      handle: (request: Request, call: ServerUnaryCall<Request, Response>) => Promise<Response>,
    ): handleUnaryCall<Request, Response> =>
    (call, callback) => {
      handle(call.request, call).then(
        (response) => callback(null, response),
        (error: unknown) => callback(report(error)),
      );
    };

  const report = (error: unknown): GrpcError => {
    const grpcError = toGrpcError(error);
    if (grpcError.code === status.INTERNAL || grpcError.code === status.UNAVAILABLE)
      options.onFault(grpcError);
    return grpcError;
  };

  return {
    DeleteJobs: unary((request, call) =>
      serveDeleteJobs(request, readDeadlineMs(call.getDeadline()), acceptDeletion, {
        traceparent: readMetadata(call.metadata, 'traceparent'),
        caller: callerOf(call.metadata),
      }),
    ),
    AcceptDeletions: (call) => {
      const caller = callerOf(call.metadata);
      const deleteOne = (request: DeleteJobsRequest__Output, deadlineMs: number | undefined) =>
        observed(options.onAnswered, serveDeleteJobs(request, deadlineMs, acceptDeletion, { caller }));
      serveAcceptStream(call, { deleteOne, report, stopping: options.signal });
    },
    CancelDeletion: unary((request, call) =>
      cancelDeletion(request, store, clock, {
        traceparent: readMetadata(call.metadata, 'traceparent'),
        caller: callerOf(call.metadata),
      }),
    ),
    GetDeletion: unary((request) => getDeletion(request, store)),
    ListDeletions: unary(jobs.listDeletions),
    CountDeletions: unary((request, call) =>
      countDeletions(request, readDeadlineMs(call.getDeadline()), { countByDay, retentionMs }),
    ),
    ListJobs: unary(jobs.listJobs),
    GetJobTitles: unary(jobs.getJobTitles),
    SearchJobs: unary(jobs.searchJobs),
    GetJob: unary(jobs.getJob),
    CountJobs: unary(jobs.countJobs),
    GetSafetyRules: unary(safety.getSafetyRules),
    ChangeSafetyRules: unary(safety.changeSafetyRules),
    AllowDeletions: unary(safety.allowDeletions),
    WatchDeletion: (call) => {
      const { signal, abort, unlink } = linkAbort(options.signal);
      call.on('cancelled', abort);
      const send = async () => {
        for await (const deletion of watchDeletion(call.request, signal, callerOf(call.metadata)))
          call.write(deletion);
        call.end();
      };
      send()
        .catch((error: unknown) => call.emit('error', signal.aborted ? toGrpcError(error) : report(error)))
        .finally(unlink);
    },
  };
}

/** Reports a request of a stream. */
async function observed<Response>(
  onAnswered: HandlerOptions['onAnswered'],
  answer: Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  const report = (code: string) =>
    onAnswered?.({ method: 'DeleteJobs', code, ms: performance.now() - startedAt });
  try {
    const response = await answer;
    report('OK');
    return response;
  } catch (error) {
    report(status[toGrpcError(error).code]);
    throw error;
  }
}

/** Reads metadata such as `traceparent`, which callers with OpenTelemetry send. */
function readMetadata(metadata: Metadata, name: string): string | undefined {
  return metadata.get(name)[0]?.toString();
}

function readDeadlineMs(deadline: Date | number): number | undefined {
  const deadlineMs = deadline instanceof Date ? deadline.getTime() : deadline;
  return Number.isFinite(deadlineMs) ? deadlineMs : undefined;
}
