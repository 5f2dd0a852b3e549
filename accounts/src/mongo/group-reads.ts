import { systemClock, withTimeLimit, type Clock } from '@jobs-delete/runtime/time/clock';
import { LRUCache } from 'lru-cache';

/** Resolves to the values of these keys, without the keys that have none. */
export type ReadMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

export interface GroupReadsOptions {
  /** While a read runs, keys wait so long for others. Default: 5 ms. */
  readonly gatherMs?: number;
  /** A shared read is late after this time. Default: 250 ms. */
  readonly lateMs?: number;
  readonly clock?: Pick<Clock, 'sleep' | 'defer'>;
}

interface WaitingKey<Value> {
  readonly key: string;
  readonly resolve: (value: Promise<Value | undefined>) => void;
}

const maxKeys = 100;
/** Unknown callers choose keys, too: the latest ones take the places of others. */
const maxTroubled = 1_000;

/**
 * Returns a function that reads one key. Keys of the same moment share a read, which starts at the end of this turn of the
 * event loop if no other runs.
 *
 * A key in trouble delays the others once: if a shared read fails or is late, each of its keys is read alone. A key that fails
 * alone, too, is read alone until a read of it succeeds.
 */
export function groupReads<Value>(
  readMany: ReadMany<Value>,
  { gatherMs = 5, lateMs = 250, clock = systemClock }: GroupReadsOptions = {},
): (key: string) => Promise<Value | undefined> {
  const waiting: WaitingKey<Value>[] = [];
  const troubled = new LRUCache<string, true>({ max: maxTroubled });
  let running = 0;

  /** Rejects where `readMany` throws. */
  const read: ReadMany<Value> = async (keys) => readMany(keys);
  const readAlone = async (key: string) => {
    troubled.set(key, true);
    const values = await read([key]);
    troubled.delete(key);
    return values.get(key);
  };
  const readWaiting = () => {
    const group = waiting.splice(0, maxKeys);
    if (waiting.length > 0) clock.defer(readWaiting);
    const keys = [...new Set(group.map(({ key }) => key))];
    running += 1;
    // A read that never ends counts as running until it is late.
    const shared = withTimeLimit(read(keys), lateMs, () => undefined, clock)
      .catch(() => undefined)
      .finally(() => (running -= 1));
    for (const { key, resolve } of group)
      resolve(shared.then((values) => (values === undefined ? readAlone(key) : values.get(key))));
  };

  return (key) => {
    if (troubled.has(key)) return readAlone(key);
    return new Promise((resolve) => {
      if (waiting.push({ key, resolve }) > 1) return;
      if (running === 0) clock.defer(readWaiting);
      else void clock.sleep(gatherMs).then(readWaiting);
    });
  };
}
