import { setMaxListeners } from 'node:events';

export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Must be called once the signal is not needed any more. */
  unlink(): void;
}

/**
 * Returns a signal that `abort` or the long-lived parent aborts. `AbortSignal.any` would add an entry to the parent on each
 * call, and never remove it: https://github.com/nodejs/node/issues/55351.
 */
export function linkAbort(parent: AbortSignal | undefined): LinkedAbort {
  const own = new AbortController();
  const abort = () => own.abort();
  if (parent?.aborted === true) abort();
  // By default, Node warns of a leak at the eleventh listener.
  if (parent) setMaxListeners(0, parent);
  parent?.addEventListener('abort', abort, { once: true });
  return { signal: own.signal, abort, unlink: () => parent?.removeEventListener('abort', abort) };
}
