/** The items in their order, in runs of at most `maxJobs` jobs; an item of more than that is a run of its own. */
export function splitByWeight<Item>(
  items: readonly Item[],
  jobsOf: (item: Item) => number,
  maxJobs: number,
): Item[][] {
  const runs: Item[][] = [];
  let run: Item[] = [];
  let jobs = 0;
  for (const item of items) {
    const more = jobsOf(item);
    if (run.length > 0 && jobs + more > maxJobs) {
      runs.push(run);
      [run, jobs] = [[], 0];
    }
    run.push(item);
    jobs += more;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}
