import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeleterCalls, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { partOf } from '../testing/part-of.ts';
import { htmlOf, visitWith } from '../testing/visit-page.ts';
import { jobRoutes, type Needed } from './job-routes.tsx';
import { findWaitingJobs, isWaitingPlace } from './waiting-jobs.ts';

const visit = { accountId: 'acme', nowMs: Date.UTC(2026, 0, 31, 12) };
const idOf = (number: number) => `01a2b3c4-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Has deletions of these numbers of jobs, the newest first. Its first page has two of them. */
function deleterWith(counts: readonly number[], states: readonly Deletion['state'][] = []) {
  const asked: DeletionsQuery[] = [];
  const deletions = counts.map((jobCount, index) =>
    partOf<Deletion>({
      id: idOf(index),
      accountId: 'acme',
      jobCount,
      state: states[index] ?? 'waiting',
      removalAtMs: visit.nowMs + 22 * 3_600_000,
      jobIds: Array.from({ length: jobCount }, (_, job) => `D${String(index)}J${String(job)}`),
    }),
  );
  const deleter = partOf<DeleterCalls>({
    listDeletions: (query) => {
      asked.push(query);
      if (query.pageToken === 'unknown') return Promise.resolve(undefined);
      const isFirst = query.pageToken === undefined;
      return Promise.resolve({
        deletions: isFirst ? deletions.slice(0, 2) : deletions.slice(2),
        nextPageToken: isFirst && counts.length > 2 ? 'later' : undefined,
      });
    },
    getDeletion: (_, id) => Promise.resolve(deletions.find((each) => each.id === id)),
    describeJobs: () =>
      Promise.resolve({ titles: new Map([['D0J0', 'Night nurse']]), importedAtMs: new Map([['D0J0', 1]]) }),
    countJobs: () => Promise.resolve(60),
  });
  return { deleter, asked };
}

describe('the jobs that wait for deletion', () => {
  test('are those of the waiting deletions of the last 31 days, with their deletion', async () => {
    const { deleter, asked } = deleterWith([2, 1]);
    const found = await findWaitingJobs(deleter, visit, '');
    expect(found).toMatchObject({ jobIds: ['D0J0', 'D0J1', 'D1J0'], next: undefined });
    expect(found?.deletions.get('D1J0')?.id).toBe(idOf(1));
    expect(asked).toMatchObject([{ state: 'waiting', acceptedFromMs: Date.UTC(2026, 0, 1) }]);
  });

  test('are on pages of 50, and none is left out or repeated', async () => {
    const { deleter } = deleterWith([50, 120, 1, 70]);
    const pages: (readonly string[])[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      expect(isWaitingPlace(after)).toBe(true);
      const found = await findWaitingJobs(deleter, visit, after);
      pages.push(found?.jobIds ?? []);
      after = found?.next;
    }
    expect(Math.max(...pages.map(({ length }) => length))).toBe(50);
    expect([pages.flat().length, new Set(pages.flat()).size]).toEqual([241, 241]);
  });

  test('begin with the newest if the deletion of the place was cancelled', async () => {
    const { deleter } = deleterWith([1]);
    const { jobIds } = (await findWaitingJobs(deleter, visit, `.${idOf(9)}.7`)) ?? {};
    expect(jobIds).toEqual(['D0J0']);
  });

  test('are without those whose removal has begun since', async () => {
    const { deleter } = deleterWith([1, 1], ['accepted']);
    expect((await findWaitingJobs(deleter, visit, ''))?.jobIds).toEqual(['D1J0']);
  });

  const open = async (counts: readonly number[], query: Readonly<Record<string, string>> = {}) => {
    const dayCounter = { count: () => Promise.resolve({ days: [], retentionMs: undefined }) };
    const { deleter } = deleterWith(counts);
    const [route] = jobRoutes(partOf<Needed>({ dayCounter, deleter, deletes: true }));
    return route?.serve({ ...visitWith({ show: 'waiting', ...query }), ...visit });
  };

  test('are listed with their titles and the time of their removal, without boxes', async () => {
    const reply = await open([60]);
    const html = reply?.kind === 'page' ? htmlOf(reply) : '';
    expect(html).toContain('<a href="/a/acme/jobs?job=D0J0&amp;show=waiting"><bdi>Night nurse</bdi></a>');
    expect(html).toMatch(new RegExp(`<a href="/a/acme/activity/${idOf(0)}"><time [^>]*>in 22 hours</time>`));
    expect(html).toContain(`href="/a/acme/jobs?show=waiting&amp;pages=1%3A+51%3A.${idOf(0)}.50">Next jobs<`);
    expect(html).not.toContain('name="ids"');
  });

  test('say that there is none', async () => {
    const reply = await open([]);
    expect(reply?.kind === 'page' && htmlOf(reply)).toContain('No job waits for deletion.');
  });

  test('begin again for a page that has expired', async () => {
    const reply = await open([1], { pages: '51:unknown' });
    expect(reply).toEqual({ kind: 'redirect', to: '/a/acme/jobs?show=waiting' });
  });

  test.each([
    [12, 'found', '<a href="/a/acme/jobs?show=waiting">12 jobs</a>'],
    [1, 'not found', '<a href="/a/acme/jobs?show=waiting">1 job</a>'],
    [0, 'found', undefined],
    [undefined, 'found', 'Not counted at the moment. Reload the page.'],
  ])('are %j that a search leaves out, and says so if jobs are %s', async (jobs, which, said) => {
    const states = [{ state: 'waiting', deletions: 1, jobs: jobs ?? 0 }] as const;
    const day = { dayMs: 0, deletions: 1, jobsAccepted: 0, jobsRemoved: 0, states };
    const count = () =>
      jobs === undefined
        ? Promise.reject(new Fault('unavailable', 'away'))
        : Promise.resolve({ days: [day], retentionMs: undefined });
    const jobIds = which === 'found' ? ['D0J0'] : [];
    const searchJobs = () =>
      Promise.resolve({ jobIds, titles: new Map(), importedAtMs: new Map(), next: undefined });
    const deleter = { ...deleterWith([]).deleter, searchJobs };
    const [route] = jobRoutes(partOf<Needed>({ dayCounter: { count }, deleter, deletes: true }));
    const reply = await route?.serve({ ...visitWith({ find: 'night nurse' }), ...visit });
    const html = reply?.kind === 'page' ? htmlOf(reply) : '';
    const note = 'Waiting for deletion, not searched: ';
    if (said === undefined) expect(html).not.toContain('not searched');
    else expect(html).toContain(note + said);
  });
});
