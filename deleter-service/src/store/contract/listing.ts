import { expect, test } from '@jest/globals';
import {
  accept,
  acceptAll,
  acceptRequest,
  acme,
  importJobs,
  jobIds,
  other,
  partsOf,
  removeAndRecord,
} from '../../testing/deletions.ts';
import type { ContractContext } from './store.contract.ts';
import type { Store } from '../store.ts';

export function listingCases({ store }: ContractContext): void {
  const page = (after: string, limit: number, maxClaimed?: number) =>
    store().listJobs({ accountId: acme, after, limit, maxClaimed });

  test('an account without jobs has an empty page', async () => {
    await importJobs(store(), other, ['theirs1']);
    expect(await page('', 10)).toEqual({ jobIds: [], next: undefined });
  });

  test('a title is a text on one line of at most 200 characters, and only of the account', async () => {
    const titles: Record<string, unknown> = {
      text1: 'Développeur « full-stack » 👩‍💻',
      lines1: ' Night\n\tnurse\0 ',
      long1: '𝕏'.repeat(300),
      blank1: ' ',
      number1: 5,
      nested1: { en: 'Baker' },
      none1: undefined,
    };
    const jobs = Object.entries(titles).map(([id, title]) => ({ id, posting: { title } }));
    await store().importJobs(acme, jobs, 1);
    await store().importJobs(other, [{ id: 'theirs1', posting: { title: 'Theirs' } }], 1);
    const found = await store().describeJobs(acme, [...Object.keys(titles), 'theirs1', 'unknown']);
    expect(Object.fromEntries([...found].map(([id, { title }]) => [id, title]))).toEqual({
      text1: titles.text1,
      lines1: 'Night nurse',
      long1: '𝕏'.repeat(200),
      blank1: '',
      number1: '',
      nested1: '',
      none1: '',
    });
  });

  test('the time of an import is known for the jobs of the account only', async () => {
    await store().importJobs(acme, [{ id: 'first1', posting: {} }], 1_000);
    await store().importJobs(acme, [{ id: 'later1', posting: {} }], 2_000);
    await store().importJobs(other, [{ id: 'theirs1', posting: {} }], 1_000);
    const found = await store().describeJobs(acme, ['later1', 'first1', 'theirs1', 'unknown']);
    expect(Object.fromEntries(found)).toEqual({
      first1: { title: '', importedAtMs: 1_000 },
      later1: { title: '', importedAtMs: 2_000 },
    });
  });

  test('jobs are in the order of the bytes of their ids', async () => {
    const ids = ['Zulu', 'alpha', '1st1', 'ALPHA', 'alph', 'alpha0', 'zulu', '10th'];
    await importJobs(store(), acme, ids);
    const sorted = ['10th', '1st1', 'ALPHA', 'Zulu', 'alph', 'alpha', 'alpha0', 'zulu'];
    expect(await page('', 10)).toEqual({ jobIds: sorted, next: undefined });
    // The id need not exist.
    expect((await page('alp', 10)).jobIds).toEqual(sorted.slice(4));
    expect((await page('alpha', 1)).jobIds).toEqual(['alpha0']);
    expect((await page('a', 10)).jobIds).toEqual((await page('Zulv', 10)).jobIds);
  });

  test('next is missing exactly at the end', async () => {
    await importJobs(store(), acme, jobIds(6));
    await importJobs(store(), other, jobIds(9));
    expect(await page('', 5)).toEqual({ jobIds: jobIds(5), next: 'job0004' });
    expect(await page('job0004', 5)).toEqual({ jobIds: ['job0005'], next: undefined });
    expect(await page('', 6)).toEqual({ jobIds: jobIds(6), next: undefined });
    expect(await page('', 7)).toEqual({ jobIds: jobIds(6), next: undefined });
    expect(await page('job0005', 5)).toEqual({ jobIds: [], next: undefined });
  });

  test('claimed jobs are left out, and a page is full without them', async () => {
    await importJobs(store(), acme, jobIds(30));
    await importJobs(store(), other, jobIds(30));
    await accept(store(), jobIds(5), { accountId: other });
    const deletion = await accept(store(), [...jobIds(20, 2), 'job0029']);
    expect(await page('', 4)).toEqual({
      jobIds: ['job0000', 'job0001', 'job0022', 'job0023'],
      next: 'job0023',
    });
    expect(await page('job0027', 4)).toEqual({ jobIds: ['job0028'], next: undefined });
    // The last job is claimed: this page is the end.
    expect(await page('job0024', 4)).toEqual({ jobIds: jobIds(4, 25), next: undefined });
    await removeAndRecord(store(), partsOf(deletion), 100);
    expect((await page('', 30)).jobIds).toEqual([...jobIds(2), ...jobIds(7, 22)]);
  });

  test('a job posted again while the earlier one is being deleted is listed', async () => {
    await importJobs(store(), acme, jobIds(3));
    const deletion = await accept(store(), jobIds(3));
    await importJobs(store(), acme, ['job0001']);
    expect((await page('', 10)).jobIds).toEqual(['job0001']);
    await removeAndRecord(store(), partsOf(deletion), 100);
    expect((await page('', 10)).jobIds).toEqual(['job0001']);
  });

  test('a page of 10,000 ids is full, also after thousands of claimed jobs', async () => {
    const ids = Array.from({ length: 14_000 }, (_, index) => `j${String(index).padStart(127, '0')}`);
    for (let from = 0; from < ids.length; from += 5_000)
      await importJobs(store(), acme, ids.slice(from, from + 5_000));
    await accept(store(), ids.slice(100, 3_100));
    const { jobIds: first, next } = await page('', 10_000);
    expect(first).toEqual([...ids.slice(0, 100), ...ids.slice(3_100, 13_000)]);
    expect(next).toBe(ids[12_999]);
    expect(await page(String(next), 10_000)).toEqual({ jobIds: ids.slice(13_000), next: undefined });
  });

  test('a page ends early after too many claimed jobs, and the next one goes on', async () => {
    const ids = jobIds(4_000);
    await importJobs(store(), acme, ids);
    await accept(store(), ids.slice(1, 3_900));
    const pages = await allPages(store(), 50, 1_000);
    expect(pages[0]).toEqual([ids[0]]);
    expect(pages.flat()).toEqual([ids[0], ...ids.slice(3_900)]);
  });

  test('claimed jobs are left out, however many deletions are open', async () => {
    await importJobs(store(), acme, jobIds(1_300));
    const claiming = jobIds(1_200).map((id) => acceptRequest([id]));
    for (const open of [300, 900]) {
      await acceptAll(store(), claiming.splice(0, open));
      await importJobs(store(), acme, ['job0007']);
      const left = jobIds(1_300).slice(1_200 - claiming.length);
      expect((await page('', 2_000)).jobIds).toEqual(['job0007', ...left]);
    }
  });

  test('pages miss no job and repeat none while others are imported and removed', async () => {
    const stay = jobIds(400).map((id, index) => `${id}${index % 2 === 0 ? 'stay' : 'KEPT'}`);
    const leave = jobIds(400).map((id) => `${id}leave`);
    await importJobs(store(), acme, [...stay, ...leave]);
    let isListing = true;
    const changes = async () => {
      for (const [index, id] of leave.entries()) {
        if (!isListing) return;
        const deletion = await accept(store(), [id]);
        await importJobs(store(), acme, [`${id.slice(0, 7)}new`]);
        if (index % 2 === 0) await removeAndRecord(store(), partsOf(deletion), 100);
      }
    };
    const changing = changes();
    const listed = (await allPages(store(), 7)).flat();
    isListing = false;
    await changing;
    expect(listed.filter((id) => /stay$|KEPT$/.test(id))).toEqual(stay);
    expect(new Set(listed).size).toBe(listed.length);
  });
}

async function allPages(store: Store, limit: number, maxClaimed?: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const { jobIds: ids, next } = await store.listJobs({ accountId: acme, after, limit, maxClaimed });
    pages.push([...ids]);
    after = next;
  }
  return pages;
}
