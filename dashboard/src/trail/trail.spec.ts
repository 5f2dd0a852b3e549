import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { Cursor } from '../web/places.tsx';
import { readPage } from './read-trail.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `trail-${String((count += 1))}`;

async function record(accountId: string, fields: Partial<AuditEntry> = {}): Promise<AuditEntry> {
  count += 1;
  const entry: AuditEntry = {
    id: count.toString(16).padStart(24, '0'),
    accountId,
    atMs: Date.UTC(2026, 0, 31) + count,
    action: 'token.created',
    actor: 'ann@example.com',
    subject: `subject-${String(count)}.`,
    network: '192.0.2.7',
    ...fields,
  };
  await dashboard.accounts.addAccount({ id: accountId, createdAtMs: 1 });
  await dashboard.accounts.recordAction(entry);
  return entry;
}

const subjectsOf = (text: string) => [...text.matchAll(/subject-\d+\./g)].map(([subject]) => subject);
const olderOf = (text: string) =>
  /href="[^"]*(\/trail\?[^"]*)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('a member reads all entries of the account in pages of 50, the newest first', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const entries: AuditEntry[] = [];
  for (let index = 0; index < 120; index += 1)
    // Several entries have one time.
    entries.unshift(await record(account, { atMs: Date.UTC(2026, 0, 31) + Math.floor(index / 40) }));
  await record(newAccount());
  const pages: string[][] = [];
  let last = '';
  for (let path = '/trail'; path !== '';) {
    const { status, text } = await viewer.get(path);
    last = text;
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    pages.push(subjectsOf(text));
    path = olderOf(text);
  }
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(pages.flat()).toEqual(entries.map(({ subject }) => subject));
  const back = /href="[^"]*(\/trail\?[^"]*)">Newer/.exec(last)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(subjectsOf((await viewer.get(back)).text)).toEqual(pages[1]);
});

test('an id in an entry leads to its key or deletion, if that has a page', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const [id, gone, deletion] = ['a'.repeat(24), 'b'.repeat(24), '01a2b3c4-0000-7000-8000-0123456789ab'];
  const key = { accountId: account, kind: 'token', id, name: 'Shop', createdAtMs: 1 } as const;
  await record(account, { subject: `${gone} → ${id}`, action: 'token.rotated' });
  await dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32) });
  for (const subject of [deletion, `${deletion} (1 job)`, `${deletion} (1200 jobs)`])
    await record(account, { subject, action: 'deletion.requested' });
  await record(account, { subject: '5000 until 2026-11-16T19:29:56.816Z', action: 'limit.raised' });
  await record(account, { subject: `${id}.example`, action: 'domain.allowed' });
  const { text } = await viewer.get('/trail', { 'Accept-Language': 'en' });
  expect(text).toContain(
    `Shop (<code title="${gone}">bbbbbbbb…bbbb</code> → <code title="${id}">aaaaaaaa…aaaa</code>)</td>`,
  );
  const link = `/activity/${deletion}"><code title="${deletion}">01a2b3c4…89ab</code></a>`;
  for (const count of ['', ' (1 job)', ' (1,200 jobs)']) expect(text).toContain(`${link}${count}</td>`);
  expect(text).toMatch(/5,000 jobs until <time [^>]*>16 Nov 2026, 19:29 UTC</);
  expect(text).toContain(`${id}.example`);
});

test('a renamed key has its name of the time beside its id, and its present one in entries without a name', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const id = 'c'.repeat(24);
  const key = { accountId: account, kind: 'token', id, name: 'Warehouse', createdAtMs: 1 } as const;
  await dashboard.accounts.addCredential({ ...key, hash: Buffer.alloc(32, 1) });
  await record(account, { subject: id });
  await record(account, { subject: `${id} (Shop (old) → x)` });
  await record(account, { subject: `${'d'.repeat(24)} → ${id} (Shop)`, action: 'token.rotated' });
  await record(account, { subject: `${id} (Shop → Storehouse)`, action: 'token.renamed' });
  const { text } = await viewer.get('/trail', { 'Accept-Language': 'en' });
  const link = `<a href="/a/${account}/keys/token/${id}"><code title="${id}">cccccccc…cccc</code></a>`;
  expect(text).toContain(`>Warehouse (${link})</td>`);
  expect(text).toContain(`>Shop (old) → x (${link})</td>`);
  expect(text).toContain('>Shop (<code title="dddddddddddddddddddddddd">');
  expect(text).toContain(`>Shop → Storehouse (${link})</td>`);
});

