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
