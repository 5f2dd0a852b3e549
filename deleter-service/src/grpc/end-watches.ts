import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';

/**
 * Streams that a caller keeps open for good would hold up a server that stops: those of health and reflection end
 * with the signal, as the service's own do.
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
