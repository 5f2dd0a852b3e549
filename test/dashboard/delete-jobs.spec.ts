import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import type { TestAnswer } from '@jobs-delete/dashboard/testing/test-browser';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { packWorkbook, textRow } from '@jobs-delete/dashboard/testing/workbook';
import { until } from '../harness/until.ts';
import { startDashboardBeside, startScene, useScene } from './scene.ts';

const deletes = { DASHBOARD_DELETES: 'on' };
const scene = useScene(deletes);
const english = { 'Accept-Language': 'en' };
const path = '/jobs/delete';
const confirmPath = '/jobs/delete/confirm';
const csvPath = '/jobs/delete/jobs.csv';
const filePath = '/jobs/delete/file';

let count = 0;

/** Signs in to a new account that has the jobs. */
async function signIn(jobIds: readonly string[], role: 'viewer' | 'manager' = 'manager') {
  const accountId = `deletes-${String((count += 1))}`;
  const browser = await scene.dashboard.signIn(accountId, role);
  await scene.service.operator.importJobs(accountId, jobIds);
  return browser;
}

const preview = (browser: SignedInBrowser, ids: string) => browser.post(path, { ids });
const confirmation = (page: TestAnswer) => ({
  once: fieldOf(page, 'once'),
  ids: fieldOf(page, 'ids'),
  delay: fieldOf(page, 'delay'),
});
const deletionsOf = async ({ session }: SignedInBrowser) =>
  (
    await scene.service.operator.store.listDeletions({
      accountId: session.accountId,
      pageSize: 10,
      state: undefined,
      after: undefined,
    })
  ).deletions;
const textOf = ({ text }: { readonly text: string }) =>
  text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('the page of a job leads a manager to the preview of its deletion', async () => {
  const link = `${path}?job=Here0001`;
  const viewer = await signIn(['Here0001'], 'viewer');
  expect((await viewer.get('/jobs?job=Here0001')).text).not.toContain(link);
  const manager = await signIn(['Here0001']);
  expect((await manager.get('/jobs?job=Here0001')).text).toContain(`${link}"`);
  expect(textOf(await manager.get(link, english))).toContain('1 job will be deleted.');
  expect(await deletionsOf(manager)).toEqual([]);
});

test('the preview leaves out jobs that the account does not have, and a confirmation deletes the others once', async () => {
  const manager = await signIn(['Here0001', 'Here0002', 'Here0003', 'Here0004']);
  const page = await preview(manager, 'Here0001\nGone0001\nHere0002\nHere0001');
  expect(page.status).toBe(200);
  expect(textOf(page)).toContain('2 jobs will be deleted. That is 50% of the 4 jobs of the account.');
  expect(textOf(page)).toContain('account 1 Gone0001 Duplicate, counted once 1 Here0001');
  expect(textOf(page)).toContain('The removal starts at once, is permanent');
  expect(await deletionsOf(manager)).toEqual([]);

  const form = confirmation(page);
  expect(form.ids).toBe('Here0001 Here0002');
  const wrong = await manager.post(confirmPath, { ...form, count: '3' });
  expect([wrong.status, wrong.text.includes('This is not the number of the jobs.')]).toEqual([422, true]);
  expect(await deletionsOf(manager)).toEqual([]);

  const send = () => manager.post(confirmPath, { ...form, count: '2' });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  const [deletion] = await deletionsOf(manager);
  const { id = '' } = deletion ?? {};
  const noticeOf = ({ location = '' }: TestAnswer) => location.replace(`/activity/${id}?notice=`, '');
  // Either of the first two may come after the other.
  expect(answers.map(noticeOf)).toContain('deletion-accepted');
  expect(answers.map(noticeOf).at(-1)).toBe('deletion-sent');
  expect(await deletionsOf(manager)).toHaveLength(1);
  expect(deletion).toMatchObject({ jobCount: 2, origin: { person: manager.email, tokenId: '' } });

  expect((await manager.get(`/activity/${id}`, english)).text).toContain(
    `<dd class="muted">${manager.email}</dd>`,
  );
  for (const list of ['/activity', '/jobs?job=Here0001'])
    expect(textOf(await manager.get(list, english))).toContain(manager.email);
  const trail = await scene.dashboard.accounts.listActions({
    accountId: manager.session.accountId,
    pageSize: 50,
  });
  expect(trail).toMatchObject([
    { action: 'deletion.requested', actor: manager.email, subject: `${id} (2 jobs)` },
  ]);
});

test('the preview says why each job is left out', async () => {
  const manager = await signIn(['Why0001', 'Why0002', 'WHY0003']);
  await scene.service.operator.store.setRules(manager.session.accountId, { removalDelayMs: 86_400_000 });
  const other = confirmation(await preview(manager, 'Why0001'));
  await manager.post(confirmPath, { ...other, count: '1' });
  const page = await preview(manager, 'Why0001 Why0002 why0003 Gone0001 Gone0002 Why0002');
  const groups = [
    'Duplicate, counted once 1 Why0002',
    'The account has the id in other capitals 1 why0003 → WHY0003',
    'Another deletion has it already 1 Why0001',
    'Not in this account 2 Gone0001 Gone0002',
  ];
  for (const group of groups) expect(textOf(page)).toContain(group);
  expect(page.text).toContain(`/activity/${(await deletionsOf(manager))[0]?.id ?? 'none'}"`);
  const none = await preview(manager, 'why0003');
  expect([none.status, textOf(none).includes('why0003 → WHY0003')]).toEqual([422, true]);
});