test.each([
  ['limit.changed', '5000 → 20%', 'fr', '5\u202f000 offres → 20\u00a0%'],
  ['limit.changed', '1 → 3000', 'en', '1 job → 3,000 jobs'],
  ['limit.changed', '20% → off', 'es', '20\u00a0% → sin límite'],
  ['delay.changed', 'off → 24h', 'fr', 'aucun délai → 1\u00a0jour'],
  ['delay.changed', '90s → 3d', 'es', '1,5 minutos → 3 días'],
  ['person.invited', 'a: b@shop.example: viewer', 'fr', 'a: b@shop.example (Lecteur)'],
  ['person.role-changed', 'ann@shop.example: viewer → manager', 'en', 'ann@shop.example (Viewer → Manager)'],
  ['person.role-changed', 'ann@shop.example: viewer', 'es', 'ann@shop.example (Lector)'],
  ['person.removed', 'ann@shop.example', 'fr', 'ann@shop.example'],
  ['signed-in', 'passkey', 'fr', 'clé d’accès'],
  ['signed-in', 'OpenID Connect', 'fr', 'OpenID Connect'],
  ['session.ended', 'all other sessions', 'es', 'todas las demás sesiones'],
  // A person has chosen these names.
  ['passkey.added', 'link', 'fr', 'link'],
  ['domain.allowed', 'off', 'fr', '<code>off</code>'],
] as const)('the subject of %s, %s, speaks %s', async (action, subject, language, shown) => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  await record(account, { action, subject });
  const { text } = await viewer.get('/trail?action=', { 'Accept-Language': language });
  expect(text).toContain(`>${shown}</td>`);
});

test('the entries of a day have a heading and their exact times, and the export stands at the head', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (const time of ['2026-01-30T23:59:59Z', '2026-01-31T09:08:07Z'])
    await record(account, { atMs: Date.parse(time) });
  const { text } = await viewer.get('/trail', { 'Accept-Language': 'en' });
  expect(text.match(/ colspan="[^>]*>[^<]*|title="[^"]*">\d\d:\d\d:\d\d(?=<)/g)).toEqual([
    expect.stringMatching(/>Saturday,? 31 January 2026, UTC$/),
    'title="31 Jan 2026, 09:08:07 UTC">09:08:07',
    expect.stringMatching(/>Friday,? 30 January 2026, UTC$/),
    'title="30 Jan 2026, 23:59:59 UTC">23:59:59',
  ]);
  expect(text.split('<table')[0]).toContain('/trail/export.csv?');
});

test('exactly 50 entries are one page', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (let index = 0; index < 50; index += 1) await record(account);
  const { text } = await viewer.get('/trail');
  expect(subjectsOf(text)).toHaveLength(50);
  expect(olderOf(text)).toBe('');
  expect(text).not.toMatch(/<p[^>]*><\/p>/);
});

test('a filter shows one action, over all pages', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const wanted: (string | undefined)[] = [];
  for (let index = 0; index < 180; index += 1) {
    const action = index % 3 === 0 ? 'domain.removed' : 'domain.allowed';
    const { subject } = await record(account, { action });
    if (action === 'domain.removed') wanted.unshift(subject);
  }
  const first = await viewer.get('/trail?action=domain.removed');
  const second = await viewer.get(olderOf(first.text));
  expect([...subjectsOf(first.text), ...subjectsOf(second.text)]).toEqual(wanted);
  expect(olderOf(second.text)).toBe('');
  expect((await viewer.get('/trail?action=token.revoked')).text).toMatch(
    /class="card blank".*No entry matches\./,
  );
});

test('a filter shows one person, also with an action, and keeps that over all pages', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const wanted: (string | undefined)[] = [];
  for (let index = 0; index < 110; index += 1) {
    const actor = index % 2 === 0 ? 'gone@example.com' : 'operator';
    const { subject } = await record(account, { actor });
    if (actor !== 'operator') wanted.unshift(subject);
  }
  await record(account, { actor: 'gone@example.com', action: 'domain.removed' });
  const path = '/trail?actor=gone%40example.com&action=token.created';
  const first = await viewer.get(path, { 'Accept-Language': 'en' });
  const second = await viewer.get(olderOf(first.text));
  expect([...subjectsOf(first.text), ...subjectsOf(second.text)]).toEqual(wanted);
  const options = ['gone@example.com" selected>', `${viewer.email}">`, 'operator">Operator'];
  for (const option of options) expect(first.text).toContain(`<option value="${option}`);
});

test('a filter that few entries match continues where it ended', async () => {
  const account = newAccount();
  const match = await record(account, { action: 'person.removed' });
  for (let index = 0; index < 5; index += 1) await record(account);
  const filter = { action: 'person.removed', from: '', to: '' } as const;
  const read = (after?: Cursor) =>
    readPage(dashboard.accounts, account, filter, after, { batch: 2, entries: 4 });
  const first = await read();
  expect(first.entries).toEqual([]);
  expect(await read(first.next)).toEqual({ entries: [match], next: undefined });
});

