import { ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';

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
