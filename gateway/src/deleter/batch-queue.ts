export interface BatchQueueOptions<Item> {
  /** A batch is closed before one of these would be exceeded. A single item may exceed them. */
  readonly maxJobs: number;
  readonly maxBytes: number;
  readonly weigh: (item: Item) => { readonly jobs: number; readonly bytes: number };
}

export interface BatchQueue<Item> {
  push(item: Item): void;
  /** Puts items back that were taken before; they are first again. */
  putBack(items: readonly Item[]): void;
  /** Takes the next batch, in order; empty when nothing waits. */
  take(): Item[];
  takeAll(): Item[];
  isEmpty(): boolean;
}

/** A first-in, first-out queue that is taken in batches. */
export function createBatchQueue<Item>({
  maxJobs,
  maxBytes,
  weigh,
}: BatchQueueOptions<Item>): BatchQueue<Item> {
  const items: Item[] = [];
  return {
    push: (item) => void items.push(item),
    putBack: (taken) => void items.unshift(...taken),
    take: () => {
      let jobs = 0;
      let bytes = 0;
      let count = 0;
      for (const item of items) {
        const weight = weigh(item);
        jobs += weight.jobs;
        bytes += weight.bytes;
        if (count > 0 && (jobs > maxJobs || bytes > maxBytes)) break;
        count += 1;
      }
      return items.splice(0, count);
    },
    takeAll: () => items.splice(0),
    isEmpty: () => items.length === 0,
  };
}
