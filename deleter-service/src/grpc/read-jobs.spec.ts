import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { JobPage, ListJobsQuery } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import type { ReceiptPage } from '../store/receipt-store.ts';
import { accept, acme, importJobs, jobIds, other } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createJobMethods } from './read-jobs.ts';
import { serveReads } from './serve-reads.fixture.ts';
import type { TestClient } from './testing/test-client.ts';

const newPath = temporaryFolder();
const longIds = Array.from({ length: 10_000 }, (_, index) => `z${String(index).padStart(127, '0')}`);

let store: Store;
let stop: () => Promise<void>;
let client: TestClient;
beforeAll(async () => {
  store = openStore(newPath());
  ({ client, stop } = await serveReads(store));
  await importJobs(store, acme, jobIds(1_500));
  await importJobs(store, acme, longIds);
  await importJobs(store, other, ['theirs01']);
  await accept(store, ['job0001']);
});
afterAll(() => stop());

test('lists an account by pages of 1,000, without jobs that are accepted for deletion', async () => {
  const first = await client.listJobs({ accountId: acme });
  expect(first).toEqual({ jobIds: ['job0000', ...jobIds(999, 2)], next: 'job1000' });
  expect(await client.listJobs({ accountId: other })).toEqual({ jobIds: ['theirs01'], next: '' });
  expect(await client.listJobs({ accountId: 'unknown' })).toEqual({ jobIds: [], next: '' });
});

test('10,000 ids of 128 characters are one page', async () => {
  expect(await client.listJobs({ accountId: acme, after: 'job1499', limit: 10_000 })).toEqual({
    jobIds: longIds,
    next: '',
  });
});

test.each([
  ['account_id', { after: 'a' }],
  ['limit', { accountId: acme, limit: 10_001 }],
])('INVALID_ARGUMENT for a bad %s', async (field, request) => {
  await expect(client.listJobs(request)).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    violations: [{ field }],
  });
});

test('GetJob returns a job and the deletion that will remove it', async () => {
  const message = { id: 'job0000', accountId: acme, importedAtMs: 1, deletionId: '' };
  expect(await client.getJob({ accountId: acme, jobId: 'job0000' })).toEqual(message);
  const deletionId = (await store.findJob(acme, 'job0001'))?.deletionId;
  expect(deletionId).toBeDefined();
  expect(await client.getJob({ accountId: acme, jobId: 'job0001' })).toEqual({
    ...message,
    id: 'job0001',
    deletionId,
  });
});

test('GetJobTitles returns the titles and the import times of the jobs of the account', async () => {
  // Every object has a property `constructor`.
  const titled = ['titled01', 'constructor'].map((id) => ({ id, posting: { title: `Baker ${id}` } }));
  const account = 'titled';
  await store.importJobs(account, titled, 1);
  await store.importJobs('untitled', [{ id: 'theirs02', posting: { title: 'Theirs' } }], 1);
  const named = ['titled01', 'constructor', 'job0000', 'theirs02', 'unknown01'];
  const { titles, importedAtMs } = await client.getJobTitles({ accountId: account, jobIds: named });
  expect({ ...titles }).toEqual({ titled01: 'Baker titled01', constructor: 'Baker constructor' });
  expect({ ...importedAtMs }).toEqual({ titled01: 1, constructor: 1 });
});

test('SearchJobs finds the jobs of the account', async () => {
  // A busy machine examines fewer jobs in one call.
  const search = async (accountId: string, after = ''): Promise<unknown[]> => {
    const { jobs, next } = await client.searchJobs({ accountId, text: 'JOB07 0700', after });
    return next === '' ? jobs : [...jobs, ...(await search(accountId, next))];
  };
  expect(await search(acme)).toEqual([{ id: 'job0700', title: 'Title of job0700', importedAtMs: 1 }]);
  expect(await search(other)).toEqual([]);
});

test("GetJob answers NOT_FOUND for another account's job as for none", async () => {
  for (const jobId of ['theirs01', 'unknown01'])
    await expect(client.getJob({ accountId: acme, jobId })).rejects.toMatchObject({
      code: status.NOT_FOUND,
      message: 'The job was not found.',
      resources: [{ resourceType: 'job', resourceName: jobId }],
    });
});

