import { describe, expect, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { signInLink } from './page-answers.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'a form that is sent after the end of its session', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  const expire = ({ session }: SignedInBrowser) =>
    visitor.dashboard().accounts.changeSession(session.hash, { lastSeenAtMs: Date.now() - 13 * 3_600_000 });

  /** Follows the link of the page to the sign-in, in a new tab, and signs in there. */
  async function signInBeside(page: Page, member: SignedInBrowser): Promise<void> {
    const opened = page.waitForEvent('popup');
    await page.locator('main a[target=_blank]').click();
    const tab = await opened;
    await tab.waitForURL('**/sign-in?next=*');
    const next = new URL(tab.url()).searchParams.get('next') ?? '';
    await tab.goto(await signInLink(visitor, member));
    await tab.locator('main form button').click();
    await tab.waitForURL('**/a/**');
    await tab.goto(next);
    await tab.getByText('Close this tab').waitFor();
    await tab.close();
  }

  /** Chromium logs each page whose status is an error. */
  const takeFaults = () => visitor.takeFaults().filter((fault) => !/status of 4(03|22)/.test(fault));
  const pressButton = (page: Page) => page.locator('main form[method=post] button').last().click();

  /** Sends a form that is late, signs in beside it, and continues. */
  const sendLate = async (page: Page, manager: SignedInBrowser) => {
    await expire(manager);
    await pressButton(page);
    await page.getByText('Sign in to continue').waitFor();
    await signInBeside(page, manager);
    await pressButton(page);
    await page.getByText('Nothing was changed yet.').waitFor();
  };

  describe.each([true, false])('with script: %j', (javaScriptEnabled) => {
    const open = async (path: string, member: SignedInBrowser) => {
      const page = await visitor.openBrowser({ javaScriptEnabled }, member);
      await page.goto(path);
      return page;
    };
    const account = `late-${String(javaScriptEnabled)}`;

    test('a domain is there after the sign-in, and is allowed when it is sent again', async () => {
      const manager = await visitor.signIn(account, 'manager');
      const page = await open('/domains/new', manager);
      await page.locator('[name=domain]').fill('https://late.example');
      await sendLate(page, manager);
      expect(await page.locator('[name=domain]').inputValue()).toBe('https://late.example');
      expect(await visitor.dashboard().accounts.listDomains(account)).toEqual([]);

      await pressButton(page);
      await page.waitForURL('**/domains?notice=*');
      expect(await visitor.dashboard().accounts.listDomains(account)).toEqual(['https://late.example']);
      expect(takeFaults()).toEqual([]);
    });

    test('10,000 pasted ids are there after the sign-in, and are deleted once they are confirmed', async () => {
      const manager = await visitor.signIn(account, 'manager');
      const jobIds = ['Late0001', 'Late0002'];
      await visitor.service().operator.importJobs(account, jobIds);
      const unknown = Array.from({ length: 9_998 }, (_, index) => String(index).padStart(120, 'Unknown'));
      const ids = [...jobIds, ...unknown].join('\n');
      const page = await open('/jobs/delete', manager);
      // Typing so much takes minutes.
      await page.evaluate(`document.querySelector('[name=ids]').value = ${JSON.stringify(ids)}`);
      await sendLate(page, manager);
      expect((await page.locator('textarea').inputValue()) === ids).toBe(true);

      await pressButton(page);
      await page.getByText('2 jobs will be deleted.').waitFor();
      await page.locator('[name=count]').fill('2');
      await page.locator('main form .danger').click();
      await page.waitForURL('**/activity/*?notice=deletion-accepted');
      expect(takeFaults()).toEqual([]);
    });

    test('somebody without a passkey opens a sign-in link in another tab, and sends the form again', async () => {
      const manager = await visitor.signIn(account, 'manager');
      const page = await open('/domains/new', manager);
      await page.locator('[name=domain]').fill('https://link.example');
      await visitor.dashboard().accounts.changeSession(manager.session.hash, { provenAtMs: 0 });
      await pressButton(page);
      await page.getByText('Without a passkey, ask the operator').waitFor();
      expect(await page.locator('main a[target=_blank]').count()).toBe(0);

      const tab = await page.context().newPage();
      await tab.goto(await signInLink(visitor, manager));
      await tab.locator('main form button').click();
      await tab.waitForURL('**/a/**');
      await pressButton(page);
      await page.getByText('Nothing was changed yet.').waitFor();
      await pressButton(page);
      await page.waitForURL('**/domains?notice=*');
      expect(await visitor.dashboard().accounts.listDomains(account)).toContain('https://link.example');
      expect(takeFaults()).toEqual([]);
    });

    test('another person who signs in gets an empty form', async () => {
      const manager = await visitor.signIn(account, 'manager');
      const page = await open('/domains/new', manager);
      await page.locator('[name=domain]').fill('https://own.example');
      await expire(manager);
      await pressButton(page);
      await signInBeside(page, await visitor.signIn(account, 'manager'));
      await pressButton(page);
      await page.getByText('The form has expired').first().waitFor();
      expect(await page.content()).not.toContain('own.example');
      await page.goto('/domains/new');
      expect(await page.locator('[name=domain]').inputValue()).toBe('');
      expect(takeFaults()).toEqual([]);
    });

    test('a request to the sandbox is there after the sign-in, without token and secret key', async () => {
      const manager = await visitor.signIn(account, 'manager');
      const page = await open('/sandbox', manager);
      await page.locator('[name=token]').fill('jdt_late');
      await page.locator('[name=ids]').fill('Late0001');
      await sendLate(page, manager);
      expect(await page.locator('[name=ids]').inputValue()).toBe('Late0001');
      expect(await page.locator('[name=token]').inputValue()).toBe('');
      expect(takeFaults()).toEqual([]);
    });
  });
});
