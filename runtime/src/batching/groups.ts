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
