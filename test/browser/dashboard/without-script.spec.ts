import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../harness/until.ts';
import { createClient } from '../../http/client.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { isInView } from '../page-actions.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the dashboard without script', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('an owner who has signed in works, and signs out', async () => {
    const client = await createClient(visitor.service(), 'acme');
    await visitor.scene().accept('acme', { jobs: 3 });
    const plain = { javaScriptEnabled: false };
    const unauthenticated = await visitor.openBrowser(plain);
    await unauthenticated.goto('/sign-in');
    expect(await unauthenticated.getByText('Passkeys need JavaScript').isVisible()).toBe(true);

    // Only the sign-in needs script.
    const page = await visitor.openBrowser(plain, await visitor.signIn('acme', 'owner'));

    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/overview');
    await page.locator('[popovertarget=menu]').click();
    for (const entry of await page.locator('nav a').all()) expect(await isInView(entry)).toBe(true);
    await page.locator('nav a[href$="/trail"]').click();
    await page.waitForURL('**/trail');
    await page.setViewportSize({ width: 1_440, height: 900 });

    await page.goto('/keys/new');
    await fill(page, { name: 'Without script' });
    await page.locator('main form button').click();
    const secret = (await page.locator('#token').textContent()) ?? '';
    expect(secret.length).toBeGreaterThan(40);
    await page.getByLabel('Python').check();
    expect([await page.locator('#curl').isVisible(), await page.locator('#python').isVisible()]).toEqual([
      false,
      true,
    ]);

    await page.goto('/keys');
    await page.locator('main th a', { hasText: 'Without script' }).click();
    await page.locator('main a[href$="/revoke"]').click();
    const revoke = page.locator('main form button:not(.quiet)');
    expect(await revoke.innerText()).toBe('Revoke this token');
    await page.locator('[name=also]').check();
    expect(await revoke.innerText()).toBe('Revoke both');

    await page.goto('/domains/new');
    await fill(page, { domain: 'https://plain.example' });
    await page.locator('main form[method=post] button').click();
    await page.waitForURL('**/domains?notice=*');
    expect(await visitor.dashboard().accounts.listDomains('acme')).toContain('https://plain.example');

    await page.goto('/activity');
    await page.locator('details:has([name=state]) summary').click();
    await page.locator('[name=state]').selectOption('completed');
    await page.locator('.filters:has([name=state]) button').click();
    await page.waitForURL('**/activity?state=completed*');
    expect(await page.locator('main th a[href*="/activity/"]').count()).toBe(0);
    await page.locator('details:has([name=state]) summary').click();
    await page.locator('[name=state]').selectOption('accepted');
    await page.locator('.filters:has([name=state]) button').click();
    await page.waitForURL('**/activity?state=accepted*');
    expect(await page.locator('main th a[href*="/activity/"]').count()).toBe(1);

    const { store } = visitor.service().operator;
    await store.setRules('acme', { limit: { kind: 'jobs', jobs: 5_000 } });
    await page.goto('/safety/allow');
    await fill(page, { jobs: '2000' });
    await page.locator('main form button').click();
    await page.waitForURL('**/safety?notice=*');
    expect(await page.locator('main').textContent()).toContain('2,000 allowed in addition');

    await visitor.service().operator.importJobs('acme', ['Plain0001', 'Plain0002']);
    await page.goto('/jobs');
    const bar = page.locator('.selection > .actions');
    const position = () => bar.evaluate((element) => getComputedStyle(element).position);
    expect(await position()).toBe('static');
    await page.locator('.selection [name=ids]').first().check();
    expect(await position()).toBe('sticky');

    const waiting = await visitor.scene().accept('acme', { delayMs: 86_400_000 });
    await page.goto(`/activity/${waiting.id}`);
    await page.locator('main a[href$="/cancel"]').click();
    await page.locator('main form button').click();
    await page.waitForURL('**/activity/*?notice=*');
    expect((await store.findReceipt(waiting.id, 'acme'))?.state).toBe('cancelled');

    const [jobId = ''] = await client.newJobs(1);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/sandbox');
    expect(await isInView(page.getByRole('heading', { name: 'Request' }))).toBe(true);
    const send = page.locator('form[data-replaces] button:not([form])');
    await send.click();
    expect(await isInView(page.getByText('Enter a token.'))).toBe(true);
    expect(visitor.takeFaults()).toEqual([expect.stringContaining('422')]);
    await fill(page, { token: secret, secretKey: client.account.secretKey, ids: jobId });
    await fill(page, { origin: client.account.origin });
    await send.click();
    await page.locator('#answer').getByText(jobId).first().waitFor();
    await until(() => isInView(page.locator('#answer-heading')));
    expect(await page.locator('#answer').textContent()).toContain('200');
    await page.setViewportSize({ width: 1_440, height: 900 });

    await page.locator('form[action="/sign-out"] button').click();
    await page.waitForURL('**/sign-in?notice=*');
    await page.goto('/keys');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await page.locator(`main form [name=${name}]:visible`).fill(value);
}
