import { expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { createVirtualClock } from '@jobs-delete/runtime/testing/virtual-clock';
import type { JobsQuery } from '../deleter/deleter-calls.ts';
import { countMatches, findMatches } from './find-matches.ts';

interface Trouble {
  readonly examined?: number;
  readonly takesMs?: number;
  readonly isAway?: boolean;
  /** Other jobs come after the found ones, so the last page is empty. */
  readonly hasOthers?: boolean;
}

/** Starts a deleter whose account has this number of jobs. */
function setUp(
  jobs: number,
  { examined = Infinity, takesMs = 0, isAway = false, hasOthers = false }: Trouble = {},
) {
  const jobIds = Array.from({ length: jobs }, (_, index) => `NURSE${String(1_000 + index)}`);
  const clock = createVirtualClock();
  const search = ({ after = '', limit }: JobsQuery) => {
    const rest = jobIds.filter((id) => id > after);
    const shown = rest.slice(0, Math.min(limit, examined));
    const isLast = hasOthers ? shown.length === 0 : shown.length === rest.length;
    return {
      jobIds: shown,
      titles: new Map(),
      importedAtMs: new Map(),
      next: isLast ? undefined : shown.at(-1),
    };
  };
  const searchJobs = async (query: JobsQuery) => {
    await clock.sleep(takesMs);
    if (isAway) throw new Fault('unavailable', 'away');
    return search(query);
  };
  const startMs = clock.now();
  /** Resolves to what a task answers, and its time. */
  const timed = async <Answer>(task: Promise<Answer>) => {
    const done: Answer[] = [];
    void task.then((answer) => done.push(answer));
    await clock.runUntil(() => done.length > 0);
    return { answer: done[0], tookMs: clock.now() - startMs };
  };
  return { jobIds, clock, search, searchJobs, timed };
}

const query = { accountId: 'acme', text: 'nurse' };

/** Counts the jobs that a search finds, from its first page of 50 on. */
async function count(jobs: number, trouble?: Trouble) {
  const { clock, search, searchJobs, timed } = setUp(jobs, trouble);
  const page = { ...query, limit: 50 };
  const { answer, tookMs } = await timed(countMatches({ searchJobs }, page, search(page), clock));
  return { ...answer, tookMs };
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

test.each([
  ['all of them', 1_050, {}, 0],
  ['all of them, page after page that is not full', 1_050, { examined: 30, takesMs: 200 }, 7_000],
  ['all of them, with other jobs after them', 1_050, { examined: 50, hasOthers: true }, 0],
  ['too many', 1_051, {}, 0],
  ['too many, with other jobs after them', 1_051, { examined: 50, hasOthers: true }, 0],
  ['no end within 10 s', 1_050, { takesMs: 1_000 }, 10_000],
  ['no api', 1_050, { isAway: true }, 0],
])('a deletion by a search finds %s', async (finds, jobs, trouble, tookMs) => {
  const { jobIds, clock, searchJobs, timed } = setUp(jobs, trouble);
  const found = await timed(findMatches({ searchJobs }, query, 1_050, clock));
  const answer = finds.startsWith('all') ? jobIds : finds.startsWith('too many') ? 'too-many' : 'unfinished';
  expect(found).toEqual({ answer, tookMs });
});
