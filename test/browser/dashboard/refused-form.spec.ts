import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the history after a refused form, with script', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  /** Chromium logs each page whose status is an error. */
  const takeFaults = () => visitor.takeFaults().filter((fault) => !fault.includes('status of 422'));

  /** Opens a page as a manager. Returns the methods of the requests for pages too. */
  const open = async (path: string) => {
    const page = await visitor.openBrowser({}, await visitor.signIn('refused', 'manager'));
    const methods: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) methods.push(request.method());
    });
    await page.goto(path);
    return { page, methods };
  };
  /** The script runs before the end of the load. */
  const waitForRefusal = async (page: Page) => {
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.waitForLoadState();
  };
  const send = async (page: Page) => {
    await page.locator('main form[method=post] button:not([form])').last().click();
    await waitForRefusal(page);
  };

  test('a reload and Back show the form with its input, and send nothing', async () => {
    const { page, methods } = await open('/keys/new');
    const { href } = new URL(page.url());
    const name = 'Import\u200b';
    await page.locator('[name=create][value=token]').check();
    await page.locator('[name=name]').fill(name);
    await page.locator('[name=expiry]').selectOption('30');
    await send(page);
    const input = async () => [
      page.url(),
      await page.locator('[name=create]:checked').inputValue(),
      await page.locator('[name=name]').inputValue(),
      await page.locator('[name=expiry]').inputValue(),
    ];
    const sent = [href, 'token', name, '30'];
    expect(await input()).toEqual(sent);
    methods.length = 0;
    await page.reload();
    expect(await input()).toEqual(sent);
    await page.goto('/activity');
    await page.goBack();
    expect(await input()).toEqual(sent);
    expect(methods).not.toContain('POST');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);

    await page.locator('[name=name]').fill('Import');
    await page.locator('main form[method=post] button').last().click();
    await page.locator('button[data-saved]').waitFor();
    expect(takeFaults()).toEqual([]);
  });

  test('a reload shows the page with its query', async () => {
    const use = { accountId: 'refused', domain: 'https://shop.example' };
    await visitor.dashboard().accounts.allowDomain(use.accountId, use.domain);
    await visitor.dashboard().accounts.recordDomainUse([use], Date.now());
    const { page } = await open(`/domains/remove?domain=${encodeURIComponent(use.domain)}`);
    const { href } = new URL(page.url());
    await page.locator('[name=name]').fill('https://else.example');
    await send(page);
    await page.reload();
    expect([page.url(), await page.locator('[name=name]').inputValue()]).toEqual([
      href,
      'https://else.example',
    ]);
    expect(takeFaults()).toEqual([]);
  });

  test('a reload shows the page of a form that another page has sent', async () => {
    await visitor.service().operator.importJobs('refused', ['Refused1']);
    const { page, methods } = await open('/jobs');
    await page.evaluate("document.querySelector('[name=ids]').value = 'no id'");
    await page.locator('[name=ids]').check();
    await page.locator('form[action$="/jobs/delete"] button').last().click();
    await waitForRefusal(page);
    methods.length = 0;
    await page.reload();
    expect(await page.locator('textarea').inputValue()).toBe('no id');
    expect([new URL(page.url()).pathname, methods]).toEqual(['/a/refused/jobs/delete', ['GET']]);
    expect(takeFaults()).toEqual([]);
  });

  test('no input is in the form for another session', async () => {
    const { page } = await open('/sandbox');
    await page.locator('[name=ids]').fill('Typed001');
    await page.evaluate("document.querySelector('form[data-replaces]').submit()");
    await waitForRefusal(page);
    await page.reload();
    expect(await page.locator('[name=ids]').inputValue()).toBe('Typed001');

    const other = await visitor.signIn('refused', 'manager');
    const value = other.cookies.get('session') ?? '';
    await page.context().addCookies([{ name: 'session', value, url: visitor.origin(), httpOnly: true }]);
    await page.reload();
    expect(await page.locator('[name=ids]').inputValue()).not.toBe('Typed001');
    expect(takeFaults()).toEqual([]);
  });
});
