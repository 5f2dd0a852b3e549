import { firstByWeight } from './groups.ts';

/** `skip`: the key waits, and keeps its rank in the rotation. `end`: every key waits, so that none overtakes this one. */
export type Verdict = 'take' | 'skip' | 'end';

interface Backlog<Item> {
  items: Item[];
  /** The index of the next item. Removing it from a long array would copy the rest. */
  head: number;
  weight: number;
}

/** Creates a queue that serves its keys round-robin: a backlog of one key does not delay the others. */
export function createFairQueue<Item>(keyOf: (item: Item) => string, weigh: (item: Item) => number) {
  /** Non-empty backlogs; the first is served next. */
  const backlogs = new Map<string, Backlog<Item>>();
  let totalWeight = 0;

  const subtract = (key: string, backlog: Backlog<Item>, item: Item) => {
    backlog.weight -= weigh(item);
    totalWeight -= weigh(item);
    if (backlog.head === backlog.items.length) backlogs.delete(key);
  };
  /** Removes the next items, at most `maxWeight` together but at least one. `judge` may refuse items. */
  const take = (maxWeight: number, judge: (item: Item) => Verdict = () => 'take'): Item[] => {
    const taken: Item[] = [];
    let weight = 0;
    // The loop comes back to a key that moves to the end, and not to one that is skipped.
    for (const [key, backlog] of backlogs) {
      const item = backlog.items[backlog.head] as Item;
      weight += weigh(item);
      if (taken.length > 0 && weight > maxWeight) return taken;
      const verdict = judge(item);
      if (verdict === 'end') return taken;
      if (verdict === 'skip') {
        weight -= weigh(item);
        continue;
      }
      taken.push(item);
      passHead(backlog);
      subtract(key, backlog, item);
      if (backlogs.delete(key)) backlogs.set(key, backlog);
    }
    return taken;
  };

  return {
    push: (item: Item): void => {
      const key = keyOf(item);
      const backlog = backlogs.get(key) ?? { items: [], head: 0, weight: 0 };
      backlog.items.push(item);
      backlog.weight += weigh(item);
      totalWeight += weigh(item);
      backlogs.set(key, backlog);
    },
    take,
    /** Removes the next items of one key that `mayTake` allows, at most `maxWeight` together but at least one. */
    takeOf: (maxWeight: number, mayTake: (key: string) => boolean): Item[] => {
      const first = firstOf(backlogs, mayTake);
      if (first === undefined) return [];
      const [key, backlog] = first;
      const waiting = backlog.items.slice(backlog.head);
      const taken = firstByWeight(waiting, weigh, maxWeight);
      [backlog.items, backlog.head] = [waiting.slice(taken.length), 0];
      for (const item of taken) subtract(key, backlog, item);
      if (backlogs.delete(key)) backlogs.set(key, backlog);
      return taken;
    },
    /** Removes the items that `isRemoved` names. */
    remove: (isRemoved: (item: Item) => boolean): void => {
      for (const [key, backlog] of backlogs) {
        const waiting = backlog.items.slice(backlog.head);
        const removed = waiting.filter(isRemoved);
        [backlog.items, backlog.head] = [waiting.filter((item) => !isRemoved(item)), 0];
        for (const item of removed) subtract(key, backlog, item);
      }
    },
    /** Removes the newest item of the key with the most queued weight; undefined if the queue is empty. */
    dropFromLongest: (): Item | undefined => {
      const longest = findLongest(backlogs);
      if (longest === undefined) return undefined;
      const item = longest[1].items.pop() as Item;
      subtract(...longest, item);
      return item;
    },
    /** Queued weight, of all keys or of one. */
    weight: (key?: string): number => (key === undefined ? totalWeight : (backlogs.get(key)?.weight ?? 0)),
    /** The number of keys with items. */
    keys: () => backlogs.size,
  };
}

function firstOf<Item>(backlogs: Backlogs<Item>, mayTake: (key: string) => boolean) {
  for (const entry of backlogs) if (mayTake(entry[0])) return entry;
  return undefined;
}

type Backlogs<Item> = ReadonlyMap<string, Backlog<Item>>;

function findLongest<Item>(backlogs: Backlogs<Item>) {
  let longest: [string, Backlog<Item>] | undefined;
  for (const entry of backlogs)
    if (longest === undefined || entry[1].weight > longest[1].weight) longest = entry;
  return longest;
}

function passHead<Item>(backlog: Backlog<Item>): void {
  backlog.head += 1;
  if (backlog.head * 2 <= backlog.items.length) return;
  backlog.items.splice(0, backlog.head);
  backlog.head = 0;
}
