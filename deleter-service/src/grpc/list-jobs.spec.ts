import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import type { JobPage, ListJobsQuery } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import { accept, acme, importJobs, jobIds, other } from '../testing/deletions.ts';
import { openStore } from '../testing/open-adapters.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createListJobs } from './list-jobs.ts';
import { serveReads } from './serve-reads.fixture.ts';
import type { TestClient } from './test-client.ts';

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

test('two lists run at a time, accounts round robin, and lists beyond the queue are refused', async () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const listJobs = createListJobs({
    listJobs: ({ accountId }: ListJobsQuery) => {
      started.push(accountId);
      return new Promise<JobPage>((resolve) => ends.push(() => resolve({ jobIds: [], next: undefined })));
    },
  });
  const list = (accountId: string) => listJobs({ accountId, after: '', limit: 1 });
  const ofAcme = Array.from({ length: 202 }, () => list(acme));
  const ofOther = list(other);
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
