import { withTimeLimit } from '@jobs-delete/runtime/time/clock';

/** How long a page waits for a value that its stream can bring later. */
const pagePatienceMs = 30;

/** Resolves to undefined if the value takes longer than a page may wait. Its computation goes on. */
export function inTime<Value>(
  value: Promise<Value>,
  patienceMs: number = pagePatienceMs,
): Promise<Value | undefined> {
  return withTimeLimit(value, patienceMs, () => undefined);
}

/** How long a page waits for a value that it can do without. */
export const longPatienceMs = 1_000;
/** How long a value is kept that came later, so that the page has it when it is loaded again. */
const keptMs = 60_000;

type SharedReads<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/**
 * Creates a function that reads a value. Concurrent calls with the same key share one read, and later ones a slow read that
 * succeeded less than a minute ago.
 */
export function createSharedReads<Value>(): SharedReads<Value> {
  const pending = new Map<string, Promise<Value>>();
  return (key, read) => {
    const known = pending.get(key);
    if (known !== undefined) return known;
    const startedMs = performance.now();
    const value = read();
    pending.set(key, value);
    const drop = () => void pending.delete(key);
    const isSlow = () => performance.now() - startedMs >= longPatienceMs;
    value.then(() => (isSlow() ? setTimeout(drop, keptMs).unref() : drop()), drop);
    return value;
  };
}
