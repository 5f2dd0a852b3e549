export interface FairQueue<Item> {
  push(item: Item): void;
  /** Removes the next items, at most `maxWeight` together but at least one. */
  take(maxWeight: number): Item[];
  /** Removes the newest item of the key with the most queued weight; undefined if the queue is empty. */
  dropFromLongest(): Item | undefined;
  /** Queued weight, of all keys or of one. */
  weight(key?: string): number;
  /** The largest queued weight of a key. */
  longest(): number;
  /** The number of keys with items. */
  keys(): number;
}

interface Backlog<Item> {
  items: Item[];
  weight: number;
}

/** Creates a queue that serves its keys round-robin: a backlog of one key does not delay the others. */
export function createFairQueue<Item>(
  keyOf: (item: Item) => string,
  weigh: (item: Item) => number,
): FairQueue<Item> {
  /** Non-empty backlogs; the first is served next. */
  const backlogs = new Map<string, Backlog<Item>>();
  let totalWeight = 0;

  const remove = (key: string, backlog: Backlog<Item>, item: Item) => {
    backlog.weight -= weigh(item);
    totalWeight -= weigh(item);
    if (backlog.items.length === 0) backlogs.delete(key);
  };
  const take = (maxWeight: number) => {
    const taken: Item[] = [];
    let weight = 0;
    for (;;) {
      const [next] = backlogs;
      const item = next?.[1].items[0];
      if (next === undefined || item === undefined) return taken;
      weight += weigh(item);
      if (taken.length > 0 && weight > maxWeight) return taken;
      const [key, backlog] = next;
      taken.push(item);
      backlog.items.shift();
      remove(key, backlog, item);
      if (backlogs.delete(key)) backlogs.set(key, backlog);
    }
  };

  const findLongest = () => {
    let longest: [string, Backlog<Item>] | undefined;
    for (const entry of backlogs)
      if (longest === undefined || entry[1].weight > longest[1].weight) longest = entry;
    return longest;
  };

  return {
    push: (item) => {
      const key = keyOf(item);
      const backlog = backlogs.get(key) ?? { items: [], weight: 0 };
      backlog.items.push(item);
      backlog.weight += weigh(item);
      totalWeight += weigh(item);
      backlogs.set(key, backlog);
    },
    take,
    dropFromLongest: () => {
      const longest = findLongest();
      const item = longest?.[1].items.pop();
      if (longest === undefined || item === undefined) return undefined;
      remove(...longest, item);
      return item;
    },
    weight: (key) => (key === undefined ? totalWeight : (backlogs.get(key)?.weight ?? 0)),
    longest: () => findLongest()?.[1].weight ?? 0,
    keys: () => backlogs.size,
  };
}
