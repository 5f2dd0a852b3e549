import { withTimeLimit } from '@jobs-delete/runtime/time/clock';

/** Resolves to the values of these keys, without the keys that have none. */
export type ReadMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

export interface GroupReadsOptions {
  /** While a read runs, keys wait so long for others. Default: 5 ms. */
  readonly gatherMs?: number;
  /** A shared read is late after this time. Default: 250 ms. */
  readonly lateMs?: number;
}

interface WaitingKey<Value> {
  readonly key: string;
  readonly resolve: (value: Promise<Value | undefined>) => void;
}

const maxKeys = 100;
const maxTroubled = 1_000;

/**
 * Returns a function that reads one key. Keys of the same moment share a read, which starts at the end of this turn of the
 * event loop if no other runs.
 *
 * A key in trouble delays the others once: if a shared read fails or is late, each of its keys is read alone, and those that fail
 * then stay alone until they are read.
 */
export function groupReads<Value>(
  readMany: ReadMany<Value>,
  { gatherMs = 5, lateMs = 250 }: GroupReadsOptions = {},
): (key: string) => Promise<Value | undefined> {
  const waiting: WaitingKey<Value>[] = [];
  const troubled = new Set<string>();
  let running = 0;

  const read = async (keys: readonly string[]) => {
    running += 1;
    try {
      return await readMany(keys);
    } finally {
      running -= 1;
    }
  };
  const readAlone = async (key: string) => {
    if (troubled.size < maxTroubled) troubled.add(key);
    const values = await read([key]);
    troubled.delete(key);
    return values.get(key);
  };
  const readWaiting = () => {
    const group = waiting.splice(0, maxKeys);
    if (waiting.length > 0) setImmediate(readWaiting);
    const keys = [...new Set(group.map(({ key }) => key))];
    const shared = withTimeLimit(read(keys), lateMs, () => undefined).catch(() => undefined);
    for (const { key, resolve } of group)
      resolve(shared.then((values) => (values === undefined ? readAlone(key) : values.get(key))));
  };

  return (key) => {
    if (troubled.has(key)) return readAlone(key);
    return new Promise((resolve) => {
      if (waiting.push({ key, resolve }) > 1) return;
      if (running === 0) setImmediate(readWaiting);
      else setTimeout(readWaiting, gatherMs);
    });
  };
}
