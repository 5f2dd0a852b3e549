import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the history after a form, with script', (executablePath) => {
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

  test('a reload and Back open the page of the form, and send nothing', async () => {
    const { page, methods } = await open('/keys/new');
    const { href } = new URL(page.url());
    await page.locator('[name=name]').fill('Import\u200b');
    await send(page);
    methods.length = 0;
    const shown = async () => [page.url(), await page.locator('[aria-invalid=true]').count()];
    await page.reload();
    expect(await shown()).toEqual([href, 0]);
    await page.goto('/activity');
    await page.goBack();
    expect(await shown()).toEqual([href, 0]);
    expect(methods).not.toContain('POST');
    expect(takeFaults()).toEqual([]);
  });

  test('Back leads to secrets that were left before they were saved, and sends nothing', async () => {
    const { page, methods } = await open('/keys/new');
    await page.locator('[name=name]').fill('Left too soon');
    await page.locator('main form[method=post] button:not([form])').last().click();
    const secret = await page.locator('#token').textContent();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.locator('.back a').click();
    await page.waitForURL('**/keys');
    methods.length = 0;
    await page.goBack();
    expect(await page.locator('#token').textContent()).toBe(secret);
    expect(methods).not.toContain('POST');
    expect(takeFaults()).toEqual([]);
  });

  test('a reload shows the page with its query', async () => {
    const use = { accountId: 'refused', domain: 'https://shop.example' };
    await visitor.dashboard().accounts.allowDomain(use.accountId, use.domain);
    await visitor.dashboard().accounts.recordDomainUse([use], Date.now());
    const { page, methods } = await open(`/domains/remove?domain=${encodeURIComponent(use.domain)}`);
    const { href } = new URL(page.url());
    await page.locator('[name=name]').fill('https://else.example');
    await send(page);
    methods.length = 0;
    await page.reload();
    expect([page.url(), methods]).toEqual([href, ['GET']]);
    expect(takeFaults()).toEqual([]);
  });

  test('a reload keeps the ids of a refused list, and those of a preview with a wrong number', async () => {
    await visitor.service().operator.importJobs('refused', ['Refused1', 'Refused2']);
    const { page } = await open('/jobs/delete');
    await page.locator('textarea').fill('no id');
    await send(page);
    await page.reload();
    expect(await page.locator('textarea').inputValue()).toBe('no id');

    await page.locator('textarea').fill('Refused1 Refused2');
    await page.locator('main form[method=post] button').last().click();
    await page.locator('[name=count]').fill('3');
    await page.locator('button.danger').click();
    await waitForRefusal(page);
    await page.reload();
    expect(await page.locator('main').textContent()).toContain('Refused2');
    expect(takeFaults()).toEqual([]);
  });

  test('Back to a preview says that it is from earlier and shows a new one, or that its deletion was accepted', async () => {
    await visitor.service().operator.importJobs('refused', ['Earlier1', 'Earlier2', 'Earlier3']);
    const { page } = await open('/jobs/delete');
    await page.locator('textarea').fill('Earlier1 Earlier2');
    await page.locator('main form[method=post] button').last().click();
    const earlier = page.getByText('This preview is from earlier.');
    await page.getByText('2 jobs will be deleted.').waitFor();
    expect(await earlier.isVisible()).toBe(false);
    await page.locator('a[href$="/safety"]').first().click();
    await page.goBack();
    await earlier.waitFor();
    await page.getByText('Preview again').click();
    await page.getByText('2 jobs will be deleted.').waitFor();
    await earlier.waitFor({ state: 'hidden' });
    await page.locator('[name=count]').fill('3');
    await page.locator('button.danger').click();
    await waitForRefusal(page);
    await page.locator('[name=count]').fill('2');
    await page.locator('button.danger').click();
    await page.waitForURL('**/activity/*');
    await page.goBack();
    await page.getByText('This deletion was accepted.').waitFor();
    expect([await earlier.isVisible(), await page.locator('button.danger').isDisabled()]).toEqual([
      false,
      true,
    ]);
    await page.getByText('Open it').click();
    await page.waitForURL('**/activity/*');
    expect(takeFaults()).toEqual([]);
  });
});
