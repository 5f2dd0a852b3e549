import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import { DeleterService } from '@jobs-delete/proto/load-deleter';

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
