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

type SharedReads<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** Creates a function that reads a value. Concurrent calls with the same key share one read. */
export function createSharedReads<Value>(): SharedReads<Value> {
  const pending = new Map<string, Promise<Value>>();
  return (key, read) => {
    const known = pending.get(key);
    if (known !== undefined) return known;
    const value = read().finally(() => pending.delete(key));
    pending.set(key, value);
    return value;
  };
}
