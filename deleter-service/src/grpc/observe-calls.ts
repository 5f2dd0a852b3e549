import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import { DeleterService } from '@jobs-delete/proto/load-deleter';

export interface AnsweredCall {
  /** A method of the service's own, such as `DeleteJobs`; `other` for health and reflection. */
  readonly method: string;
  /** Such as `OK`, `NOT_FOUND`. */
  readonly code: string;
  readonly ms: number;
}

const methods = new Map(
  Object.values(DeleterService.service).map(({ path }) => [path, path.split('/').at(-1) ?? path]),
);

export const ownMethods: readonly string[] = [...methods.values()];

/** Tells what became of each call, the refused ones included: to be the first of the interceptors. */
export function observeCalls(onAnswered: (call: AnsweredCall) => void): ServerInterceptor {
  return ({ path }, call) => {
    const startedAt = performance.now();
    let isTold = false;
    const tell = (code: status) => {
      if (isTold) return;
      isTold = true;
      const method = methods.get(path) ?? 'other';
      onAnswered({ method, code: status[code], ms: performance.now() - startedAt });
    };
    return new ServerInterceptingCall(call, {
      start: (next) => next({ onCancel: () => tell(status.CANCELLED) }),
      sendStatus: (answered, next) => {
        tell(answered.code);
        next(answered);
      },
    });
  };
}
