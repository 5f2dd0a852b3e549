/** Returns the first records that together have at most `maxJobs` jobs, but at least one record. */
export function firstJobs<Item>(
  records: readonly Item[],
  jobsOf: (record: Item) => number,
  maxJobs: number,
): Item[] {
  let jobs = 0;
  const count = records.findIndex((record, index) => (jobs += jobsOf(record)) > maxJobs && index > 0);
  return count === -1 ? [...records] : records.slice(0, count);
}
