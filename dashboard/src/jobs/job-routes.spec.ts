import { describe, expect, test } from '@jest/globals';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { DayCounts, DeletionsPage, Job, JobsPage, JobsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion, DeletionState } from '../deleter/deletion.ts';
import type { MemberVisit } from '../web/route.ts';
import { partOf } from '../testing/part-of.ts';
import { findJob } from './find-job.ts';
import { jobRoutes, type Needed } from './job-routes.tsx';

const deletion = (id: string, state: DeletionState, keptJobCount = 0) =>
  ({ id, state, keptJobCount }) as Deletion;

/** `stored` are the deletions by id, and `named` those that the search finds. */
function deleterOf(job: Job | undefined, named: DeletionsPage, stored: readonly Deletion[] = []) {
  return {
    getJob: () => Promise.resolve(job),
    getJobTitles: () => Promise.resolve(new Map<string, string>()),
    getDeletion: (_: string, id: string) => Promise.resolve(stored.find((each) => each.id === id)),
    listDeletions: () => Promise.resolve(named),
  };
}

const pageWith = (...deletions: Deletion[]): DeletionsPage => ({ deletions, nextPageToken: undefined });

describe('what became of a job', () => {
  const fateOf = async (...given: Parameters<typeof deleterOf>) =>
    (await findJob(deleterOf(...given), 'acme', 'job0001', undefined))?.fate;

  test('its deletion is found, also if the search did not reach it', async () => {
    const held = { deletionId: 'd' };
    const inState = (state: DeletionState) => fateOf(held, pageWith(), [deletion('d', state)]);
    expect(await inState('waiting')).toMatchObject({ kind: 'waiting', by: { id: 'd' } });
    for (const state of ['accepted', 'published'] as const)
      expect(await inState(state)).toMatchObject({ kind: 'removing', by: { id: 'd' } });
  });

  test('a deletion that ends between the reads counts as it ended', async () => {
    const ended = (state: DeletionState) => fateOf({ deletionId: 'd' }, pageWith(), [deletion('d', state)]);
    expect(await ended('completed')).toMatchObject({ kind: 'deleted', by: { id: 'd' } });
    expect(await ended('cancelled')).toEqual({ kind: 'exists' });
  });

  test('a job without a deletion exists, whatever named it before', async () => {
    const free = { deletionId: undefined };
    expect(await fateOf(free, pageWith(deletion('d', 'completed')))).toEqual({ kind: 'exists' });
  });

  test('a missing job was deleted by the latest deletion that surely removed it', async () => {
    const [cancelled, kept] = [deletion('a', 'cancelled'), deletion('b', 'completed', 1)];
    const removals = [deletion('c', 'completed'), deletion('d', 'completed')];
    const found = await fateOf(undefined, pageWith(cancelled, kept, ...removals));
    expect(found).toMatchObject({ kind: 'deleted', by: { id: 'c' } });
    expect(await fateOf(undefined, pageWith(cancelled, kept, deletion('w', 'waiting')))).toEqual({
      kind: 'gone',
    });
    expect(await fateOf(undefined, pageWith())).toEqual({ kind: 'unknown' });
  });
});

/** Counts one deletion that waits for each of these numbers of jobs. */
const waiting = (...jobs: number[]) => {
  const days = jobs.map((each) => ({ states: [{ state: 'waiting', deletions: 1, jobs: each }] }));
  return { count: () => Promise.resolve({ days: days as unknown as DayCounts[], retentionMs: undefined }) };
};

/** Opens the page of these services with this query. */
async function open(services: Needed, query: Readonly<Record<string, string>>): Promise<string> {
  const [route] = jobRoutes(services);
  const visit = {
    accountId: 'acme',
    language: 'en',
    role: 'manager',
    nowMs: 0,
    query: new URLSearchParams(query),
  };
  const reply = await route?.serve(visit as MemberVisit);
  if (reply?.kind !== 'page') throw new Error('the reply is no page');
  return render(h(Fragment, null, reply.action, reply.body));
}

