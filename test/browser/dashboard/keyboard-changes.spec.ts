import { beforeAll, expect, test } from '@jest/globals';
import { issueCredential } from '@jobs-delete/accounts/credentials/credential';
import { invitePerson } from '@jobs-delete/accounts/people/invitations';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { packWorkbook, textRow } from '@jobs-delete/dashboard/testing/workbook';
import type { Page, Route } from 'playwright-core';
import { until } from '../../harness/until.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { pressOn, tabTo, typeInto } from '../page-actions.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'changes in the dashboard with the keyboard alone', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let owner: SignedInBrowser;
  beforeAll(async () => (owner = await visitor.signIn('acme', 'owner')));
  const open = async (path: string, member: Pick<SignedInBrowser, 'cookies'> = owner) => {
    const page = await visitor.openBrowser({}, member);
    await page.goto(path);
    return page;
  };
  const newToken = async (name: string) => {
    const pepper = readOrCreatePepper(visitor.service().dataDir);
    const request = { kind: 'token', accountId: 'acme', name } as const;
    const issued = await issueCredential(visitor.dashboard().accounts, pepper, request, Date.now);
    if (issued.kind !== 'issued') throw new Error('no token was issued');
    return issued.credential.id;
  };

  const choose = (page: Page, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'jobs', mimeType: '', buffer });
  const workbook = (...rows: readonly (readonly string[])[]) =>
    Buffer.from(packWorkbook(rows.map((texts) => textRow(...texts)).join('')));
  const sendIds = async (page: Page) => {
    await until(async () => (await page.locator('[name=ids]').inputValue()) !== '');
    await pressOn(page, 'main form[method=post] button');
  };
  const confirm = async (page: Page, jobs: string, send = () => pressOn(page, 'button.danger')) => {
    await page.locator('[name=count]').waitFor({ state: 'attached' });
    if (jobs !== '1') await typeInto(page, '[name=count]', jobs);
    await send();
    await page.waitForURL('**/activity/*?notice=*');
    return page.url();
  };

  test('a key is replaced, then revoked', async () => {
    const id = await newToken('To replace');
    const page = await open('/keys');
    await pressOn(page, `a[href$="/keys/token/${id}/rotate"]`);
    await page.waitForURL('**/rotate');
    await pressOn(page, 'main form button:not([name])');
    await page.locator('#token').waitFor();
    await page.goto(`/keys/token/${id}/revoke`);
    await pressOn(page, 'button.danger');
    await page.waitForURL(`**/keys/token/${id}?notice=key-revoked`);
    const tokens = await visitor.dashboard().accounts.listCredentials('token', 'acme');
    const states = tokens
      .filter(({ name }) => name === 'To replace')
      .map((token) => [token.id === id, token.revokedAtMs !== undefined]);
    expect(states).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  test('a key is renamed, then paused', async () => {
    const id = await newToken('Old name');
    const page = await open('/keys');
    await pressOn(page, `main a[href$="/keys/token/${id}"]`);
    await page.waitForURL(`**/${id}`);
    await pressOn(page, 'a[href$="/rename"]');
    await page.waitForURL('**/rename');
    await typeInto(page, '[name=name]', 'New name');
    await page.keyboard.press('Enter');
    await page.waitForURL('**?notice=key-renamed');
    await pressOn(page, 'a[href$="/pause"]');
    await page.waitForURL('**/pause');
    await pressOn(page, 'main form button');
    await page.waitForURL('**?notice=key-paused');
    const token = await visitor.dashboard().accounts.findCredential({ kind: 'token', id });
    expect([token?.name, token?.pausedAtMs !== undefined]).toEqual(['New name', true]);
  });

  test('a domain is tested, then removed', async () => {
    await visitor.dashboard().accounts.allowDomain('acme', 'old.example');
    const page = await open('/domains');
    await typeInto(page, '[name=origin]', 'https://old.example');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/domains?origin=*#trial');
    // The keyboard stands at the answer, above the list.
    await page.goto('/domains');
    await pressOn(page, 'a[href$="/domains/remove?domain=old.example"]');
    await page.waitForURL('**/domains/remove*');
    await pressOn(page, 'button.danger');
    await page.waitForURL('**/domains?notice=*');
    expect(await visitor.dashboard().accounts.listDomains('acme')).not.toContain('old.example');
  });

  test('a person gets another role, then is removed', async () => {
    const { person } = await visitor.signIn('acme', 'viewer');
    const rolesNow = async () => (await visitor.dashboard().accounts.findPerson(person.id))?.memberships;
    const page = await open(`/people/${person.id}`);
    await tabTo(page, '[name=role]');
    await page.keyboard.press('Space');
    await pressOn(page, `form[action$="/people/${person.id}/role"] button`);
    await page.waitForURL('**/people*notice=*');
    expect(await rolesNow()).toMatchObject([{ accountId: 'acme', role: 'manager' }]);
    await page.goto('/people');
    await pressOn(page, `a[href$="/people/${person.id}/remove"]`);
    await page.waitForURL(`**/people/${person.id}/remove`);
    await pressOn(page, 'button.danger');
    await page.waitForURL('**/people?notice=*');
    expect(await rolesNow()).toBeUndefined();
  });

  test('an invitation is withdrawn', async () => {
    const { accounts } = visitor.dashboard();
    const request = { accountId: 'acme', email: 'grace@example.com', role: 'viewer' } as const;
    await invitePerson(
      accounts,
      { ...request, invitedBy: { id: owner.person.id, email: owner.email } },
      Date.now,
    );
    const page = await open('/people');
    await pressOn(page, 'a[aria-label="Withdraw grace@example.com"]');
    await page.waitForURL('**/people/withdraw?*');
    await pressOn(page, 'button.danger');
    await page.waitForURL('**/people?notice=*');
    expect(await accounts.listInvitations('acme', Date.now())).toEqual([]);
  });

  test('jobs of a search are selected by a range or all at once, but one, and deleted', async () => {
    await visitor.service().operator.importJobs('acme', ['Found001', 'Found002', 'Found003']);
    const page = await open('/jobs?find=found00');
    const all = page.locator('[data-selects] input');
    const boxes = page.locator('[name=ids]');
    const checked = () => boxes.evaluateAll((each) => each.map((box) => (box as HTMLInputElement).checked));
    const button = page.locator('form button.danger');
    expect(await button.isVisible()).toBe(false);
    await all.press('Space');
    expect(await checked()).toEqual([true, true, true]);
    expect(await button.isVisible()).toBe(true);
    await page.getByText('Clear').press('Enter');
    expect([await checked(), await button.isVisible()]).toEqual([[false, false, false], false]);
    await boxes.nth(2).click();
    await boxes.nth(0).click({ modifiers: ['Shift'] });
    expect(await checked()).toEqual([true, true, true]);
    await page.getByText('Clear').press('Enter');
    await all.press('Space');
    await boxes.nth(1).press('Space');
    expect(await all.isChecked()).toBe(false);
    await boxes.nth(1).press('Space');
    expect(await all.isChecked()).toBe(true);
    await boxes.nth(1).press('Space');
    await button.press('Enter');
    await page.getByText('2 jobs will be deleted.').waitFor();
    await confirm(page, '2');
  });

  test('a selection stays from page to page and over Back, is sent as a whole, and ends with its deletion', async () => {
    const jobIds = Array.from({ length: 70 }, (_, index) => `Paged${String(100 + index)}`);
    await visitor.service().operator.importJobs('acme', jobIds);
    const page = await open('/jobs?find=paged1');
    const box = (id: string) => page.locator(`[name=ids][value=${id}]`);
    const count = page.locator('output strong');
    for (const isShown of [true, false]) {
      await page.locator('[data-selects] input').press('Space');
      expect(await page.locator('form a.danger').isVisible()).toBe(isShown);
    }
    for (const id of ['Paged100', 'Paged101', 'Paged102']) await box(id).press('Space');
    await page.getByText('Next jobs').click();
    await box('Paged165').press('Space');
    expect(await count.textContent()).toBe('4');
    await page.goBack();
    expect(await box('Paged101').isChecked()).toBe(true);
    await box('Paged101').press('Space');
    expect(await count.textContent()).toBe('3');
    await page.locator('form button.danger').press('Enter');
    await page.getByText('3 jobs will be deleted.').waitFor();
    expect(await page.locator('ul.ids').textContent()).toBe('Paged100Paged102Paged165');
    await page.goBack();
    expect(await count.textContent()).toBe('3');
    await page.locator('form button.danger').press('Enter');
    await confirm(page, '3');
    await page.goto('/jobs?find=paged1');
    expect(await count.textContent()).toBe('0');
  });

  test('jobs are deleted by a feed that is larger than a form', async () => {
    const jobIds = Array.from({ length: 1_000 }, (_, index) => `Feed${String(index)}`);
    await visitor.service().operator.importJobs('acme', jobIds);
    const page = await open('/jobs/delete');
    // Windows-1252 that was read as Latin-1 has control characters.
    const text = `A & B \u0092`.repeat(500);
    const jobs = jobIds.map((id) => `<job><text>${text}</text><id>${id}</id></job>`);
    const feed = `<?xml version="1.0"?><feed>${jobs.join('').replaceAll('&', '&amp;')}</feed>`;
    await choose(page, Buffer.from(feed));
    await sendIds(page);
    await page.waitForURL('**/jobs/delete');
    await page.getByText('1,000 jobs will be deleted.').waitFor();
    await confirm(page, '1000');
  });

  test('jobs are deleted by a workbook, and Enter leaves out what the preview offers to add', async () => {
    await visitor.service().operator.importJobs('acme', ['Book0001', 'Book0002', 'book0003']);
    const page = await open('/jobs/delete');
    await choose(
      page,
      workbook(['Title', 'ID'], ['', 'BOOK0003'], ['Cook', 'Book0001'], ['Driver', 'Book0002']),
    );
    await sendIds(page);
    await page.getByText('2 jobs will be deleted.').waitFor();
    expect(await page.locator('ul.ids').first().textContent()).toBe('Book0001Book0002');
    expect(await page.locator('button[name=spell]').isVisible()).toBe(true);
    await confirm(page, '2', () => page.keyboard.press('Enter'));
  });

  test('Back and Forward show the preview again until the sign-out, and it leads to the accepted deletion', async () => {
    await visitor.service().operator.importJobs('acme', ['Back0001']);
    const page = await open('/jobs/delete', await visitor.signIn('acme', 'owner'));
    await typeInto(page, '[name=ids]', 'Back0001');
    await sendIds(page);
    const found = page.getByText('1 job will be deleted.');
    const accepted = await confirm(page, '1');
    await page.goBack();
    await found.waitFor();
    await page.goBack();
    await page.locator('textarea').waitFor();
    await page.goForward();
    await found.waitFor();
    await pressOn(page, '[data-accepted] a');
    await page.waitForURL(accepted.split('?', 1)[0] ?? '');
    await pressOn(page, 'form[action="/sign-out"] button');
    await page.waitForURL('**/sign-in*');
    const refused = page.waitForEvent('requestfailed');
    // The timer runs after the answer of evaluate, which a navigation would lose.
    await page.evaluate('void setTimeout(() => history.go(-2))');
    expect((await refused).failure()?.errorText).toBe('net::ERR_CACHE_MISS');
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('/jobs/delete: net::ERR_CACHE_MISS')]);
  });

  test('a file that can’t be read is refused with the way out, and another one is read after it', async () => {
    const page = await open('/jobs/delete');
    const wayOut = page.getByText('copy the column with the ids, and paste it here');
    await choose(page, Buffer.from(`PK\u0003\u0004${'\0'.repeat(500_000)}`));
    await wayOut.waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('ids');
    await choose(page, workbook(['id'], ['Book0003']));
    await wayOut.waitFor({ state: 'detached' });
    expect(await page.locator('[name=ids]').inputValue()).toBe('Book0003');
    // A picture, a workbook that is too large for the form, and an older format.
    for (const [start, size] of [
      ['\u0089PNG\r\n\u001a\n', 0],
      ['PK\u0003\u0004', 2_000_000],
      ['\u00d0\u00cf\u0011\u00e0', 2_000_000],
    ] as const) {
      await choose(page, Buffer.from(start + '\0'.repeat(size), 'latin1'));
      await wayOut.waitFor();
      expect(await page.locator('[name=ids]').inputValue()).toBe('');
      await page.goto('/jobs/delete');
    }
    expect(visitor.takeFaults()).toEqual(Array(4).fill(expect.stringContaining('status of 422')));
  });

  test('a workbook that gets no answer is not called damaged, and can be sent again', async () => {
    const page = await open('/jobs/delete');
    const notSent = page.getByText('The file could not be sent.');
    const sent = '**/jobs/delete/file';
    for (const fail of [(route: Route) => route.abort(), (route: Route) => route.fulfill({ status: 503 })]) {
      await page.route(sent, fail);
      await choose(page, workbook(['id'], ['Book0004']));
      await notSent.waitFor();
      expect(await page.locator('[name=ids]').inputValue()).toBe('');
      await page.unroute(sent);
      await choose(page, workbook(['id'], ['Book0005']));
      await notSent.waitFor({ state: 'hidden' });
      await until(async () => (await page.locator('[name=ids]').inputValue()) === 'Book0005');
    }
    // A browser reports a lost connection twice.
    expect(visitor.takeFaults()).toHaveLength(3);

    await page.route(sent, (route) =>
      route.fulfill({ status: 303, headers: { location: '/sign-in?next=%2Fa%2Facme%2Fjobs' } }),
    );
    await choose(page, workbook(['id'], ['Book0006']));
    await page.waitForURL('**/a/acme/jobs');
  });

  test('the page of a deletion follows it to its completion', async () => {
    const scene = visitor.scene();
    const deletion = await scene.accept('acme', { jobs: 2 });
    const page = await open(`/activity/${deletion.id}`);
    expect(await page.locator('#life').textContent()).toContain('Accepted');
    await page.evaluate('globalThis.isSamePage = true');
    await scene.complete(deletion);
    await page.locator('[data-unfinished]').waitFor({ state: 'detached' });
    expect(await page.locator('h1 + .head .badge').textContent()).toBe('Completed');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  });
});