test('the ids of a body of the API are read', async () => {
  const manager = await signIn(['Body0001', 'Body0002']);
  const page = await preview(
    manager,
    '<jobs><job><id>Body0001</id></job><job><id>Body0002</id></job></jobs>',
  );
  expect(confirmation(page).ids).toBe('Body0001 Body0002');
});

test('a delay is named in the preview', async () => {
  const manager = await signIn(['Late0001']);
  const { accountId } = manager.session;
  await scene.service.operator.store.setRules(accountId, { removalDelayMs: 86_400_000 });
  expect(textOf(await preview(manager, 'Late0001'))).toMatch(/The removal starts in (1 day|24 hours)\./);
});

test('jobs that another deletion takes after the preview are left out of a new preview', async () => {
  const manager = await signIn(['Race0001', 'Race0002']);
  const first = await preview(manager, 'Race0001 Race0002');
  const other = confirmation(await preview(manager, 'Race0001'));
  expect(await manager.post(confirmPath, { ...other, count: '1' })).toMatchObject({ status: 303 });
  const changed = await manager.post(confirmPath, { ...confirmation(first), count: '2' });
  expect(changed.status).toBe(409);
  expect(textOf(changed)).toContain('The jobs have changed since the preview');
  expect(confirmation(changed).ids).toBe('Race0002');
  expect(await deletionsOf(manager)).toHaveLength(1);
});

test.each([
  ['', 'Enter at least one job id.'],
  ['Good0001, bad-id', 'Not a job id: bad-id'],
  ['no-id\nbad-id', 'Not job ids: no-id (line 1), bad-id (line 2)'],
  ['Else0001', 'The account has none of these jobs.'],
  ['caps0001', 'The account has these ids only in other capitals.'],
  ['caps0001 Else0001', 'None of these jobs can be deleted, for different reasons.'],
  ['<jobs><job><id>Good0001', 'This XML can’t be read'],
  ['PK\u0003\u0004', 'This can’t be read: it is neither text in UTF-8 nor an XLSX workbook'],
  [Array.from({ length: 10_001 }, (_, index) => `Over${String(index)}`).join('\n'), 'These are 10,001 ids.'],
])('the ids %.20j are refused: %s', async (ids, problem) => {
  const manager = await signIn(['Good0001', 'CAPS0001']);
  const page = await preview(manager, ids);
  expect([page.status, textOf(page).includes(problem)]).toEqual([422, true]);
});

const sendWorkbook = (browser: SignedInBrowser, bytes: Uint8Array) =>
  browser.post(filePath, { file: Buffer.from(bytes).toString('base64') });
const idsIn = ({ text }: TestAnswer) => />([^<]*)<\/textarea>/.exec(text)?.[1];

test('the ids of a workbook are shown in the form, and nothing is deleted', async () => {
  const manager = await signIn(['Book0001', 'Book0002']);
  const rows = [textRow('Title', 'Job ID'), textRow('Cook', 'Book0001'), textRow('Driver', 'Book0002')];
  const page = await sendWorkbook(manager, packWorkbook(rows.join('')));
  expect([page.status, idsIn(page)]).toEqual([200, 'Book0001\nBook0002']);
  expect(await deletionsOf(manager)).toEqual([]);
  expect(textOf(await preview(manager, idsIn(page) ?? ''))).toContain('2 jobs will be deleted.');
});

test.each([
  ['is empty', '', 'Enter at least one job id.'],
  ['is malformed', '<row>', 'This can’t be read: it is neither text in UTF-8 nor an XLSX workbook'],
  [
    'has too many ids',
    Array.from({ length: 10_001 }, (_, index) => textRow(`Over${String(index)}`)).join(''),
    'These are 10,001 ids.',
  ],
])('a workbook that %s is refused as a whole', async (_, rows, problem) => {
  const page = await sendWorkbook(await signIn([]), packWorkbook(rows));
  expect([page.status, idsIn(page)]).toEqual([422, '']);
  expect(textOf(page)).toContain(problem);
});

test('a workbook with a malformed id is shown with it, and with the button that leaves it out', async () => {
  const rows = ['id', 'Good0001', 'bad id'].map((cell) => textRow(cell));
  const page = await sendWorkbook(await signIn([]), packWorkbook(rows.join('')));
  expect([page.status, idsIn(page)]).toEqual([422, 'id\nGood0001\n&quot;bad id&quot;']);
  expect(textOf(page)).toContain('bad·id (line 3) Leave out 1 malformed id and go on');
});

