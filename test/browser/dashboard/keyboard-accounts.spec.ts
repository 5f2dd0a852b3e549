import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { addPasskey, enrol, inviteTo, signInWith } from '@jobs-delete/dashboard/testing/enrol';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { auditPage, pressOn, typeInto } from '../page-actions.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'persons and lists of the dashboard with the keyboard alone', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let owner: SignedInBrowser;
  beforeAll(async () => (owner = await visitor.signIn('acme', 'owner')));
  const open = async (path: string, member?: Pick<SignedInBrowser, 'cookies'>) => {
    const page = await visitor.openBrowser({}, member);
    await page.goto(path);
    return page;
  };
  const enrolled = (email: string) => enrol(visitor.dashboard(), 'acme', email);
  /** Presses Enter on a link, and returns the file that it leads to. Chromium counts its request as ended early. */
  const download = async (page: Page, selector: string) => {
    const started = page.waitForEvent('download');
    await pressOn(page, selector);
    const text = readFileSync(await (await started).path(), 'utf8');
    expect(visitor.takeFaults().filter((fault) => !fault.includes('/export.csv'))).toEqual([]);
    return text;
  };

  test('another session is ended', async () => {
    const first = await enrolled('sessions@acme.example');
    const other = visitor.dashboard().browser();
    await signInWith(other, first.authenticator);
    const page = await open('/profile', other);
    await pressOn(page, 'form[action$="/profile/sessions/end-others"] button');
    await page.waitForURL('**/profile?notice=*');
    expect(await first.get('/keys')).toMatchObject({ status: 303 });
  });

  test('a person chooses another account from a list, which Escape closes', async () => {
    const person = await enrolled('two@acme.example');
    const link = await inviteTo(visitor.dashboard(), 'other', 'two@other.example');
    await person.get(link);
    await person.post(link);
    const page = await open('/a/acme/overview', person);
    await pressOn(page, '.open-accounts');
    expect(await page.locator('#accounts [aria-current]').textContent()).toBe('acme');
    expect(await auditPage(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('#accounts').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await pressOn(page, '#accounts [value=other]');
    await page.waitForURL('**/a/other/overview');
  });

  test('a passkey is removed', async () => {
    const ada = await enrolled('methods@acme.example');
    await addPasskey(visitor.dashboard(), ada);
    const page = await open('/profile', ada);
    expect(await page.locator('form[action$="/profile/passkeys/remove"]').count()).toBe(2);
    await pressOn(page, 'form[action$="/profile/passkeys/remove"] button');
    await page.waitForURL('**/profile?notice=passkey*');
    expect(await page.locator('form[action$="/profile/passkeys/remove"]').count()).toBe(0);
  });

  test('deletions are filtered, found and exported', async () => {
    const deletion = await visitor.scene().accept('acme', { jobs: 2 });
    const page = await open('/activity', owner);
    await typeInto(page, '[name=id]', deletion.id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/activity/${deletion.id}`);
    await pressOn(page, 'nav a[href$="/activity"]');
    await page.waitForURL('**/activity');
    await pressOn(page, 'details:has([name=state]) summary');
    await typeInto(page, '.filters [name=state]', 'Acc');
    await pressOn(page, '.filters [name=from]');
    await page.waitForURL('**/activity?state=accepted*');
    expect(await download(page, 'a[href*="/activity/export.csv?"]')).toContain(deletion.id);
  });

  test('the trail is filtered and exported', async () => {
    await enrolled('trail@acme.example');
    const page = await open('/trail', owner);
    await typeInto(page, 'main [name=action]', 'Person joined');
    await pressOn(page, 'main form button');
    await page.waitForURL('**/trail?actor=&action=person.*');
    expect(await download(page, 'a[href*="/trail/export.csv?"]')).toContain('person.joined');
  });

  test('the language is switched', async () => {
    const page = await open('/keys', owner);
    await pressOn(page, 'footer a[href$="/profile#settings"]');
    await page.waitForURL('**/profile*');
    await typeInto(page, '[name=language]', 'Fr');
    await pressOn(page, 'form[action$="/profile/settings"] button:not([type])');
    await page.locator('html[lang=fr]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/a/acme/profile');
  });

  test('the language of the sign-in is switched', async () => {
    const page = await visitor.openBrowser();
    await page.goto('/sign-in');
    await pressOn(page, 'footer button[value=es]');
    await page.locator('html[lang=es]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});
