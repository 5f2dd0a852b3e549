import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import type { Session } from '@jobs-delete/accounts/people/people';
import { enrol, inviteTo } from '@jobs-delete/dashboard/testing/enrol';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { addVirtualAuthenticator } from '../page-actions.ts';
import { signInLink } from './page-answers.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'a form that is sent after the end of its session', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  const expire = ({ session }: SignedInBrowser) =>
    visitor.dashboard().accounts.changeSession(session.hash, { lastSeenAtMs: Date.now() - 13 * 3_600_000 });

  /** Follows the link of the page to the sign-in, in a new tab, and signs in there. */
  async function signInBeside(page: Page, member: SignedInBrowser): Promise<void> {
    const link = page.locator('main a[target=_blank]');
    const tab = await page.context().newPage();
    await tab.goto((await link.getAttribute('href')) ?? '');
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
  /** With script, a person without a passkey opens the way without it first. */
  const pressContinue = async (page: Page) => {
    const summary = page.locator('#passkey-continue summary');
    if (await summary.isVisible()) await summary.click();
    await page.locator('[form=late-form]:visible').click();
  };
  const pressButton = (page: Page) => page.locator('main form[method=post] button').last().click();

  /** The script has run at the end of the load. */
  const waitForSignIn = async (page: Page) => {
    await page.getByText('Sign in to continue').waitFor();
    await page.waitForLoadState();
  };

  /** Sends a form that is late, signs in beside it, and continues. */
  const sendLate = async (page: Page, manager: SignedInBrowser) => {
    await expire(manager);
    await pressButton(page);
    await waitForSignIn(page);
    await signInBeside(page, manager);
    await pressContinue(page);
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
      await page.locator('main form button.danger').click();
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
      await pressContinue(page);
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
      await waitForSignIn(page);
      await signInBeside(page, await visitor.signIn(account, 'manager'));
      await pressContinue(page);
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

  describe('with a passkey', () => {
    const path = '/domains/new';
    const account = 'late-passkey';

    /** Joins with a passkey of the machine. */
    const join = async () => {
      const email = `${randomUUID()}@late.example`;
      const page = await visitor.openBrowser();
      await addVirtualAuthenticator(page);
      await page.goto(await inviteTo(visitor.dashboard(), account, email, 'manager'));
      await page.locator('#add-passkey button').click();
      await page.waitForURL('**/overview?notice=joined');
      return page;
    };
    /** Sends the form of a session that has these times. */
    const sendWith = async (
      page: Page,
      times: Partial<Session>,
      domain: string,
      beforePasskey = () => Promise.resolve(),
    ) => {
      await page.goto(path);
      await page.locator('[name=domain]').fill(domain);
      const cookies = await page.context().cookies();
      const secret = cookies.find(({ name }) => name === 'session')?.value ?? '';
      await visitor.dashboard().accounts.changeSession(hashSecret(secret), times);
      await pressButton(page);
      await waitForSignIn(page);
      expect(await page.locator('main a[target=_blank]').isVisible()).toBe(false);
      await beforePasskey();
      await page.locator('#passkey-continue button').first().click();
    };
    const becomeOther = async (page: Page) => {
      const other = await enrol(visitor.dashboard(), account, `${randomUUID()}@late.example`);
      const value = other.cookies.get('session') ?? '';
      await page.context().addCookies([{ name: 'session', value, url: visitor.origin(), httpOnly: true }]);
    };

    test.each([{ provenAtMs: 0 }, { lastSeenAtMs: 0 }])(
      'the person continues on the page: %j',
      async (times: Partial<Session>) => {
        const page = await join();
        const domain = `https://${randomUUID()}.example`;
        await sendWith(page, times, domain);
        await page.getByText('Nothing was changed yet.').waitFor();
        expect(await page.locator('[name=domain]').inputValue()).toBe(domain);
        expect(page.context().pages()).toHaveLength(1);
        await pressButton(page);
        await page.waitForURL('**/domains?notice=*');
        expect(await visitor.dashboard().accounts.listDomains(account)).toContain(domain);
        expect(takeFaults()).toEqual([]);
      },
    );

    test('a passkey of another person sends nothing, and the input stays', async () => {
      const page = await join();
      await becomeOther(page);
      await sendWith(page, { provenAtMs: 0 }, 'https://other.example');
      await page.locator('[data-passkey-problem]').waitFor();
      expect(await page.locator('#late-form [name=domain]').inputValue()).toBe('https://other.example');
      expect(await visitor.dashboard().accounts.listDomains(account)).not.toContain('https://other.example');
      expect(takeFaults()).toEqual([]);
    });

    test('a page whose browser has another session by now says that the form has expired', async () => {
      const page = await join();
      await sendWith(page, { provenAtMs: 0 }, 'https://else.example', () => becomeOther(page));
      await page.getByText('The form has expired').first().waitFor();
      expect(await page.content()).not.toContain('else.example');
      expect(takeFaults()).toEqual([]);
    });
  });
});
