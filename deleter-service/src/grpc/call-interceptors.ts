import { ServerInterceptingCall, status, type ServerInterceptor, type Metadata } from '@grpc/grpc-js';
import { DeleterService } from '@jobs-delete/proto/load-deleter';
import { createPermits } from '@jobs-delete/runtime/batching/permits';
import { callerOf } from './authorize-callers.ts';

export interface AnsweredCall {
  /** A method of this service, such as `DeleteJobs`; `other` for health and reflection. A stream counts when it ends. */
  readonly method: string;
  /** A status, such as `OK` or `NOT_FOUND`. */
  readonly code: string;
  readonly ms: number;
}

const methods = new Map(
  Object.values(DeleterService.service).map(({ path }) => [path, path.split('/').at(-1) ?? path]),
);

export const ownMethods: readonly string[] = [...methods.values()];

/** Reports each answered call. Must be the first interceptor, so that refused calls are reported too. */
export function observeCalls(onAnswered: (call: AnsweredCall) => void): ServerInterceptor {
  return ({ path }, call) => {
    const startedAt = performance.now();
    let isReported = false;
    const report = (code: status) => {
      if (isReported) return;
      isReported = true;
      const method = methods.get(path) ?? 'other';
      onAnswered({ method, code: status[code], ms: performance.now() - startedAt });
    };
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: () => report(status.CANCELLED) }),
      sendStatus: (answered, next) => {
        report(answered.code);
        next(answered);
      },
    });
  };
}

/**
 * Ends the streams of health and reflection when the signal is aborted, like the service's own streams. Otherwise a
 * stream that a caller never closes would delay the stop of the server.
 */
export function endWatches(signal: AbortSignal): ServerInterceptor {
  return ({ path, responseStream }, call) => {
    if (!responseStream || !/^\/grpc\.(?:health|reflection)\./.test(path))
      return new ServerInterceptingCall(call);
    const end = () => call.sendStatus({ code: status.UNAVAILABLE, details: 'The server stops.' });
    signal.addEventListener('abort', end, { once: true });
    const forget = () => signal.removeEventListener('abort', end);
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: forget }),
      sendStatus: (ended, next) => {
        forget();
        next(ended);
      },
    });
  };
}

/** Streams of one connection. A gateway needs fewer: 1,000 that wait, and a few batches. */
export const maxStreamsPerConnection = 2_000;

/** Calls in progress of one caller, on all its connections to this replica. */
export const maxCallsPerCaller = 4_000;

/** Health watches of one caller, and of all callers without authentication together. */
export const maxHealthWatches = 1_000;

/**
 * Refuses further calls of a caller that has too many in progress, so that the calls of others are served. Must follow
 * `authorizeCallers`. Health checks do not count: a refused one would look like a sick replica. Health watches, which stay
 * open, have a limit of their own.
 */
export function limitCalls(maxCalls = maxCallsPerCaller, maxWatches = maxHealthWatches): ServerInterceptor {
  const calls = createPermits({ perKey: maxCalls });
  const healthWatches = createPermits({ perKey: maxWatches });

  return ({ path, responseStream }, call) => {
    const isHealth = path.startsWith('/grpc.health.');
    if (isHealth && !responseStream) return new ServerInterceptingCall(call);
    const limited = isHealth ? healthWatches : calls;
    const details = isHealth
      ? `Already ${String(maxWatches)} health watches are open on this replica; call Check, or watch again later.`
      : `This caller already has ${String(maxCalls)} calls in progress on this replica; call again later.`;
    let counted: string | undefined;
    const end = () => {
      if (counted !== undefined) limited.give(counted);
      counted = undefined;
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata: Metadata, proceed) => {
            const caller = callerOf(metadata) ?? '';
            if (!limited.take(caller)) {
              call.sendStatus({ code: status.RESOURCE_EXHAUSTED, details });
              return;
            }
            counted = caller;
            proceed(metadata);
          },
          onCancel: end,
        }),
      sendStatus: (ended, next) => {
        end();
        next(ended);
      },
    });
  };
}
