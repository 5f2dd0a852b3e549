export interface LaneOptions<Item> {
  /** Takes care of a group; never rejects. */
  readonly take: (group: readonly Item[]) => Promise<void>;
  readonly weigh: (item: Item) => number;
  /** A group is closed at this weight; an item that weighs more is a group of its own. */
  readonly maxGroupWeight: number;
  readonly maxGroupsInFlight: number;
  /** Runs what it is given at the end of this turn of the event loop. */
  readonly defer: (act: () => void) => void;
}

/**
 * A queue that is taken up in groups, in its order. A group leaves as soon as the lane is free, with all that has
 * come until then; nothing ever waits for a timer.
 */
export function createLane<Item>(options: LaneOptions<Item>): (item: Item) => void {
  const { take, weigh, maxGroupWeight, maxGroupsInFlight, defer } = options;
  const queue: Item[] = [];
  let groupsInFlight = 0;
  let deferred = false;

  const takeGroup = () => {
    let weight = 0;
    let count = 0;
    for (const item of queue) {
      weight += weigh(item);
      if (count > 0 && weight > maxGroupWeight) break;
      count += 1;
    }
    return queue.splice(0, count);
  };

  const flush = () => {
    deferred = false;
    while (queue.length > 0 && groupsInFlight < maxGroupsInFlight) {
      groupsInFlight += 1;
      void take(takeGroup()).finally(() => {
        groupsInFlight -= 1;
        flush();
      });
    }
  };

  return (item) => {
    queue.push(item);
    // What the same turn of the event loop has brought leaves together.
    if (deferred) return;
    deferred = true;
    defer(flush);
  };
}
