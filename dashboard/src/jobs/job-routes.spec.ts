import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import { Fragment, h } from 'preact';
import { render } from 'preact-render-to-string';
import type { DeletionsPage, Job, JobsPage, JobsQuery, TitledJobsPage } from '../deleter/deleter-calls.ts';
import type { Deletion, DeletionState } from '../deleter/deletion.ts';
import type { MemberVisit, Reply, ReplyOf } from '../web/route.ts';
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

/** Answers for this query. */
async function serve(services: Needed, query: Readonly<Record<string, string>>): Promise<Reply> {
  const [route] = jobRoutes(services);
  const visit = {
    accountId: 'acme',
    language: 'en',
    role: 'manager',
    nowMs: 0,
    query: new URLSearchParams(query),
  };
  const reply = await route?.serve(visit as MemberVisit);
  if (reply === undefined) throw new Error('there is no route');
  return reply;
}

const htmlOf = ({ action, body }: ReplyOf<'page'>) => render(h(Fragment, null, action, body));

async function open(services: Needed, query: Readonly<Record<string, string>>): Promise<string> {
  const reply = await serve(services, query);
  if (reply.kind !== 'page') throw new Error('the reply is no page');
  return htmlOf(reply);
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

test('the page of a job has one way to delete: a link to the preview of this job', async () => {
  const services = partOf<Needed>({
    deletes: true,
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf({ deletionId: undefined }, pageWith()),
  });
  const html = await open(services, { job: 'job0001' });
  expect(html.match(/href="[^"]*\/jobs\/delete[^"]*"/g)).toEqual(['href="/a/acme/jobs/delete?job=job0001"']);
});

const getJobTitles = () => Promise.resolve(new Map<string, string>());
const countJobs = () => Promise.resolve(60);
const waysOf = (html: string) => html.match(/(First|Previous|Next) jobs/g) ?? [];
/** Returns the query of the link with this text. */
const linkQuery = (html: string, text: string) => {
  const [, query = ''] = new RegExp(`href="/a/acme/jobs\\??([^"]*)">${text}<`).exec(html) ?? [];
  return Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
};

describe('a page of the list', () => {
  const listed = async (page: JobsPage, query: Readonly<Record<string, string>> = {}) => {
    const asked: (string | undefined)[] = [];
    const listJobs = ({ after }: JobsQuery) => {
      asked.push(after);
      return Promise.resolve(page);
    };
    const html = await open(partOf<Needed>({ deleter: { countJobs, listJobs, getJobTitles } }), query);
    return {
      html,
      asked,
      position: />(\d+ to \d+[^<]*)</.exec(html)?.[1],
      isShown:
        /including those that wait for deletion.*Jobs by id.*Jobs that wait for deletion are not listed\./s.test(
          html,
        ),
      ways: waysOf(html),
    };
  };

  const all = ['First jobs', 'Previous jobs', 'Next jobs'];
  test.each([
    ['in the middle', { jobIds: ['job0002'], next: 'job0002' }, '1: 61:job0001', 'job0001', all],
    [
      'without those before it',
      { jobIds: ['job0002'], next: undefined },
      '61:job0001',
      'job0001',
      all.slice(0, 1),
    ],
    ['without a free job', { jobIds: [], next: 'job0025' }, '', '', all.slice(2)],
    ['at the end', { jobIds: ['job0002'], next: undefined }, '1: 61:job0001', 'job0001', all.slice(0, 2)],
    ['that is the only one', { jobIds: ['job0002'], next: undefined }, '', '', []],
  ])('%s', async (_, page, pages, after, ways) => {
    expect(await listed(page, { pages })).toMatchObject({ asked: [after], isShown: true, ways });
  });

  test('says where it stands, and leads to the pages before and after', async () => {
    const page = { jobIds: ['job0003', 'job0004'], next: 'job0004' };
    expect((await listed(page)).position).toBe('1 to 2');
    const { html, position } = await listed(page, { pages: '1: 61:job0001 121:job0002' });
    expect(position).toBe('121 to 122');
    expect(linkQuery(html, 'First jobs')).toEqual({});
    expect(linkQuery(html, 'Previous jobs')).toEqual({ pages: '1: 61:job0001' });
    expect(linkQuery(html, 'Next jobs')).toEqual({ pages: '1: 61:job0001 121:job0002 123:job0004' });
  });

  test('leads to the first page from the second one', async () => {
    const { html } = await listed({ jobIds: ['job0003'], next: undefined }, { pages: '1: 61:job0002' });
    expect(linkQuery(html, 'Previous jobs')).toEqual({});
  });

  test('forgets the pages long before it', async () => {
    const idOf = (page: number) => String(page).padStart(128, 'a');
    const pages = ['1:', ...Array.from({ length: 40 }, (_, page) => `${String(page)}:${idOf(page)}`)].join(
      ' ',
    );
    const { html } = await listed({ jobIds: ['job0002'], next: 'job0002' }, { pages });
    const { pages: next = '' } = linkQuery(html, 'Next jobs');
    expect([next.length < 3_800, next.startsWith('1:'), next.endsWith(' 40:job0002')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('is left out if it has nothing, but leads back from a later page', async () => {
    const nothing = { jobIds: [], next: undefined };
    expect(await listed(nothing)).toMatchObject({ isShown: false, ways: [] });
    const later = await listed(nothing, { pages: '1: 61:job0001' });
    expect([later.ways, later.html.includes('This page has no jobs.')]).toEqual([all.slice(0, 2), true]);
    expect((await listed(nothing, { pages: '61:job0001' })).ways).toEqual(all.slice(0, 1));
  });

  test.each([
    [0, false],
    [1, true],
  ])('of %d jobs offers a deletion: %s', async (jobs, isOffered) => {
    const listJobs = () => Promise.resolve({ jobIds: [], next: undefined });
    const deleter = { countJobs: () => Promise.resolve(jobs), listJobs, getJobTitles };
    const html = await open(partOf<Needed>({ deletes: true, deleter }), {});
    expect(html.includes('href="/a/acme/jobs/delete"')).toBe(isOffered);
  });

  test.each(['-', '61:-', '61:job0001x-', '-1:job0001'])(
    'is the first one for the pages %s',
    async (pages) => {
      const { asked, ways } = await listed({ jobIds: ['job0001'], next: undefined }, { pages });
      expect({ asked, ways }).toEqual({ asked: [''], ways: [] });
    },
  );
});

describe('a search', () => {
  const search = async (
    query: Readonly<Record<string, string>>,
    found: TitledJobsPage | undefined,
    job?: Job,
  ) => {
    const asked: unknown[] = [];
    const services = partOf<Needed>({
      deletes: true,
      deleter: {
        countJobs,
        getJob: () => Promise.resolve(job),
        searchJobs: (question) => {
          asked.push(question);
          return found === undefined
            ? Promise.reject(new Fault('unavailable', 'away'))
            : Promise.resolve(found);
        },
      },
    });
    const reply = await serve(services, query);
    return { asked, reply, html: reply.kind === 'page' ? htmlOf(reply) : '' };
  };
  const none = { jobIds: [], titles: new Map<string, string>(), next: undefined };
  const nurse = { jobIds: ['NURSE001'], titles: new Map([['NURSE001', 'Night nurse']]), next: undefined };

  test('shows the jobs that it finds, with boxes for a deletion', async () => {
    const { asked, html } = await search({ find: ' night nurse ' }, nurse);
    expect(asked).toEqual([{ accountId: 'acme', text: 'night nurse', limit: 60, after: '' }]);
    expect(html).toMatch(/Jobs with “night nurse”.*name="ids" value="NURSE001".*<bdi [^>]*>Night nurse</s);
    expect(html).toContain('value="night nurse"');
    expect(waysOf(html)).toEqual([]);
  });

  test('keeps its words from page to page', async () => {
    const { asked, html } = await search(
      { find: 'night & day', pages: '1: 61:job0001' },
      { ...nurse, next: 'x123' },
    );
    expect(asked).toMatchObject([{ after: 'job0001' }]);
    expect(linkQuery(html, 'Previous jobs')).toEqual({ find: 'night & day' });
    expect(linkQuery(html, 'First jobs')).toEqual({ find: 'night & day' });
    expect(linkQuery(html, 'Next jobs')).toEqual({ find: 'night & day', pages: '1: 61:job0001 62:x123' });
  });

  test('without a hit says so, or that it goes on', async () => {
    expect((await search({ find: 'night nurse' }, none)).html).toContain('No job has these words');
    const { html } = await search({ find: 'night nurse' }, { ...none, next: 'job0099' });
    expect(html).toContain('None of the jobs searched so far has these words.');
    expect(linkQuery(html, 'Next jobs')).toEqual({ find: 'night nurse', pages: '1: 1:job0099' });
  });

  test('of a whole id leads to the job, also if no job has it', async () => {
    const redirect = { kind: 'redirect', to: '/a/acme/jobs?job=NURSE001' };
    const present = await search({ find: 'NURSE001' }, nurse, { deletionId: undefined });
    expect(present).toMatchObject({ asked: [], reply: redirect });
    expect((await search({ find: 'NURSE001' }, none)).reply).toEqual(redirect);
    expect((await search({ find: 'nurse' }, nurse)).html).toContain('value="NURSE001"');
  });

  test('of what may be an id leads to this job from any page', async () => {
    const link = 'href="/a/acme/jobs?job=NURSE001">See what became of the job with the id NURSE001<';
    for (const found of [nurse, { ...none, next: 'job0099' }])
      expect((await search({ find: 'NURSE001' }, found)).html).toContain(link);
    expect((await search({ find: 'night nurse' }, nurse)).html).not.toContain('See what became');
  });

  test('that ends after other pages does not say that there is no job', async () => {
    const { html } = await search({ find: 'night nurse', pages: '1: 61:job0001' }, none);
    expect(html).toContain('No more jobs have these words.');
    expect(html).not.toContain('No job has');
  });

  test('that no api answers says so, and for what is no id in an address, searches it', async () => {
    const { reply, html } = await search({ find: 'night nurse' }, undefined);
    expect(reply).toMatchObject({ status: 503 });
    expect(html).toContain('The jobs can’t be searched at the moment.');
    expect((await search({ job: 'night nurse' }, none)).asked).toMatchObject([{ text: 'night nurse' }]);
  });

  test('has at most 200 characters', async () => {
    const { asked } = await search({ find: 'x '.repeat(150) }, none);
    expect(asked).toMatchObject([{ text: 'x '.repeat(150).slice(0, 200) }]);
  });
});