test('a filter shows the entries of some days, also of one person, over all pages and in its export', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const at = async (time: string, fields: Partial<AuditEntry> = {}) =>
    (await record(account, { atMs: Date.parse(time), ...fields })).subject;
  await at('2026-01-30T23:59:59.999Z');
  const first = await at('2026-01-31T00:00:00Z');
  const last = await at('2026-02-01T23:59:59.999Z', { actor: 'operator' });
  await at('2026-02-02T00:00:00Z');
  const shown = async (query: string) => subjectsOf((await viewer.get(`/trail?${query}`)).text);
  expect(await shown('from=2026-01-31&to=2026-02-01')).toEqual([last, first]);
  expect(await shown('from=2026-02-01')).toHaveLength(2);
  expect(await shown('to=2026-01-31')).toHaveLength(2);
  expect(await shown('actor=operator&action=&from=2026-01-31&to=2026-02-01')).toEqual([last]);
  for (let index = 0; index < 55; index += 1) await at('2026-01-31T12:00:00Z');
  const { text } = await viewer.get('/trail?from=2026-01-31&to=2026-01-31');
  expect(subjectsOf(text)).toHaveLength(50);
  expect(subjectsOf((await viewer.get(olderOf(text))).text)).toHaveLength(6);
  const [, path = ''] = /href="[^"]*(\/trail\/export\.csv[^"]*)"/.exec(text) ?? [];
  expect(subjectsOf((await viewer.get(path.replaceAll('&amp;', '&'))).text)).toHaveLength(56);
});

test.each([
  'from=yesterday',
  'to=2026-02-30',
  'from=2026-10-03&to=2026-10-02',
  'action=x',
  'action=__proto__',
])('refuses %s at its field, and exports nothing', async (query) => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  await record(account);
  const { status, text } = await viewer.get(`/trail?${query}`);
  expect([status, subjectsOf(text)]).toEqual([422, []]);
  expect(text).toMatch(/<p class="problem" id="(?:from|to|action)-problem">/);
  expect((await viewer.get(`/trail/export.csv?${query}`)).status).toBe(400);
});

test('the page and its export leave out sign-ins, unless all actions are chosen', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const changes = [await record(account), await record(account, { action: 'session.ended' })];
  for (const action of ['signed-in', 'signed-out'] as const)
    for (let index = 0; index < 30; index += 1) await record(account, { action });
  const { text } = await viewer.get('/trail', { 'Accept-Language': 'en' });
  const wanted = changes.map(({ subject }) => subject).reverse();
  expect(subjectsOf(text)).toEqual(wanted);
  expect(text).toContain('<option value="without-sign-ins" selected>Changes only<');
  const exportOf = async (page: string) => {
    const [, path = ''] = /href="[^"]*(\/trail\/export\.csv[^"]*)"/.exec(page) ?? [];
    return subjectsOf((await viewer.get(path.replaceAll('&amp;', '&'))).text);
  };
  expect(await exportOf(text)).toEqual(wanted);
  const all = await viewer.get('/trail?action=&actor=ann%40example.com', { 'Accept-Language': 'en' });
  expect(subjectsOf(all.text)).toHaveLength(50);
  expect(subjectsOf((await viewer.get(olderOf(all.text))).text)).toHaveLength(12);
  expect(await exportOf(all.text)).toHaveLength(62);
  const clears = (page: string) => /<a href="[^"]*\/trail">Clear filters</.test(page);
  expect([text, all.text].map(clears)).toEqual([false, true]);
});

test('a text that is no cursor shows the newest entries', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  await record(account);
  for (const query of ['pages=1:x', `pages=1:1.${'z'.repeat(65)}`, `pages=1:${'9'.repeat(99)}.a`])
    expect(subjectsOf((await viewer.get(`/trail?${query}`)).text)).toHaveLength(1);
});

test('the export has every entry of the account, and no formula', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (let index = 0; index < 600; index += 1) await record(account);
  const { id } = await record(account, {
    subject: '=HYPERLINK("https://evil.test")',
    atMs: Date.UTC(2026, 1, 1),
  });
  await record(newAccount());
  const answer = await viewer.get('/trail/export.csv');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename=audit-trail-\d{4}-\d\d-\d\d\.csv$/,
  );
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  const lines = answer.text.split('\r\n');
  expect(lines).toHaveLength(603);
  expect(lines[0]).toBe('"time","action","actor","subject","network","id"');
  expect(lines[1]).toBe(
    `"2026-02-01T00:00:00.000Z","token.created","ann@example.com","'=HYPERLINK(""https://evil.test"")","192.0.2.7","${id}"`,
  );
});

const titles = { en: 'Audit trail', fr: 'Journal d’audit', es: 'Registro de auditoría' };
test.each(Object.entries(titles))(
  'the page speaks the language %s, and shows markup as text',
  async (language, title) => {
    const account = newAccount();
    const viewer = await dashboard.signIn(account, 'viewer');
    await record(account, { subject: '<script>alert(1)</script>', actor: 'operator' });
    const { text } = await viewer.get('/trail', { 'Accept-Language': language });
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain('&lt;script>');
    expect(text).not.toMatch(/<script>|undefined/);
  },
);
