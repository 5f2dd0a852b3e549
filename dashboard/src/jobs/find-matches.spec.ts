import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { JobsQuery } from '../deleter/deleter-calls.ts';
import { countMatches } from './count-matches.ts';

/** Counts the jobs that a search finds, from its first page of 50 on. */
async function count(jobs: number, { examined = Infinity, takesMs = 0, isAway = false } = {}) {
  const jobIds = Array.from({ length: jobs }, (_, index) => `NURSE${String(1_000 + index)}`);
  const clock = createVirtualClock();
  const search = ({ after = '', limit }: JobsQuery) => {
    const rest = jobIds.filter((id) => id > after);
    const shown = rest.slice(0, Math.min(limit, examined));
    return { jobIds: shown, titles: new Map(), next: rest.length > shown.length ? shown.at(-1) : undefined };
  };
  const searchJobs = async (query: JobsQuery) => {
    await clock.sleep(takesMs);
    if (isAway) throw new Fault('unavailable', 'away');
    return search(query);
  };
  const query = { accountId: 'acme', text: 'nurse', limit: 50 };
  const startMs = clock.now();
  let counted: object | undefined;
  void countMatches({ searchJobs }, query, search(query), clock).then((all) => (counted = all));
  await clock.runUntil(() => counted !== undefined);
  return { ...counted, tookMs: clock.now() - startMs };
}

test.each([
  [12, 12, true],
  [50, 50, true],
  [312, 312, true],
  [1_050, 1_050, true],
  [1_051, 1_050, false],
])('of %d jobs counts %d', async (jobs, found, isAll) => {
  expect(await count(jobs)).toEqual({ found, isAll, tookMs: 0 });
});

test.each([
  ['ends after 300 ms', { takesMs: 120 }, 250, 300],
  ['ends after a page that has taken the time of a search', { examined: 20, takesMs: 1_000 }, 20, 0],
  ['ends when no api answers', { isAway: true }, 50, 0],
])('%s', async (_, search, found, tookMs) => {
  expect(await count(1_000, search)).toEqual({ found, isAll: false, tookMs });
});
