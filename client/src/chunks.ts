import type { UnfinishedRequest } from './journal.ts';

/** Ids for one request, or for several if the server refuses some of them. */
export type Chunk = UnfinishedRequest;

/** Splits ids into chunks of at most `maxJobs()` each, in their order, reading no further than needed. */
export async function* chunksOf(
  jobIds: Iterable<string> | AsyncIterable<string>,
  firstPosition: number,
  maxJobs: () => number,
): AsyncGenerator<Chunk, void> {
  let position = firstPosition;
  let ids: string[] = [];
  let positions: number[] = [];
  for await (const jobId of jobIds) {
    ids.push(jobId);
    positions.push(position);
    position += 1;
    if (ids.length < maxJobs()) continue;
    yield { jobIds: ids, positions };
    ids = [];
    positions = [];
  }
  if (ids.length > 0) yield { jobIds: ids, positions };
}

/** Returns the ids at the indexes that `keep` accepts, without a key. */
export function selectFrom({ jobIds, positions }: Chunk, keep: (index: number) => boolean): Chunk {
  return {
    jobIds: jobIds.filter((_, index) => keep(index)),
    positions: positions.filter((_, index) => keep(index)),
  };
}
