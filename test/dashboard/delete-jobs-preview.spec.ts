import { expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { until } from '../harness/until.ts';
import { useScene } from './scene.ts';

const scene = useScene({ DASHBOARD_DELETES: 'on' });
const path = '/jobs/delete';
const confirmPath = '/jobs/delete/confirm';
const allowPath = '/jobs/delete/allow';
const csvPath = '/jobs/delete/jobs.csv';

let count = 0;

/** Signs in to a new account that has the jobs. */
async function signIn(jobIds: readonly string[]) {
  const accountId = `previews-${String((count += 1))}`;
  const browser = await scene.dashboard.signIn(accountId, 'manager');
  await scene.service.operator.importJobs(accountId, jobIds);
  return browser;
}

const preview = (browser: SignedInBrowser, ids: string) => browser.post(path, { ids });
const textOf = ({ text }: { readonly text: string }) =>
  text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('the preview offers its jobs with their titles as CSV, which a spreadsheet does not take for formulas', async () => {
  const manager = await signIn([]);
  const { accountId } = manager.session;
  const postings = Array.from({ length: 150 }, (_, index) => ({
    id: `Csv${String(1_000 + index)}`,
    posting: { title: index === 120 ? '=HYPERLINK("x")' : `Cook, "${String(index)}"` },
  }));
  await scene.service.operator.store.importJobs(accountId, postings, 1);
  const page = await preview(manager, [...postings.map(({ id }) => id), 'Gone0001'].join(' '));
  expect(page.text).toContain(`formaction="/a/${accountId}${csvPath}"`);
  const file = await manager.post(csvPath, { ids: fieldOf(page, 'ids') });
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="?jobs-\d{4}-\d\d-\d\d\.csv"?$/),
  ]);
  const lines = file.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(151);
  expect(lines.slice(0, 2)).toEqual(['"id","title"', '"Csv1000","Cook, ""0"""']);
  expect(lines[121]).toBe(`"Csv1120","'=HYPERLINK(""x"")"`);
  expect((await manager.post(csvPath, { ids: 'bad-id' })).status).toBe(422);
});

test('a deletion of what a search finds has its jobs at the preview, and of none is refused', async () => {
  const manager = await signIn(['Found001', 'Other001']);
  const { store } = scene.service.operator;
  const postings = Array.from({ length: 150 }, (_, index) => ({
    id: `Nurse${String(1_000 + index)}`,
    posting: { title: 'Night nurse' },
  }));
  await store.importJobs(manager.session.accountId, postings, 1);
  const list = await manager.get('/jobs?find=night+nurse');
  const [, link = ''] = /href="\/a\/[^/]*(\/[^"]*)"[^>]*>Delete all 150 found jobs</.exec(list.text) ?? [];
  const page = await manager.get(link);
  expect(textOf(page)).toContain('the jobs that the search “night nurse” found just now.');
  const late = { id: 'Nurse2000', posting: { title: 'Night nurse' } };
  await store.importJobs(manager.session.accountId, [late], 1);
  const [, ids = ''] = /name="ids"[^>]*>([^<]*)<\/textarea>/.exec(page.text) ?? [];
  expect(ids.split('\n')).toEqual(postings.map(({ id }) => id));
  const none = await manager.get('/jobs/delete/found?find=baker');
  expect([none.status, textOf(none).includes('finds no job that can be deleted')]).toEqual([422, true]);
});

test('malformed ids are named with their lines, can be left out, and stay left out', async () => {
  const manager = await signIn(['Good0001', 'Good0002']);
  const pasted = { ids: 'id,title\nGood0001,Cook\nbad id,Baker\nGood0002,\n-,Cook' };
  const refused = await manager.post(path, pasted);
  expect([refused.status, textOf(refused)]).toEqual([
    422,
    expect.stringContaining('bad·id (line 3), - (line 5) Leave out 2 malformed ids and go on'),
  ]);
  const page = await manager.post(path, { ...pasted, leaveOut: 'yes' });
  const [ids, leftOut] = [fieldOf(page, 'ids'), fieldOf(page, 'leftOut')];
  expect([page.status, ids]).toEqual([200, 'Good0001 Good0002']);
  const form = { once: fieldOf(page, 'once'), ids, leftOut, delay: '0', count: '7' };
  for (const shown of [page, await manager.post(confirmPath, form)])
    expect(textOf(shown)).toContain('no job has such an id 2 bad·id -');
});

test.each(['case0001', 'case0001 Good0001'])('of %s, one button uses the id of the account', async (ids) => {
  const manager = await signIn(['CASE0001', 'Good0001']);
  const page = await manager.post(path, { ids });
  const [, spell = ''] = /name="spell" value="([^"]*)"[^>]*>Use CASE0001</.exec(page.text) ?? [];
  const sent =
    page.status === 200 ? { ids: fieldOf(page, 'ids'), leftOut: fieldOf(page, 'leftOut') } : { ids };
  const next = await manager.post(path, { ...sent, spell });
  expect(fieldOf(next, 'ids').split(' ').sort()).toEqual(ids.replace('case', 'CASE').split(' ').sort());
});