test('a search that has not seen every deletion says how far back it looked, and leads on', async () => {
  const named = { deletions: [], nextPageToken: 'older+1', examinedFromMs: Date.UTC(2026, 0, 2) };
  const services = partOf<Needed>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf(undefined, named),
  });
  const html = await open(services, { job: 'job0001' });
  expect(html).toContain('No deletion names it back to this time:');
  expect(html).toContain('datetime="2026-01-02T00:00:00');
  expect(html).toContain('href="/a/acme/jobs?job=job0001&amp;page=older%2B1"');
});

test('the page of a job has one way to delete: a form that leads to the preview of this job', async () => {
  const services = partOf<Needed>({
    deletes: true,
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf({ deletionId: undefined }, pageWith()),
  });
  const html = await open(services, { job: 'job0001' });
  expect(html).toMatch(
    /<form method="post" action="\/a\/acme\/jobs\/delete"[^>]*><input type="hidden" name="csrf"[^>]*><input type="hidden" name="ids" value="job0001"/,
  );
  expect(html.match(/\/jobs\/delete/g)).toHaveLength(1);
});

const getJobTitles = () => Promise.resolve(new Map<string, string>());

describe('a page of the list', () => {
  const listed = async (page: JobsPage, query: Readonly<Record<string, string>> = {}) => {
    const asked: (string | undefined)[] = [];
    const listJobs = ({ after }: JobsQuery) => {
      asked.push(after);
      return Promise.resolve(page);
    };
    const countJobs = () => Promise.resolve(60);
    const deleter = { countJobs, listJobs, getJobTitles };
    const services = partOf<Needed>({ deleter, dayCounter: waiting(7, 2) });
    const html = await open(services, query);
    return {
      asked,
      position: />(\d+ to \d+[^<]*)</.exec(html)?.[1],
      isShown:
        /including those that wait for deletion.*Jobs by id.*Jobs that wait for deletion are not listed\./s.test(
          html,
        ),
      links: html.match(/(First|Next) jobs/g) ?? [],
    };
  };

  test.each([
    ['in the middle', { jobIds: ['job0002'], next: 'job0002' }, 'job0001', ['First jobs', 'Next jobs']],
    ['without a free job', { jobIds: [], next: 'job0025' }, undefined, ['Next jobs']],
    ['at the end', { jobIds: ['job0002'], next: undefined }, 'job0001', ['First jobs']],
    ['that is the only one', { jobIds: ['job0002'], next: undefined }, undefined, []],
  ])('%s', async (_, page, after, links) => {
    const expected = { asked: [after], isShown: true, links };
    expect(await listed(page, after === undefined ? {} : { after })).toMatchObject(expected);
  });

  test('says where it stands among all jobs that do not wait', async () => {
    const page = { jobIds: ['job0001', 'job0002'], next: 'job0002' };
    expect((await listed(page)).position).toBe('1 to 2 of 51');
    expect((await listed(page, { after: 'job0000', from: '41' })).position).toBe('41 to 42 of 51');
    expect((await listed(page, { after: 'job0000' })).position).toBeUndefined();
  });

  test('is left out if it has nothing', async () => {
    expect(await listed({ jobIds: [], next: undefined })).toMatchObject({ isShown: false, links: [] });
  });

  test.each([
    [0, false],
    [1, true],
  ])('of %d jobs offers a deletion: %s', async (jobs, isOffered) => {
    const listJobs = () => Promise.resolve({ jobIds: [], next: undefined });
    const countJobs = () => Promise.resolve(jobs);
    const html = await open(
      partOf<Needed>({
        deletes: true,
        deleter: { countJobs, listJobs, getJobTitles },
        dayCounter: waiting(),
      }),
      {},
    );
    expect(html.includes('href="/a/acme/jobs/delete"')).toBe(isOffered);
  });

  test('stays below a search for what is no id', async () => {
    const page = { jobIds: ['job0002'], next: undefined };
    expect(await listed(page, { job: 'Night nurse' })).toMatchObject({ isShown: true, asked: [undefined] });
  });

  test('is the first one for an id that no job can have', async () => {
    const { asked, links } = await listed({ jobIds: ['job0001'], next: undefined }, { after: '-' });
    expect({ asked, links }).toEqual({ asked: [undefined], links: [] });
  });
});
