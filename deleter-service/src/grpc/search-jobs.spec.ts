import { beforeAll, expect, test } from '@jest/globals';
import type { JobPosting } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, jobIds, other } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { searchJobs } from './search-jobs.ts';

const newPath = temporaryFolder();

let store: Store;
beforeAll(async () => {
  store = openStore(newPath());
  const titled = (id: string, title: string): JobPosting => ({ id, posting: { title } });
  const postings = [
    titled('NURSE001', 'Night nurse, Lyon'),
    titled('NURSE002', 'Nurse, Paris'),
    titled('WELD0001', 'Soudeur à l’arc, Saint-Étienne'),
    titled('WELD0002', 'Señor welder (100 %)'),
    { id: 'plain001', posting: {} },
    titled('works001', 'Œuvre, Straße 1'),
  ];
  await store.importJobs(acme, postings, 1);
  await store.importJobs(other, [titled('NURSE009', 'Night nurse of another account')], 1);
});

const find = async (text: string, options: { after?: string; limit?: number } = {}) =>
  searchJobs(store, { accountId: acme, text, after: '', limit: 0, ...options });
const idsOf = async (text: string) => (await find(text)).jobs?.map(({ id }) => id);

test.each([
  ['nurse', ['NURSE001', 'NURSE002']],
  ['  lyon   NIGHT ', ['NURSE001']],
  ['saint-etienne', ['WELD0001']],
  ['SOUDEUR À', ['WELD0001']],
  ['senor', ['WELD0002']],
  ['100 %', ['WELD0002']],
  ["l'arc", ['WELD0001']],
  ['oeuvre STRASSE', ['works001']],
  ['0001', ['WELD0001']],
  ['weld0 arc', ['WELD0001']],
  ['plain', ['plain001']],
  ['.*', []],
  ['nurse welder', []],
])('“%s” finds %j', async (text, ids) => {
  expect(await idsOf(text)).toEqual(ids);
});

test('a found job has its title, and none is empty', async () => {
  expect(await find('001')).toEqual({
    jobs: [
      { id: 'NURSE001', title: 'Night nurse, Lyon', importedAtMs: 1 },
      { id: 'WELD0001', title: 'Soudeur à l’arc, Saint-Étienne', importedAtMs: 1 },
      { id: 'plain001', title: '', importedAtMs: 1 },
      { id: 'works001', title: 'Œuvre, Straße 1', importedAtMs: 1 },
    ],
    next: '',
  });
});

test('pages continue after the last job, and the last page says so', async () => {
  expect(await find('nurse', { limit: 1 })).toMatchObject({ jobs: [{ id: 'NURSE001' }], next: 'NURSE001' });
  expect(await find('nurse', { limit: 1, after: 'NURSE001' })).toMatchObject({
    jobs: [{ id: 'NURSE002' }],
    next: '',
  });
});

test('jobs that are accepted for deletion are left out', async () => {
  await store.importJobs('leaving', [{ id: 'Leaving1', posting: { title: 'Baker' } }], 1);
  await accept(store, ['Leaving1'], { accountId: 'leaving' });
  const found = await searchJobs(store, { accountId: 'leaving', text: 'baker', after: '', limit: 0 });
  expect(found).toEqual({ jobs: [], next: '' });
});

test('a search that takes long answers with what it has, and the next one goes on there', async () => {
  const postings = jobIds(2_500).map((id) => ({ id, posting: { title: 'Cook' } }));
  await store.importJobs('large', postings, 1);
  const question = { accountId: 'large', text: 'job2', limit: 0 };
  let readings = 0;
  // Each reading of the clock is 600 ms later.
  const part = await searchJobs(store, { ...question, after: '' }, () => 600 * readings++);
  expect(part).toEqual({ jobs: [], next: 'job1999' });
  const rest = await searchJobs(store, { ...question, after: part.next ?? '' });
  expect(rest.jobs).toHaveLength(100);
  expect([rest.jobs?.[0]?.id, rest.next]).toEqual(['job2000', 'job2099']);
});