test('CountJobs counts the jobs of one account, with those that are accepted for deletion', async () => {
  expect(await client.countJobs({ accountId: acme })).toEqual({ jobs: 11_500 });
  expect(await client.countJobs({ accountId: other })).toEqual({ jobs: 1 });
  expect(await client.countJobs({ accountId: 'unknown' })).toEqual({ jobs: 0 });
});

test('ListDeletions finds the deletions that name a job, and how far back it has looked', async () => {
  await importJobs(store, 'search', jobIds(3));
  const ids: string[] = [];
  for (const [index, id] of jobIds(3).entries())
    ids.push((await accept(store, [id], { accountId: 'search', acceptedAtMs: 100 + index })).id);
  const search = { accountId: 'search', jobId: 'job0001' };
  expect(await client.listDeletions(search)).toMatchObject({
    deletions: [{ id: ids[1] }],
    nextPageToken: '',
    examinedFromMs: 0,
  });
  const first = await client.listDeletions({ accountId: 'search', pageSize: 2 });
  expect([first.nextPageToken === '', first.examinedFromMs]).toEqual([false, 101]);
});

test.each<[field: string, method: string, call: () => Promise<unknown>]>([
  ['account_id', 'GetJob', () => client.getJob({ jobId: 'job0000' })],
  ['job_id', 'GetJob', () => client.getJob({ accountId: acme, jobId: 'a b c' })],
  ['account_id', 'GetJobTitles', () => client.getJobTitles({ jobIds: ['job0000'] })],
  ['job_ids', 'GetJobTitles', () => client.getJobTitles({ accountId: acme, jobIds: jobIds(101) })],
  ['account_id', 'SearchJobs', () => client.searchJobs({ text: 'nurse' })],
  ['text', 'SearchJobs', () => client.searchJobs({ accountId: acme, text: ' ' })],
  ['text', 'SearchJobs', () => client.searchJobs({ accountId: acme, text: 'x'.repeat(201) })],
  ['limit', 'SearchJobs', () => client.searchJobs({ accountId: acme, text: 'nurse', limit: 101 })],
  ['account_id', 'CountJobs', () => client.countJobs({})],
  ['job_id', 'ListDeletions', () => client.listDeletions({ accountId: acme, jobId: 'abc' })],
])('INVALID_ARGUMENT for a bad %s of %s', async (field, _, call) => {
  await expect(call()).rejects.toMatchObject({ code: status.INVALID_ARGUMENT, violations: [{ field }] });
});

describe.each(['lists', 'counts and searches'])('%s', (kind) => {
  test('run two at a time, accounts round robin, and those beyond the queue are refused', async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const starting =
      <Result>(result: Result) =>
      (accountId: string) => {
        started.push(accountId);
        return new Promise<Result>((resolve) => ends.push(() => resolve(result)));
      };
    const [listed, counted, searched] = [
      starting<JobPage>({ jobIds: [], next: undefined }),
      starting(5),
      starting<ReceiptPage>({ deletions: [], next: undefined }),
    ];
    const methods = createJobMethods({
      ...store,
      listJobs: ({ accountId }: ListJobsQuery) => listed(accountId),
      countJobs: (accountId) => counted(accountId ?? ''),
      listDeletions: ({ accountId }) => searched(accountId ?? ''),
    });
    const search = {
      pageSize: 1,
      pageToken: '',
      state: 'DELETION_STATE_UNSPECIFIED',
      jobId: 'job0000',
    } as const;
    const times = { acceptedFromMs: 0, acceptedToMs: 0, tokenId: '' };
    const read = (accountId: string, index: number): Promise<unknown> => {
      if (kind === 'lists') return methods.listJobs({ accountId, after: '', limit: 1 });
      if (index % 2 === 0) return methods.countJobs({ accountId });
      return methods.listDeletions({ accountId, ...search, ...times });
    };
    const ofAcme = Array.from({ length: 202 }, (_, index) => read(acme, index));
    const ofOther = read(other, 0);
    const refused = await Promise.allSettled([ofAcme.at(-1)]);
    expect(refused).toMatchObject([{ status: 'rejected', reason: { code: status.RESOURCE_EXHAUSTED } }]);
    expect(started).toEqual([acme, acme]);
    while (started.length < 202) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    for (const end of ends) end();
    expect(started.slice(0, 5)).toContain(other);
    await ofOther;
    await Promise.allSettled(ofAcme);
  });
});
