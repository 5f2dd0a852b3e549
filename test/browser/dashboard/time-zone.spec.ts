import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the time zone of the dashboard', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('a person chooses the zone of the browser with the keyboard, another one, and UTC again', async () => {
    const deletion = await visitor.scene().accept('acme', { acceptedAtMs: Date.UTC(2026, 0, 15, 23, 30) });
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'Asia/Tokyo' }, viewer);
    const zone = page.locator('[name=zone]');
    /** Opens the settings from the page of the deletion, and comes back. */
    const save = async (named: string) => {
      await page.locator('form[action$="/profile/settings"] button:not([type])').focus();
      await page.keyboard.press('Enter');
      await page.locator(`footer a:text("${named}")`).waitFor();
      await page.goto(`/activity/${deletion.id}`);
    };
    const open = () => page.locator('footer a[href$="/profile#settings"]').click();
    await page.goto(`/activity/${deletion.id}`);
    const accepted = page.locator('.timeline time').first();
    expect(await accepted.textContent()).toBe('15 Jan 2026, 23:30:00 UTC');
    await open();
    await page.locator('button:text("Use Asia/Tokyo")').press('Enter');
    await save('Asia/Tokyo');
    expect(await accepted.textContent()).toBe('16 Jan 2026, 08:30:00 UTC+9');
    expect(await page.locator('h1').textContent()).toContain('16 Jan 2026, 08:30 UTC+9');
    await open();
    expect(await page.locator('[data-zone]').isVisible()).toBe(false);
    await zone.fill('new york');
    await save('America/New_York');
    expect(await accepted.textContent()).toBe('15 Jan 2026, 18:30:00 UTC−5');
    await open();
    await zone.fill('UTC');
    await save('UTC');
    expect(await accepted.textContent()).toBe('15 Jan 2026, 23:30:00 UTC');
  });

  test('a browser in UTC is offered no other zone', async () => {
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'UTC' }, viewer);
    await page.goto('/profile');
    expect(await page.locator('[name=zone]').inputValue()).toBe('UTC');
    expect(await page.locator('[data-zone]').isVisible()).toBe(false);
  });

  test('a browser that uses the older name of a zone can choose it', async () => {
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'Asia/Calcutta' }, viewer);
    await page.goto('/profile');
    await page.locator('[data-zone]').click();
    await page.locator('form[action$="/profile/settings"] button:not([type])').click();
    await page.locator('footer a:text("Asia/Kolkata")').waitFor();
    expect(await page.locator('[name=zone]').inputValue()).toBe('Asia/Kolkata');
    expect(await page.locator('[data-zone]').isVisible()).toBe(false);
  });
});
