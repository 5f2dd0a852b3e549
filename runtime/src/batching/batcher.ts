import { createFairQueue } from './fair-queue.ts';

export interface BatcherOptions<Item> {
  /** Processes a batch; never rejects. */
  readonly take: (group: readonly Item[]) => Promise<void>;
  readonly weigh: (item: Item) => number;
  /** Keys are served round-robin. Default: one key for all items. */
  readonly keyOf?: (item: Item) => string;
  /** Maximum weight of a batch; a heavier item is a batch alone. */
  readonly maxGroupWeight: number;
  readonly maxGroupsInFlight: number;
  /** Minimum queued weight before a second batch may start. Default: 0. */
  readonly minWeightBeside?: number;
  /** Calls back at the end of this event loop turn. */
  readonly defer: (act: () => void) => void;
}

export interface Batcher<Item> {
  push(item: Item): void;
  /** Removes the newest item of the key with the most queued weight; undefined if the queue is empty. */
  dropFromLongest(): Item | undefined;
  /** Queued weight of one key or of all, without batches in flight. */
  weight(key?: string): number;
  /** The largest queued weight of a key. */
  longest(): number;
  /** The number of keys with queued items. */
  keys(): number;
}

/** Creates a queue that is processed in batches. A batch starts as soon as a slot is free, without a timer. */
export function createBatcher<Item>(options: BatcherOptions<Item>): Batcher<Item> {
  const { take, weigh, keyOf = () => '', maxGroupWeight, maxGroupsInFlight, minWeightBeside = 0 } = options;
  const queue = createFairQueue(keyOf, weigh);
  let groupsInFlight = 0;
  let deferred = false;

  const mayLeave = () =>
    groupsInFlight === 0 || (groupsInFlight < maxGroupsInFlight && queue.weight() >= minWeightBeside);

  const flush = () => {
    deferred = false;
    while (queue.keys() > 0 && mayLeave()) {
      groupsInFlight += 1;
      void take(queue.take(maxGroupWeight)).finally(() => {
        groupsInFlight -= 1;
        flush();
      });
    }
  };

  return {
    push: (item) => {
      queue.push(item);
      // Items of one event loop turn share a batch.
      if (deferred) return;
      deferred = true;
      options.defer(flush);
    },
    dropFromLongest: queue.dropFromLongest,
    weight: queue.weight,
    longest: queue.longest,
    keys: queue.keys,
  };
}
