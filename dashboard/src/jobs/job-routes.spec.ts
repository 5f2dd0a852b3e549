import { describe, expect, test } from '@jest/globals';
import { Fault } from '@jobs-delete/runtime/fault';
import type { DeletionsPage, Job, JobsPage, JobsQuery, DescribedJobsPage } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Reply } from '../web/route.ts';
import { htmlOf, visitWith } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { jobRoutes, type Needed } from './job-routes.tsx';

const dayCounter = { count: () => Promise.resolve({ days: [], retentionMs: undefined }) };

/** Answers for this query. */
async function serve(services: Partial<Needed>, query: Readonly<Record<string, string>>): Promise<Reply> {
  const [route] = jobRoutes(partOf<Needed>({ dayCounter, ...services }));
  const reply = await route?.serve(visitWith(query));
  if (reply === undefined) throw new Error('there is no route');
  return reply;
}

async function open(services: Needed, query: Readonly<Record<string, string>>): Promise<string> {
  return htmlOf(await serve(services, query));
}

const describeJobs = () =>
  Promise.resolve({ titles: new Map<string, string>(), importedAtMs: new Map<string, number>() });
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
    const html = await open(partOf<Needed>({ deleter: { countJobs, listJobs, describeJobs } }), query);
    return {
      html,
      asked,
      position: />(\d+ to \d+[^<]*)</.exec(html)?.[1],
      isShown: html.includes('<h2 id="list-heading">60 jobs</h2>'),
      ways: waysOf(html),
    };
  };

  test('says the order of its jobs', async () => {
    const { html } = await listed({ jobIds: ['job0001', 'job0002'], next: undefined });
    expect(html).toContain('60 jobs</h2><span class="muted">Ordered by id</span>');
  });

  const all = ['First jobs', 'Previous jobs', 'Next jobs'];
  test.each([
    ['in the middle', { jobIds: ['job0002'], next: 'job0002' }, '1: 51:job0001', 'job0001', all],
    [
      'without those before it',
      { jobIds: ['job0002'], next: undefined },
      '51:job0001',
      'job0001',
      all.slice(0, 1),
    ],
    ['without a free job', { jobIds: [], next: 'job0025' }, '', '', all.slice(2)],
    ['at the end', { jobIds: ['job0002'], next: undefined }, '1: 51:job0001', 'job0001', all.slice(0, 2)],
    ['that is the only one', { jobIds: ['job0002'], next: undefined }, '', '', []],
  ])('%s', async (_, page, pages, after, ways) => {
    expect(await listed(page, { pages })).toMatchObject({ asked: [after], isShown: true, ways });
  });

  test('says where it stands, and leads to the pages before and after', async () => {
    const page = { jobIds: ['job0003', 'job0004'], next: 'job0004' };
    expect((await listed(page)).position).toBe('1 to 2');
    expect((await listed({ ...page, next: undefined })).position).toBeUndefined();
    const { html, position } = await listed(page, { pages: '1: 51:job0001 101:job0002' });
    expect(position).toBe('101 to 102');
    expect(linkQuery(html, 'First jobs')).toEqual({});
    expect(linkQuery(html, 'Previous jobs')).toEqual({ pages: '1: 51:job0001' });
    expect(linkQuery(html, 'Next jobs')).toEqual({ pages: '1: 51:job0001 101:job0002 103:job0004' });
  });

  test('leads back to itself from each of its jobs', async () => {
    const page = { jobIds: ['job0003'], next: 'job0003' };
    const { html } = await listed(page, { pages: '1: 51:job0001 101:job0002' });
    expect(html).toContain('href="/a/acme/jobs?job=job0003&amp;pages=51%3Ajob0001+101%3Ajob0002"');
  });

  test('leads to the jobs that wait for deletion, also if none of them is counted', async () => {
    const deleter = {
      countJobs: () => Promise.resolve(1_363),
      listJobs: () => Promise.resolve({ jobIds: [], next: 'job0001' }),
      describeJobs,
    };
    const states = [{ state: 'waiting' as const, deletions: 2, jobs: 1_303 }];
    const day = { dayMs: 0, deletions: 2, jobsAccepted: 1_303, jobsRemoved: 0, states };
    const count = () => Promise.resolve({ days: [day], retentionMs: undefined });
    const segments = async (query: Readonly<Record<string, string>>, counter: Needed['dayCounter']) =>
      /<p class="periods".*?<\/p>/s
        .exec(await open(partOf<Needed>({ deleter, dayCounter: counter }), query))?.[0]
        .replaceAll(/<\/?p[^>]*>/g, '');
    const known =
      '<a href="/a/acme/jobs" aria-current="true" id="list-heading">Active 60</a><a href="/a/acme/jobs?show=waiting">Waiting for deletion 1,303</a>';
    expect(await segments({}, { count })).toBe(known);
    expect(await segments({ show: 'nonsense' }, { count })).toBe(known);
    const away = { count: () => Promise.reject(new Fault('unavailable', 'away')) };
    expect(await segments({}, away)).toBe(known.replace(' 60', '').replace(' 1,303', ''));
  });

  test('says that its figures are not counted yet', async () => {
    const never = () => new Promise<never>(() => undefined);
    const listJobs = () => Promise.resolve({ jobIds: ['job0001'], next: undefined });
    const deleter = { countJobs: never, listJobs, describeJobs };
    const html = await open(partOf<Needed>({ deleter, dayCounter: { count: never } }), {});
    expect(html).toMatch(
      />Waiting for deletion<\/a><\/p><span class="muted">Not counted at the moment. Reload the page.</,
    );
    expect(html).toContain('job=job0001');
    const half = { deleter: { ...deleter, countJobs }, dayCounter: { count: never } };
    expect(await open(partOf<Needed>(half), {})).toContain('Not counted at the moment. Reload the page.');
  });

  test('that no api answers says so', async () => {
    const listJobs = () => Promise.reject(new Fault('unavailable', 'away'));
    const reply = await serve(partOf<Needed>({ deleter: { countJobs, listJobs, describeJobs } }), {});
    expect(reply).toMatchObject({ kind: 'page', status: 503 });
    expect(reply.kind === 'page' && htmlOf(reply)).toContain('The jobs can’t be listed at the moment.');
  });

  test('leads to the first page from the second one', async () => {
    const { html } = await listed({ jobIds: ['job0003'], next: undefined }, { pages: '1: 51:job0002' });
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
    const later = await listed(nothing, { pages: '1: 51:job0001' });
    expect([later.ways, later.html.includes('This page has no jobs.')]).toEqual([all.slice(0, 2), true]);
    expect((await listed(nothing, { pages: '51:job0001' })).ways).toEqual(all.slice(0, 1));
  });

  test.each([
    [0, false],
    [1, true],
  ])('of %d jobs offers a search and a deletion: %s', async (jobs, isOffered) => {
    const listJobs = () => Promise.resolve({ jobIds: [], next: undefined });
    const deleter = { countJobs: () => Promise.resolve(jobs), listJobs, describeJobs };
    const html = await open(partOf<Needed>({ deletes: true, deleter }), {});
    expect(html.includes('href="/a/acme/jobs/delete"')).toBe(isOffered);
    expect(html.includes('name="find"')).toBe(isOffered);
  });

  test.each(['-', '51:-', '51:job0001x-', '-1:job0001'])(
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
    found: DescribedJobsPage | undefined,
    { job, deletions = [] }: { readonly job?: Job; readonly deletions?: readonly Deletion[] } = {},
  ) => {
    const asked: unknown[] = [];
    const services = partOf<Needed>({
      deletes: true,
      deleter: {
        countJobs,
        getJob: () => Promise.resolve(job),
        listDeletions: () => Promise.resolve(partOf<DeletionsPage>({ deletions })),
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
  const none = { jobIds: [], titles: new Map(), importedAtMs: new Map(), next: undefined };
  const nurse = {
    jobIds: ['NURSE001'],
    titles: new Map([['NURSE001', 'Night nurse']]),
    importedAtMs: new Map([['NURSE001', Date.UTC(2026, 0, 15)]]),
    next: undefined,
  };

  test('says when each job was imported', async () => {
    const { html } = await search({ find: 'nurse' }, nurse);
    expect(html).toMatch(/<td class="detail" [^>]*data-label="Imported"><time [^>]*>15 Jan 2026/);
  });

  test('shows the jobs that it finds, with boxes for a deletion', async () => {
    const { asked, html } = await search({ find: ' night nurse ' }, nurse);
    expect(asked).toEqual([{ accountId: 'acme', text: 'night nurse', limit: 50, after: '' }]);
    expect(html).toMatch(/>1 job with “night nurse”<.*name="ids" value="NURSE001".*<bdi>Night nurse</s);
    expect(html).toContain('value="night nurse"');
    expect(waysOf(html)).toEqual([]);
  });

  test('says how many it finds from the first page on, or at least', async () => {
    const next = { ...nurse, next: 'NURSE001' };
    const headingOf = async (found: DescribedJobsPage, pages = '') => {
      const { html } = await search({ find: 'a nurse', pages }, found);
      return /<h2 id="list-heading">([^<]*)</.exec(html)?.[1];
    };
    expect(await headingOf(nurse, '1: 51:NURSE000')).toBe('51 jobs with “a nurse”');
    expect(await headingOf(next)).toBe('At least 1 job with “a nurse”');
  });

  test('keeps its words from page to page', async () => {
    const { asked, html } = await search(
      { find: 'night & day', pages: '1: 51:job0001' },
      { ...nurse, next: 'x123' },
    );
    expect(asked).toMatchObject([{ after: 'job0001' }]);
    expect(linkQuery(html, 'Previous jobs')).toEqual({ find: 'night & day' });
    expect(linkQuery(html, 'First jobs')).toEqual({ find: 'night & day' });
    expect(html).toContain('href="/a/acme/jobs">Show all jobs<');
    expect(linkQuery(html, 'Next jobs')).toEqual({ find: 'night & day', pages: '1: 51:job0001 52:x123' });
  });

  test('without a hit says so, or that it goes on', async () => {
    const { html: nothing } = await search({ find: 'night nurse' }, none);
    expect(nothing).toContain('No job has these words');
    expect(nothing).toContain('href="/a/acme/jobs">Show all jobs<');
    const { html } = await search({ find: 'night nurse' }, { ...none, next: 'job0099' });
    expect(html).toContain('None of the jobs searched so far has these words.');
    expect(linkQuery(html, 'Next jobs')).toEqual({ find: 'night nurse', pages: '1: 1:job0099' });
  });

  test('of a whole id leads to the job, also if no job has it', async () => {
    const redirect = { kind: 'redirect', to: '/a/acme/jobs?job=NURSE001' };
    const present = await search({ find: 'NURSE001' }, nurse, {
      job: { importedAtMs: 1, deletionId: undefined },
    });
    expect(present).toMatchObject({ asked: [], reply: redirect });
    expect((await search({ find: 'NURSE001' }, none)).reply).toEqual(redirect);
    expect((await search({ find: 'nurse' }, nurse)).html).toContain('value="NURSE001"');
  });

  test('of a word that no job has leads to the job only if a deletion names it', async () => {
    const { reply } = await search({ find: 'Boulanger' }, none, { deletions: [partOf<Deletion>({})] });
    expect(reply).toEqual({ kind: 'redirect', to: '/a/acme/jobs?job=Boulanger' });
    const { html } = await search({ find: 'Boulanger' }, none);
    expect(html).toContain('No job has these words in its title or id.');
    expect(html).toContain('href="/a/acme/jobs?job=Boulanger">Look for the id Boulanger');
  });

  test('of what may be an id leads to this job from any page', async () => {
    const link = 'href="/a/acme/jobs?job=NURSE001">Look for the id NURSE001, also among deleted jobs<';
    for (const found of [nurse, { ...none, next: 'job0099' }])
      expect((await search({ find: 'NURSE001' }, found)).html).toContain(link);
    expect((await search({ find: 'night nurse' }, nurse)).html).not.toContain('Look for the id');
  });

  test('that ends after other pages does not say that there is no job', async () => {
    const { html } = await search({ find: 'night nurse', pages: '1: 51:job0001' }, none);
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
