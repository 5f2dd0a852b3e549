import { beforeAll, expect, test } from '@jest/globals';
import { inviteTo } from '@jobs-delete/dashboard/testing/enrol';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { createClient, type Client } from '../../http/client.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { addVirtualAuthenticator, pressOn, tabTo, typeInto } from '../page-actions.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the dashboard with the keyboard alone', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let client: Client;
  let owner: SignedInBrowser;
  beforeAll(async () => {
    client = await createClient(visitor.service(), 'acme');
    owner = await visitor.signIn('acme', 'owner');
  });
  const openAs = async (path: string, member?: SignedInBrowser) => {
    const page = await visitor.openBrowser({}, member);
    await page.goto(path);
    return page;
  };

  test('the first stop skips the menu', async () => {
    const page = await openAs('/keys', owner);
    await pressOn(page, '.skip');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  test('an owner creates a token and a secret key, and sees them once', async () => {
    const page = await openAs('/keys', owner);
    await pressOn(page, 'a[href$="/keys/new"]');
    await page.waitForURL('**/keys/new');
    await typeInto(page, '[name=name]', 'From the keyboard');
    await page.keyboard.press('Enter');
    const secrets = [
      (await page.locator('#token').textContent()) ?? '',
      (await page.locator('#secret-key').textContent()) ?? '',
    ];
    for (const secret of secrets) expect(secret.length).toBeGreaterThan(40);
    expect(await page.locator('#python').isVisible()).toBe(false);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pressOn(page, '[data-copies=env]');
    await page.locator('[data-copies=env]', { hasText: 'Copied' }).waitFor();
    const [token = '', secretKey = ''] = secrets;
    const lines = `JOBS_DELETE_TOKEN=${token}\nJOBS_DELETE_SECRET_KEY=${secretKey}\n`;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(lines);
    await tabTo(page, '[name=example]');
    for (let tab = 0; tab < 2; tab += 1) await page.keyboard.press('ArrowRight');
    const shown = ['curl', 'javascript', 'python', 'client'].map((id) => page.locator(`#${id}`).isVisible());
    expect(await Promise.all(shown)).toEqual([false, false, true, false]);
    expect(await page.locator('#python').textContent()).toContain(secrets[0]);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const goBack = async () => {
      await page.locator('.back a').focus();
      await page.keyboard.press('Enter');
    };
    await goBack();
    // It asks once for both.
    expect(await page.locator('[data-saved]').count()).toBe(1);
    await page.locator('[data-saved]').focus();
    await page.keyboard.press('Enter');
    expect(asked).toEqual(['beforeunload']);
    expect(await page.locator('.secrets .actions .badge').textContent()).toBe('Saved');
    expect(await page.locator('.secrets .actions [data-saved]').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('#open').waitFor();
    expect(asked).toEqual(['beforeunload']);
    expect(await page.getByText('From the keyboard').first().isVisible()).toBe(true);
    for (const secret of secrets) expect(await page.content()).not.toContain(secret);
    // The page of the secrets has left the history. Back neither shows the secrets nor asks to send their form again.
    await page.goBack();
    await page.locator('[name=create]').first().waitFor();
    expect(asked).toEqual(['beforeunload']);
    for (const secret of secrets) expect(await page.content()).not.toContain(secret);
  });

  test('Forward leads to the list of keys after Back from secrets that are saved, and a button copies a public id', async () => {
    const page = await openAs('/keys/new', owner);
    await typeInto(page, '[name=name]', 'Career site');
    await page.keyboard.press('Enter');
    await page.locator('#token').waitFor();
    await pressOn(page, '[data-saved]');
    await page.goBack();
    await page.locator('[name=create]').first().waitFor();
    await page.goForward();
    await page.waitForURL('**/keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const row = page.locator('tr', { hasText: 'Career site' }).first();
    await row.getByRole('button', { name: 'Copy the id: Career site' }).focus();
    await page.keyboard.press('Enter');
    await row.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const id = await row.locator('code').getAttribute('title');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id);
  });

  test('an owner allows a domain', async () => {
    const page = await openAs('/domains', owner);
    await typeInto(page, '[name=domain]', '*.keyboard.example');
    await page.locator('#preview li', { hasText: 'Passes: https://a.b.keyboard.example' }).waitFor();
    expect(await page.locator('#preview').textContent()).toContain('Refused: https://keyboard.example');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('https://keyboard.example');
    await page.locator('#preview li', { hasText: 'Refused: http://keyboard.example' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/domains?notice=*');
    expect(await visitor.dashboard().accounts.listDomains('acme')).toContain('https://keyboard.example');
  });

  test('a refused form has the focus on its first field with a problem, and a page without one has not', async () => {
    const page = await openAs('/jobs/delete', owner);
    const focused = () => page.evaluate('document.activeElement.name');
    expect(await focused()).toBeUndefined();
    await typeInto(page, '[name=ids]', 'bad');
    await pressOn(page, 'main form[method=post] button');
    await page.getByText('Not a job id: bad').waitFor();
    expect(await focused()).toBe('ids');
    await page.goto('/sandbox');
    await typeInto(page, '[name=ids]', 'ABC123');
    await pressOn(page, 'form[data-replaces] button:not([form])');
    await page.locator('[name=secretKey][aria-invalid]').waitFor();
    expect(await focused()).toBe('token');
    await page.goto('/people/invite');
    await typeInto(page, '[name=email]', 'not-mail');
    await page.keyboard.press('Enter');
    await page.locator('[name=email][aria-invalid]').waitFor();
    expect(await focused()).toBe('email');
    await page.goto('/domains');
    await pressOn(page, '#trial button');
    await page.getByText('Enter an origin.').waitFor();
    expect(visitor.takeFaults()).not.toEqual([]);
  });

  test('an owner invites a person', async () => {
    const page = await openAs('/people', owner);
    await pressOn(page, 'a[href$="/people/invite"]');
    await page.waitForURL('**/people/invite');
    await typeInto(page, '[name=email]', 'grace@example.com');
    await page.keyboard.press('Enter');
    expect(await page.locator('#link').textContent()).toContain(`${visitor.origin()}/link/`);
  });

  test('an invited person joins with a passkey, signs in with it, adds another one, and confirms', async () => {
    const page = await openAs(await inviteTo(visitor.dashboard(), 'acme', 'ada@acme.example'));
    await addVirtualAuthenticator(page);
    await typeInto(page, '#add-passkey [name=name]', 'Zoës Schlüssel');
    await pressOn(page, '#add-passkey button');
    await page.waitForURL('**/overview?notice=joined');
    await pressOn(page, 'form[action="/sign-out"] button');
    await page.waitForURL('**/sign-in?notice=*');
    await pressOn(page, '#passkey-sign-in button');
    await page.waitForURL('**/overview');
    await page.goto('/profile');
    expect(await page.getByText('Zoës Schlüssel').first().isVisible()).toBe(true);
    await page.goto('/sign-in/again?next=%2Fpeople');
    await pressOn(page, '#passkey-sign-in button');
    await page.waitForURL('**/people');
  });

  test('a person adds a passkey, and learns that a device takes one of each person', async () => {
    const page = await openAs('/profile', await visitor.signIn('acme', 'viewer'));
    await addVirtualAuthenticator(page);
    await typeInto(page, '#add-passkey [name=name]', 'My laptop');
    await pressOn(page, '#add-passkey button');
    await page.waitForURL('**/profile?notice=*');
    await page.getByText('My laptop').first().waitFor();
    await pressOn(page, '#add-passkey button');
    await page.getByText('This device already has one of your passkeys.').waitFor();
    expect(await page.getByText('The passkey was not used.').isVisible()).toBe(false);
  });

  test('a manager sends a request to the sandbox, which deletes nothing', async () => {
    const { token, secretKey, origin } = client.account;
    const [jobId = ''] = await client.newJobs(1);
    const page = await openAs('/sandbox', await visitor.signIn('acme', 'manager'));
    await pressOn(page, 'button[form]');
    const filledIn = page.getByText('The fields have a test key');
    await filledIn.waitFor();
    await typeInto(page, '[name=token]', token);
    await typeInto(page, '[name=secretKey]', secretKey);
    await typeInto(page, '[name=origin]', origin);
    await typeInto(page, '[name=ids]', jobId);
    await tabTo(page, 'form[data-replaces] button:not([form])');
    await page.keyboard.press('Enter');
    await page.locator('#answer').getByText(jobId).first().waitFor();
    expect(await page.locator('#answer').textContent()).toContain('200');
    expect(await filledIn.isVisible()).toBe(true);
    const job = await visitor.service().operator.store.findJob('acme', jobId);
    expect(job?.deletionId).toBeUndefined();

    await page.route('**/sandbox', (route) => route.abort());
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Send to the sandbox');
    await page.keyboard.press('Enter');
    await page.getByText('Your input is still here').waitFor();
    expect(await page.locator('[name=token]').inputValue()).toBe(token);
    await page.locator('#answer').getByText('Request sent').click();
    expect(await page.getByRole('button', { name: 'Copy the command' }).isVisible()).toBe(true);
    expect(visitor.takeFaults()).not.toEqual([]);
  });
});
