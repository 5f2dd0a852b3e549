/** Groups items by key, in the order of each group's first item. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the sum of a field of all items. */
export function sumOf<Field extends string>(
  items: readonly Readonly<Record<Field, number>>[],
  field: Field,
): number {
  return items.reduce((sum, item) => sum + item[field], 0);
}

/** Runs a few groups at the same time. */
export async function forEachGroup<Group>(
  groups: Group[],
  maxConcurrent: number,
  run: (group: Group) => Promise<void>,
): Promise<void> {
  const runNext = async () => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) await run(group);
  };
  await Promise.all(Array.from({ length: maxConcurrent }, runNext));
}

/** Splits items, in order, into runs of at most `maxWeight`. A heavier item forms a run alone. */
export function splitByWeight<Item>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  maxWeight: number,
): Item[][] {
  const runs: Item[][] = [];
  let run: Item[] = [];
  let runWeight = 0;
  for (const item of items) {
    const weight = weigh(item);
    if (run.length > 0 && runWeight + weight > maxWeight) {
      runs.push(run);
      [run, runWeight] = [[], 0];
    }
    run.push(item);
    runWeight += weight;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

/** Returns the first items that together weigh at most `maxWeight`, but at least one. */
export function firstByWeight<Item>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  maxWeight: number,
): Item[] {
  let weight = 0;
  const end = items.findIndex((item, index) => (weight += weigh(item)) > maxWeight && index > 0);
  return end === -1 ? [...items] : items.slice(0, end);
}
