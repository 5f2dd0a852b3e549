/** Splits ids into arrays of at most `maxJobs()` each, in their order, reading no further than needed. */
export async function* chunksOf(
  jobIds: Iterable<string> | AsyncIterable<string>,
  maxJobs: () => number,
): AsyncGenerator<string[], void> {
  let chunk: string[] = [];
  for await (const jobId of jobIds) {
    chunk.push(jobId);
    if (chunk.length < maxJobs()) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
