import { createFairQueue } from './fair-queue.ts';

export interface BatcherOptions<Item> {
  /** Processes a group; never rejects. */
  readonly take: (group: readonly Item[]) => Promise<void>;
  readonly weigh: (item: Item) => number;
  /** Items of different keys are taken in turn; by default all items have one key and leave in their order. */
  readonly keyOf?: (item: Item) => string;
  /** Maximum weight of a group; a heavier item forms a group alone. */
  readonly maxGroupWeight: number;
  readonly maxGroupsInFlight: number;
  /** Minimum queued weight before a second group may leave beside the first. Default: 0. */
  readonly minWeightBeside?: number;
  /** Calls back at the end of this turn of the event loop. */
  readonly defer: (act: () => void) => void;
}

export interface Batcher<Item> {
  push(item: Item): void;
  /** Takes the newest item of the key with the most queued weight out of the queue; undefined if none is queued. */
  dropFromLongest(): Item | undefined;
  /** Queued weight, of all keys or of one; what is in flight does not count. */
  weight(key?: string): number;
  /** Queued weight of the key that has most. */
  longest(): number;
  /** How many keys have items in the queue. */
  keys(): number;
}

/** A queue that is taken in groups. A group leaves as soon as a place is free; nothing waits for a timer. */
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
      // Items of one turn of the event loop leave together.
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
