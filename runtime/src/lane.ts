export interface LaneOptions<Item> {
  /** Takes care of a group; never rejects. */
  readonly take: (group: readonly Item[]) => Promise<void>;
  readonly weigh: (item: Item) => number;
  /** A group is closed at this weight; an item that weighs more is a group of its own. */
  readonly maxGroupWeight: number;
  readonly maxGroupsInFlight: number;
  /** While others are in flight, a group leaves only if so much waits: none by default. */
  readonly minWeightBeside?: number;
  /** Runs what it is given at the end of this turn of the event loop. */
  readonly defer: (act: () => void) => void;
}

/**
 * A queue that is taken up in groups, in its order. A group leaves as soon as the lane is free, with all that has
 * come until then; nothing ever waits for a timer.
 */
export function createLane<Item>(options: LaneOptions<Item>): (item: Item) => void {
  const { take, weigh, maxGroupWeight, maxGroupsInFlight, minWeightBeside = 0, defer } = options;
  const queue: Item[] = [];
  let queuedWeight = 0;
  let groupsInFlight = 0;
  let deferred = false;

  const takeGroup = () => {
    let weight = 0;
    let count = 0;
    for (const item of queue) {
      const withIt = weight + weigh(item);
      if (count > 0 && withIt > maxGroupWeight) break;
      weight = withIt;
      count += 1;
    }
    queuedWeight -= weight;
    return queue.splice(0, count);
  };

  const mayLeave = () =>
    groupsInFlight === 0 || (groupsInFlight < maxGroupsInFlight && queuedWeight >= minWeightBeside);

  const flush = () => {
    deferred = false;
    while (queue.length > 0 && mayLeave()) {
      groupsInFlight += 1;
      void take(takeGroup()).finally(() => {
        groupsInFlight -= 1;
        flush();
      });
    }
  };

  return (item) => {
    queue.push(item);
    queuedWeight += weigh(item);
    // What the same turn of the event loop has brought leaves together.
    if (deferred) return;
    deferred = true;
    defer(flush);
  };
}
