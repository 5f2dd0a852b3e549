import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { pairEntries } from './pair-entries.ts';
import { readPage } from './read-trail.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('the trail has one row for credentials that one form created and rotated, and its export two lines', async () => {
  const manager = await dashboard.signIn('pairs', 'manager');
  const once = fieldOf(await manager.get('/keys/new'), 'once');
  await manager.post('/keys/new', { once, create: 'both', name: 'shop', expiry: '90', environment: 'live' });
  const [token, secret] = await Promise.all(
    (['token', 'secret-key'] as const).map((kind) => dashboard.accounts.listCredentials(kind, 'pairs')),
  ).then((lists) => lists.map(([key]) => key?.id ?? ''));
  const form = await manager.get(`/keys/token/${token ?? ''}/rotate`);
  await manager.post(`/keys/token/${token ?? ''}/rotate`, {
    once: fieldOf(form, 'once'),
    pair: fieldOf(form, 'pair'),
    also: 'on',
  });
  const { text } = await manager.get('/trail', { 'Accept-Language': 'en' });
  const rows = text.match(/<tr[^>]*><th scope="row".*?<\/tr>/gs) ?? [];
  expect(rows.map((row) => /rowheader">([^<]*)/.exec(row)?.[1])).toEqual([
    'Credentials rotated',
    'Credentials created',
  ]);
  for (const row of rows)
    expect(row).toMatch(
      new RegExp(`>shop \\(.*/keys/token/${token ?? ''}".*/secret-key/${secret ?? ''}"`, 's'),
    );
  const file = await manager.get('/trail/export.csv');
  expect(file.text.match(/"(?:token|secret-key)\.(?:created|rotated)"/g)).toHaveLength(4);
});

test('entries of another time, actor, name or change keep their rows', () => {
  const subject = (digit: string, name = 'shop') => `${digit.repeat(24)} (${name})`;
  const entry = { id: '1', accountId: 'acme', atMs: 1, actor: 'ann', subject: subject('a') } as const;
  const token: AuditEntry = { ...entry, action: 'token.created' };
  const secret: AuditEntry = { ...entry, action: 'secret-key.created', subject: subject('b') };
  const countOf = (fields: Partial<AuditEntry>) => pairEntries([{ ...secret, ...fields }, token]).length;
  expect([{}, { atMs: 2 }, { actor: 'bob' }, { subject: subject('b', 'site') }].map(countOf)).toEqual([
    1, 2, 2, 2,
  ]);
  expect([countOf({ action: 'secret-key.paused' }), countOf({ action: 'token.created' })]).toEqual([2, 2]);
  expect(pairEntries([secret, token, secret])).toHaveLength(2);
  expect(pairEntries([])).toEqual([]);
});

test('a refused deletion has the row of its refusal only, also where a page ends between its entries', async () => {
  const entryOf = (index: number, fields: Partial<AuditEntry>): AuditEntry => ({
    id: String(index).padStart(24, '0'),
    accountId: 'refusals',
    atMs: 1_000 - index,
    action: 'domain.allowed',
    actor: 'ann',
    ...fields,
  });
  const refused = { action: 'deletion.refused', subject: 'a (2 jobs)' } as const;
  const newer = Array.from({ length: 49 }, (_, index) => entryOf(index, {}));
  const [refusal, request] = [
    entryOf(49, refused),
    entryOf(50, { ...refused, action: 'deletion.requested' }),
  ];
  const other = entryOf(51, { action: 'deletion.requested', subject: 'b (2 jobs)' });
  await dashboard.accounts.addAccount({ id: 'refusals', createdAtMs: 1 });
  for (const entry of [...newer, refusal, request, other]) await dashboard.accounts.recordAction(entry);
  const read = (after?: AuditEntry) => readPage(dashboard.accounts, 'refusals', { from: '', to: '' }, after);
  const { entries, next } = await read();
  expect([entries.length, next]).toEqual([51, request]);
  expect(pairEntries(entries).slice(-2)).toEqual(
    [newer.slice(-1), refusal].flat().map((entry) => ({ entry })),
  );
  expect((await read(request)).entries).toEqual([other]);
});
