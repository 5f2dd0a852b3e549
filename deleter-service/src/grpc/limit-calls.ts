import { ServerInterceptingCall, status, type Metadata, type ServerInterceptor } from '@grpc/grpc-js';
import { createPermits } from '@jobs-delete/runtime/batching/permits';
import { callerOf } from './authorize-callers.ts';

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
    const [limited, details] = isHealth
      ? ([healthWatches, tooManyWatches(maxWatches)] as const)
      : ([calls, tooMany(maxCalls)] as const);
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

function tooMany(maxCalls: number): string {
  return `This caller already has ${String(maxCalls)} calls in progress on this replica; call again later.`;
}

function tooManyWatches(maxWatches: number): string {
  return `Already ${String(maxWatches)} health watches are open on this replica; call Check, or watch again later.`;
}
