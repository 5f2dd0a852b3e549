import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { addFactor, addPasskey, enrol, inviteTo, testPassword } from '@jobs-delete/dashboard/testing/enrol';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { pressOn, typeInto } from '../tab-to.ts';
import { visitDashboard } from './visit-dashboard.ts';

const newPassword = 'seven lamps above a harbour';

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
  const personOf = (email: string) => visitor.dashboard().accounts.findPersonByEmail(email);

  test('an invitation is accepted with a password', async () => {
    const page = await open(await inviteTo(visitor.dashboard(), 'acme', 'invited@acme.example'));
    await pressOn(page, 'main form button');
    await page.waitForURL('**/sign-in/next');
    await typeInto(page, '[name=password]', testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/keys');
    expect((await personOf('invited@acme.example'))?.passwordHash).toBeDefined();
  });

  test('a recovery code signs in', async () => {
    const factor = await addFactor(await enrolled('codes@acme.example'));
    const page = await open('/sign-in');
    await typeInto(page, '[name=email]', 'codes@acme.example');
    await typeInto(page, '[name=password]', testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sign-in\/next\b/);
    await typeInto(page, '[name=code]', factor.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/keys');
    expect((await personOf('codes@acme.example'))?.recoveryCodes).toHaveLength(
      factor.recoveryCodes.length - 1,
    );
  });

  test('a member signs in again, and chooses a new password', async () => {
    const page = await open('/sign-in/again?next=%2Fprofile', await enrolled('again@acme.example'));
    const before = (await personOf('again@acme.example'))?.passwordHash;
    await typeInto(page, '[name=password]', testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    await typeInto(page, '[name=password]', newPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile?notice=*');
    expect((await personOf('again@acme.example'))?.passwordHash).not.toBe(before);
  });

  test('another session is ended', async () => {
    const first = await enrolled('sessions@acme.example');
    const page = await open('/sign-in');
    await typeInto(page, '[name=email]', 'sessions@acme.example');
    await typeInto(page, '[name=password]', testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/keys');
    await pressOn(page, 'a[href="/profile"]');
    await page.waitForURL('**/profile');
    await pressOn(page, 'form[action="/profile/sessions/end-others"] button');
    await page.waitForURL('**/profile?notice=*');
    expect(await first.get('/keys')).toMatchObject({ status: 303 });
  });

  test('a passkey and a second factor are removed', async () => {
    const ada = await enrolled('methods@acme.example');
    await addPasskey(visitor.dashboard(), ada);
    await addFactor(ada);
    const page = await open('/profile', ada);
    await pressOn(page, 'form[action="/profile/passkeys/remove"] button');
    await page.waitForURL('**/profile?notice=passkey*');
    await pressOn(page, 'form[action="/profile/totp/remove"] button');
    await page.waitForURL('**/profile?notice=second*');
    const person = await personOf('methods@acme.example');
    expect(person?.passkeys).toEqual([]);
    expect(person?.totp).toBeUndefined();
  });

  test('deletions are filtered, found and exported', async () => {
    const deletion = await visitor.scene().accept('acme', { jobs: 2 });
    const page = await open('/activity', owner);
    await typeInto(page, '[name=id]', deletion.id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/activity/${deletion.id}`);
    await pressOn(page, 'nav a[href="/activity"]');
    await page.waitForURL('**/activity');
    await typeInto(page, '.filters [name=state]', 'Acc');
    await pressOn(page, '.filters [name=from]');
    await page.waitForURL('**/activity?state=accepted*');
    expect(await download(page, 'a[href^="/activity/export.csv?"]')).toContain(deletion.id);
  });

  test('the trail is filtered and exported', async () => {
    await enrolled('trail@acme.example');
    const page = await open('/trail', owner);
    await typeInto(page, 'main [name=action]', 'Person');
    await pressOn(page, 'main form button');
    await page.waitForURL('**/trail?action=person.*');
    expect(await download(page, 'a[href^="/trail/export.csv"]')).toContain('person.joined');
  });

  test('the language is switched', async () => {
    const page = await open('/keys', owner);
    await typeInto(page, '[name=language]', 'Fr');
    await pressOn(page, 'form[action="/language"] button');
    await page.waitForFunction('document.documentElement.lang === "fr"');
    expect(new URL(page.url()).pathname).toBe('/keys');
  });
});