test('an encrypted workbook, a file of an older spreadsheet, and no file at all are refused', async () => {
  const manager = await signIn([]);
  const ole = new Uint8Array(100_000);
  ole.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  for (const page of [await sendWorkbook(manager, ole), await manager.post(filePath, {})]) {
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain('copy the column with the ids, and paste it here.');
  }
});

test('a workbook of 1 MB fits, and a form of more than 1.5 MB does not', async () => {
  const manager = await signIn([]);
  expect((await sendWorkbook(manager, randomBytes(1_000_000))).status).toBe(422);
  expect((await sendWorkbook(manager, randomBytes(1_200_000))).status).toBe(413);
});

test('10,000 ids of 128 characters fit', async () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(128, '0'));
  const manager = await signIn(ids);
  const page = await preview(manager, ids.join('\r\n'));
  expect(textOf(page)).toContain('10,000 jobs will be deleted.');
  expect((await manager.post(csvPath, confirmation(page))).text.split('\r\n')).toHaveLength(10_002);
  const answer = await manager.post(confirmPath, { ...confirmation(page), count: '10000' });
  expect(answer.status).toBe(303);
});

test('a form of another session, or an expired one, deletes nothing', async () => {
  const manager = await signIn(['Form0001']);
  const { ids } = confirmation(await preview(manager, 'Form0001'));
  const other = await signIn([]);
  const { once } = confirmation(await preview(await signIn(['Form0001']), 'Form0001'));
  const page = await manager.post(confirmPath, { once, ids, count: '1' });
  expect([page.status, page.text.includes('The form has expired')]).toEqual([422, true]);
  expect([...(await deletionsOf(manager)), ...(await deletionsOf(other))]).toEqual([]);
});

test('a viewer can’t delete, and sees no way to', async () => {
  const viewer = await signIn(['View0001'], 'viewer');
  expect((await viewer.get(path)).status).toBe(403);
  expect((await preview(viewer, 'View0001')).status).toBe(403);
  expect((await viewer.post(confirmPath, { ids: 'View0001', count: '1' })).status).toBe(403);
  expect((await sendWorkbook(viewer, packWorkbook(textRow('View0001')))).status).toBe(403);
  expect((await viewer.post(csvPath, { ids: 'View0001' })).status).toBe(403);
  expect((await viewer.get('/jobs')).text).not.toContain(path);
});

test('a manager whose sign-in is not recent signs in again first', async () => {
  const provenAtMs = Date.now() - 3_600_000;
  const manager = await scene.dashboard.signIn(`deletes-${String((count += 1))}`, 'manager', { provenAtMs });
  const answer = await manager.post(confirmPath, { ids: 'Old00001', count: '1' });
  expect(answer.status).toBe(403);
  expect(answer.text).toContain('<h1>Sign in to continue</h1>');
  const sent = await sendWorkbook(manager, packWorkbook(textRow('Old00001')));
  expect([sent.status, sent.location]).toEqual([303, '/sign-in/again?next=%2Fjobs%2Fdelete']);
});

test('without DASHBOARD_DELETES there is no such page, and no link to it', async () => {
  const dashboard = await startDashboardBeside(scene.service);
  const manager = await dashboard.signIn(`deletes-${String((count += 1))}`, 'manager');
  expect((await manager.get(path)).status).toBe(404);
  expect((await manager.post(confirmPath, { ids: 'None0001', count: '1' })).status).toBe(404);
  expect((await sendWorkbook(manager, packWorkbook(textRow('None0001')))).status).toBe(404);
  expect((await manager.get('/jobs')).text).not.toContain(path);
  await dashboard.stop();
});

test('only a few forms with ids are in memory at a time', async () => {
  const manager = await signIn(['Slow0001']);
  const { hostname, port } = new URL(scene.dashboard.url);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 1_000_000 };
  const slow = Array.from({ length: 20 }, () =>
    request({
      hostname,
      port,
      method: 'POST',
      path: '/a/acme/jobs/delete',
      agent: false,
      headers: { ...headers, expect: '100-continue' },
    }).on('error', () => undefined),
  );
  for (const each of slow) each.flushHeaders();
  await Promise.all(slow.map((each) => once(each, 'continue')));
  expect((await preview(manager, 'Slow0001')).status).toBe(503);
  for (const each of slow) each.destroy();
  await until(async () => (await preview(manager, 'Slow0001')).status === 200);
});

describe('while no api answers', () => {
  test('the ids stay in the form, and a repeated confirmation is the same request', async () => {
    const down = await startScene(deletes);
    const manager = await down.dashboard.signIn('down', 'manager');
    await down.service.operator.importJobs('down', ['Down0001']);
    const form = confirmation(await preview(manager, 'Down0001'));
    await down.service.stop();
    const unconfirmed = await manager.post(confirmPath, { ...form, count: '1' });
    expect(unconfirmed.status).toBe(503);
    expect(textOf(unconfirmed)).toContain('it deletes the jobs once');
    expect(confirmation(unconfirmed)).toEqual(form);
    const unchecked = await preview(manager, 'Down0001');
    expect(unchecked.status).toBe(503);
    expect(unchecked.text).toContain('>Down0001</textarea>');
    await down.dashboard.stop();
  });
});