test('a deletion beyond the limit is refused in the preview, and the ids stay in the form', async () => {
  const manager = await signIn([]);
  const { accountId } = manager.session;
  const jobs = ['Many0001', 'Many0002'].map((id) => ({ id, posting: { title: `Title of ${id}` } }));
  await scene.service.operator.store.importJobs(accountId, jobs, 1);
  await scene.service.operator.store.setRules(accountId, { limit: { kind: 'jobs', jobs: 1 } });
  const page = await preview(manager, 'Many0001 Many0002');
  expect(page.status).toBe(422);
  expect(textOf(page)).toContain('Limit in 24 hours 1 job Counted already 0 jobs Above the limit 1 job');
  expect(page.text).toContain('>Many0001 Many0002</textarea>');
  expect(textOf(page)).toContain('Many0001 Title of Many0001 Many0002 Title of Many0002');
  const first = await preview(manager, 'Many0001');
  const form = { once: fieldOf(first, 'once'), ids: 'Many0001', delay: fieldOf(first, 'delay'), count: '1' };
  expect((await manager.post(confirmPath, form)).status).toBe(303);
  expect(textOf(await preview(manager, 'Many0002'))).toContain('Counted already 1 job Above the limit 1 job');
});

/** Refuses the deletion of `Trail001`: another one has the job, or the limit allows none. */
const refusals = {
  'of jobs that another deletion has': () => Promise.resolve(),
  'above the limit': (manager: SignedInBrowser) =>
    scene.service.operator.store.setRules(manager.session.accountId, { limit: { kind: 'jobs', jobs: 1 } }),
};
test.each(Object.entries(refusals))(
  'the trail shows a deletion %s as refused, once and without a link, and it stays refused',
  async (_, refuse) => {
    const manager = await signIn(['Trail001', 'Trail002', 'Trail003']);
    const { accountId } = manager.session;
    const confirm = async (ids: string) => {
      const page = await preview(manager, ids);
      const count = String(ids.split(' ').length);
      const form = { once: fieldOf(page, 'once'), ids, delay: fieldOf(page, 'delay'), count };
      return () => manager.post(confirmPath, form);
    };
    const [first, second] = [await confirm('Trail001'), await confirm('Trail001 Trail002')];
    expect((await first()).status).toBe(303);
    await refuse(manager);
    for (const send of [second, second]) expect([409, 422]).toContain((await send()).status);
    await scene.service.operator.store.setRules(accountId, {});
    expect((await second()).status).toBe(409);
    const { text } = await manager.get('/trail?action=deletion.requested', { 'Accept-Language': 'en' });
    const rows = text.match(/<tr[^>]*><th scope="row".*?<\/tr>/gs) ?? [];
    expect(rows.map((row) => [textOf({ text: row }).trim(), row.includes('/activity/')])).toEqual([
      [expect.stringMatching(/^Deletion refused .* \(2 jobs\)/), false],
      [expect.stringMatching(/^Deletion requested .* \(1 job\)/), true],
    ]);
    const file = await manager.get('/trail/export.csv');
    expect(file.text.match(/"deletion\.\w+"/g)?.sort()).toEqual([
      '"deletion.refused"',
      '"deletion.requested"',
      '"deletion.requested"',
    ]);
  },
);

test('a refused form stays refused without the limit, however many entries the trail gets', async () => {
  const manager = await signIn(['Stay0001', 'Stay0002']);
  const { accountId } = manager.session;
  const ids = 'Stay0001 Stay0002';
  const page = await preview(manager, ids);
  const form = { once: fieldOf(page, 'once'), ids, delay: fieldOf(page, 'delay'), count: '2' };
  await refusals['above the limit'](manager);
  expect((await manager.post(confirmPath, form)).status).toBe(422);
  // More than one read of the trail returns.
  for (let index = 0; index < 500; index += 1) {
    const entry = { accountId, actor: manager.email, action: 'session.ended' } as const;
    await scene.dashboard.accounts.recordAction(newAuditEntry(entry, Date.now()));
  }
  await scene.service.operator.store.setRules(accountId, { limit: { kind: 'jobs', jobs: 9 } });
  expect(await until(async () => (await preview(manager, ids)).status === 200)).toBe(true);
  const again = await manager.post(confirmPath, form);
  expect([again.status, textOf(again)]).toEqual([
    409,
    expect.stringContaining('This deletion was refused before'),
  ]);
});

test('above the limit, one button allows what is missing, and leads on to the preview of the same ids', async () => {
  const manager = await signIn(['Over0001', 'Over0002', 'Over0003']);
  const { accountId } = manager.session;
  const { store } = scene.service.operator;
  await store.setRules(accountId, { limit: { kind: 'jobs', jobs: 1 } });
  const page = await preview(manager, 'Over0001 Over0002 Over0003');
  expect(page.text).toMatch(/formaction="[^"]*\/jobs\/delete\/allow"[^>]*>Allow 2 more, and preview</);
  const form = { once: fieldOf(page, 'once'), hours: '4', ids: 'Over0001 Over0002 Over0003', more: '2' };
  const expired = await manager.post(allowPath, { ...form, once: 'expired' });
  expect([expired.status, expired.text.includes(`>${form.ids}</textarea>`)]).toEqual([422, true]);
  for (const sent of [form, form]) {
    const next = await manager.post(allowPath, sent);
    expect([next.status, fieldOf(next, 'ids')]).toEqual([200, form.ids]);
  }
  expect((await store.findRules([accountId])).get(accountId)?.allowances).toMatchObject([{ jobs: 2 }]);
  const trail = await scene.dashboard.accounts.listActions({ accountId, pageSize: 10 });
  expect(trail).toMatchObject([{ action: 'limit.raised', actor: manager.email }]);
  const isPreviewed = async () => (await preview(manager, form.ids)).text.includes('3 jobs will be deleted.');
  expect(await until(isPreviewed)).toBe(true);
  const shown = await preview(manager, form.ids);
  const [once, delay] = [fieldOf(shown, 'once'), fieldOf(shown, 'delay')];
  for (const each of [shown, await manager.post(confirmPath, { ids: form.ids, once, delay, count: '7' })])
    expect(textOf(each)).toMatch(
      /Allowed in addition to the limit: 2 jobs, until [^.]* UTC ?\. See or end them/,
    );
});
