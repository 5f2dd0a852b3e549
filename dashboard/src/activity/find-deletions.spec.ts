import { expect, test } from '@jest/globals';
import type { DeletionsPage, DeletionsQuery } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import { findByIdPart, findDeletions, readIdPart } from './find-deletions.ts';

const deletion = (id: string) => ({ id }) as Deletion;
const none: DeletionsPage = { deletions: [], nextPageToken: undefined };

/** Answers with these pages, one for each call. */
function deleterWith(...pages: (DeletionsPage | undefined)[]) {
  const queries: DeletionsQuery[] = [];
  const listDeletions = (query: DeletionsQuery) => Promise.resolve(pages[queries.push(query) - 1]);
  return { queries, listDeletions };
}

const query: DeletionsQuery = { accountId: 'acme', pageSize: 3, state: 'accepted' };

test('an incomplete page is filled with what follows', async () => {
  const deleter = deleterWith(
    { deletions: [deletion('a')], nextPageToken: '1' },
    { deletions: [], nextPageToken: '2' },
    { deletions: [deletion('b'), deletion('c')], nextPageToken: '3' },
  );
  const page = await findDeletions(deleter, query);
  expect(page).toEqual({ deletions: ['a', 'b', 'c'].map(deletion), nextPageToken: '3' });
  expect(deleter.queries).toEqual([
    { ...query, pageToken: undefined },
    { ...query, pageToken: '1', pageSize: 2 },
    { ...query, pageToken: '2', pageSize: 2 },
  ]);
});

test('the calls end at the last page', async () => {
  const deleter = deleterWith({ deletions: [deletion('a')], nextPageToken: undefined });
  expect(await findDeletions(deleter, query)).toMatchObject({ nextPageToken: undefined });
  expect(deleter.queries).toHaveLength(1);
});

test('one page makes a bounded number of calls, and the next page continues there', async () => {
  const empty = (next: string) => ({ deletions: [], nextPageToken: next });
  const deleter = deleterWith(...['1', '2', '3', '4'].map(empty));
  expect(await findDeletions(deleter, query)).toEqual(empty('3'));
});

test('an invalid page token has no page', async () => {
  expect(await findDeletions(deleterWith(undefined), { ...query, pageToken: 'x' })).toBeUndefined();
});

test.each([
  ['01a2b3c4…89ab', '01a2b3c4', '89ab'],
  [' 01A2B3C4...89AB ', '01a2b3c4', '89ab'],
  ['01a2b3c4 89ab', '01a2b3c4', '89ab'],
  ['01a2b3c4…', '01a2b3c4', ''],
  ['01a2b3c4', '01a2b3c4', ''],
  ['01a2b3c4-0000-70', '01a2b3c4000070', ''],
])('%j is a part of an id', (text, start, end) => {
  expect(readIdPart(text)).toEqual({ start, end });
});

test.each(['', '01a2b3c', '01a2-b3c', 'x1a2b3c4', '…89ab', '01a2b3c4…89ab…', `01a2b3c4${'0'.repeat(25)}`])(
  '%j is no part of an id',
  (text) => {
    expect(readIdPart(text)).toBeUndefined();
  },
);

const [id, twin, other] = [
  '01a2b3c4-0000-7000-8000-0123456789ab',
  '01a2b3c4-1111-7000-8000-0123456789ab',
  '01a2b3c4-1111-7000-8000-0123456700ff',
].map(deletion) as [Deletion, Deletion, Deletion];

test('the deletions of the time in an id are compared with its part', async () => {
  const deleter = deleterWith({ deletions: [other, twin, id], nextPageToken: undefined }, none);
  const found = await findByIdPart(deleter, 'acme', { start: '01a2b3c4', end: '89ab' });
  expect(found).toEqual({ deletions: [twin, id], isPartial: false });
  const fromMs = 0x01a2b3c40000;
  expect(deleter.queries[0]).toMatchObject({
    accountId: 'acme',
    acceptedFromMs: fromMs - 60_000,
    acceptedToMs: fromMs + 0xffff + 60_000,
  });
});

test('more digits read a shorter time', async () => {
  const deleter = deleterWith({ deletions: [twin, id], nextPageToken: undefined }, none);
  const found = await findByIdPart(deleter, 'acme', { start: '01a2b3c411117', end: '' });
  expect(found.deletions).toEqual([twin]);
  const atMs = 0x01a2b3c41111;
  expect(deleter.queries[0]).toMatchObject({ acceptedFromMs: atMs - 60_000, acceptedToMs: atMs + 60_000 });
});

test('a deletion that was confirmed an hour after its id was drawn is found', async () => {
  const deleter = deleterWith(
    { deletions: [other], nextPageToken: undefined },
    { deletions: [id], nextPageToken: undefined },
  );
  const found = await findByIdPart(deleter, 'acme', { start: '01a2b3c40000', end: '' });
  expect(found).toEqual({ deletions: [id], isPartial: false });
  const [first, second] = deleter.queries;
  expect(second?.acceptedFromMs).toBe(first?.acceptedToMs);
  expect(second?.acceptedToMs).toBe(0x01a2b3c40000 + 60_000 + 3_600_000);
});

test('an id that was confirmed later and one of its time are both found, the newest first', async () => {
  const deleter = deleterWith(
    { deletions: [id], nextPageToken: undefined },
    { deletions: [twin, other], nextPageToken: undefined },
  );
  const found = await findByIdPart(deleter, 'acme', { start: '01a2b3c4', end: '89ab' });
  expect(found).toEqual({ deletions: [twin, id], isPartial: false });
});

test.each(['its time', 'the hour after it'])(
  'a search of %s ends after 5 pages, and says so',
  async (part) => {
    const queries: DeletionsQuery[] = [];
    const lastMs = 0x01a2b3c4ffff + 60_000;
    const listDeletions = (query: DeletionsQuery) => {
      const isSearched = (query.acceptedToMs === lastMs) === (part === 'its time');
      if (isSearched) queries.push(query);
      return Promise.resolve(isSearched ? { deletions: [other], nextPageToken: 'x' } : none);
    };
    const found = await findByIdPart({ listDeletions }, 'acme', { start: '01a2b3c4', end: '89ab' });
    expect([found, queries.length]).toEqual([{ deletions: [], isPartial: true }, 5]);
  },
);
