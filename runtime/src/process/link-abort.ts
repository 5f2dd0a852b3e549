import { setMaxListeners } from 'node:events';

export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Must be called once the signal is not needed any more. */
  unlink(): void;
}

/**
 * Returns a signal that `abort` or the long-lived parent aborts, or the time after `afterMs`. `AbortSignal.any` would add an entry to
 * the parent on each call, and never remove it (https://github.com/nodejs/node/issues/55351). Before Node 22, it also forgets an
 * `AbortSignal.timeout` when garbage is collected.
 */
export function linkAbort(parent: AbortSignal | undefined, afterMs?: number): LinkedAbort {
  const own = new AbortController();
  const abort = () => own.abort();
  if (parent?.aborted === true) abort();
  // By default, Node warns of a leak at the eleventh listener.
  if (parent) setMaxListeners(0, parent);
  parent?.addEventListener('abort', abort, { once: true });
  const timer = afterMs === undefined ? undefined : setTimeout(abort, afterMs);
  const unlink = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', abort);
  };
  return { signal: own.signal, abort, unlink };
}
