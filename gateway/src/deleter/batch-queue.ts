import { createFairQueue } from '@jobs-delete/runtime/batching/fair-queue';

export interface BatchQueueOptions<Item> {
  /** Items of different keys take turns. */
  readonly keyOf: (item: Item) => string;
  readonly weigh: (item: Item) => number;
  /** Maximum weight of a batch. A heavier item forms a batch alone. */
  readonly maxWeight: number;
}

export interface BatchQueue<Item> {
  push(item: Item): void;
  /** Puts back an item that was taken before. It leaves before all others. */
  putBack(item: Item): void;
  /** Takes the next batch out; empty when the queue is. */
  take(): Item[];
  isEmpty(): boolean;
}

/** A queue that is taken in batches, in which keys take turns. Items that were put back form batches of their own. */
export function createBatchQueue<Item>({
  keyOf,
  weigh,
  maxWeight,
}: BatchQueueOptions<Item>): BatchQueue<Item> {
  const fresh = createFairQueue(keyOf, weigh);
  const returned = createFairQueue(keyOf, weigh);
  return {
    push: (item) => fresh.push(item),
    putBack: (item) => returned.push(item),
    take: () => (returned.keys() > 0 ? returned : fresh).take(maxWeight),
    isEmpty: () => returned.keys() === 0 && fresh.keys() === 0,
  };
}
