import { describe, expect, test } from '@jest/globals';
import type { DeletionsPage, Job } from '../deleter/deleter-calls.ts';
import type { Deletion, DeletionState } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import { htmlOf, visitWith } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { findJob } from './find-job.ts';
import { jobPage } from './job-page.tsx';

const deletion = (id: string, state: DeletionState, keptJobCount = 0) =>
  ({ id, state, keptJobCount }) as Deletion;

/** `stored` are the deletions by id, and `named` those that the search finds. */
function deleterOf(job: Job | undefined, named: DeletionsPage, stored: readonly Deletion[] = []) {
  return {
    getJob: () => Promise.resolve(job),
    describeJobs: () =>
      Promise.resolve({
        titles: new Map(job && [['job0001', 'Night nurse, Lyon']]),
        importedAtMs: new Map(),
      }),
    getDeletion: (_: string, id: string) => Promise.resolve(stored.find((each) => each.id === id)),
    listDeletions: () => Promise.resolve(named),
  };
}

const pageWith = (...deletions: Deletion[]): DeletionsPage => ({ deletions, nextPageToken: undefined });

describe('what became of a job', () => {
  const fateOf = async (...given: Parameters<typeof deleterOf>) =>
    (await findJob(deleterOf(...given), 'acme', 'job0001', undefined))?.fate;

  test('its deletion is found, also if the search did not reach it', async () => {
    const held = { importedAtMs: 1, deletionId: 'd' };
    const inState = (state: DeletionState) => fateOf(held, pageWith(), [deletion('d', state)]);
    expect(await inState('waiting')).toMatchObject({ kind: 'waiting', by: { id: 'd' } });
    for (const state of ['accepted', 'published'] as const)
      expect(await inState(state)).toMatchObject({ kind: 'removing', by: { id: 'd' } });
  });

  test('a deletion that ends between the reads counts as it ended', async () => {
    const ended = (state: DeletionState) =>
      fateOf({ importedAtMs: 1, deletionId: 'd' }, pageWith(), [deletion('d', state)]);
    expect(await ended('completed')).toMatchObject({ kind: 'deleted', by: { id: 'd' } });
    expect(await ended('cancelled')).toEqual({ kind: 'exists' });
  });

  test('a job without a deletion exists, whatever named it before', async () => {
    const free = { importedAtMs: 1, deletionId: undefined };
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

async function open(services: Services, query: Readonly<Record<string, string>> = {}): Promise<string> {
  return htmlOf(await jobPage(visitWith(query), services, 'job0001'));
}

test('a search that has not seen every deletion says how far back it looked, and leads on', async () => {
  const named = { deletions: [], nextPageToken: 'older+1', examinedFromMs: Date.UTC(2026, 0, 2) };
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf(undefined, named),
  });
  const html = await open(services);
  expect(html).toMatch(/<dt>Searched back to<\/dt><dd><time datetime="2026-01-02T00:00:00/);
  expect(html).toContain('href="/a/acme/jobs?job=job0001&amp;page=older%2B1"');
});

test('the page of a job that no deletion names has one way to delete: a link to the preview of this job', async () => {
  const services = partOf<Services>({
    deletes: true,
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf({ importedAtMs: 1, deletionId: undefined }, pageWith()),
  });
  const html = await open(services);
  expect(html.match(/href="[^"]*\/jobs\/delete[^"]*"/g)).toEqual(['href="/a/acme/jobs/delete?job=job0001"']);
  expect(html.match(/<dt>[\w ]+/g)).toEqual(['<dt>Imported', '<dt>Deleted', '<dt>Id ', '<dt>Title']);
  expect(html).toContain('<dt>Deleted</dt><dd>not yet</dd>');
  expect(html).not.toContain('aria-current="step"');
  expect(html).toContain('No deletion on record names this job.');
});

test('the page of a job that is gone has no empty card', async () => {
  const kept = {
    ...deletion('d1', 'completed', 1),
    jobCount: 1,
    acceptedAtMs: 1,
    origin: { tokenId: '', person: 'ada' },
  };
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf(undefined, pageWith(kept as Deletion)),
  });
  const html = await open(services);
  expect(html).toContain('The deletions below name it');
  expect(html).not.toMatch(/<div class="card">(?:<dl[^>]*><\/dl>)?<\/div>/);
});

test('the page of a job that waits says what happened to it and what will, and leads to jobs with its title', async () => {
  const [importedAtMs, acceptedAtMs, removalAtMs] = [1, 2, 3].map((day) => Date.UTC(2026, 0, day));
  const by = {
    ...deletion('d1', 'waiting'),
    acceptedAtMs,
    removalAtMs,
    origin: { tokenId: '', person: 'ada' },
  };
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf({ importedAtMs: importedAtMs ?? 0, deletionId: 'd1' }, pageWith(), [by as Deletion]),
  });
  const html = await open(services);
  expect(html).toContain('A deletion will remove this job, unless somebody cancels it first.');
  const [, timeline = ''] = html.split('class="timeline"');
  const steps = timeline.matchAll(/<div(?: class="(\w+)")?[^>]*><dt>([^<]*)<\/dt><dd>.*?datetime="([^T]*)T/g);
  expect([...steps].map(([, look, name, day]) => [name, look, day])).toEqual([
    ['Imported', 'done', '2026-01-01'],
    ['Accepted', 'done', '2026-01-02'],
    ['Removal starts', undefined, '2026-01-03'],
  ]);
  expect(timeline).toContain('<dd class="muted">ada</dd>');
  expect(html).toContain('<dt>Deletion-Id</dt><dd><a href="/a/acme/activity/d1">');
  expect(html).toContain('<div class="wide"><dt>Person</dt><dd>ada</dd>');
  expect(html).toMatch(
    /<dt>Title<\/dt><dd>Night nurse, Lyon <a[^>]* href="\/a\/acme\/jobs\?find=Night\+nurse%2C\+Lyon"/,
  );
});

test('a link of the page to older deletions keeps the way back', async () => {
  const services = partOf<Services>({
    accounts: { listCredentials: () => Promise.resolve([]) },
    deleter: deleterOf(undefined, { deletions: [], nextPageToken: 'older' }),
  });
  const html = await open(services, { find: 'nurse', pages: '51:job0001' });
  expect(html).toContain('jobs?job=job0001&amp;page=older&amp;find=nurse&amp;pages=51%3Ajob0001"');
});
