import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the time zone of the dashboard', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('a person chooses the zone of the browser with the keyboard, another one, and UTC again', async () => {
    const deletion = await visitor.scene().accept('acme', { acceptedAtMs: Date.UTC(2026, 0, 15, 23, 30) });
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'Asia/Tokyo' }, viewer);
    const zones = page.locator('[name=zone]');
    /** Opens the settings from the page of the deletion, and comes back. */
    const choose = async (zone: string) => {
      await page.locator('footer a[href$="/profile#settings"]').click();
      await zones.selectOption(zone);
      await page.locator('form[action="/settings"] button').focus();
      await page.keyboard.press('Enter');
      await page.locator(`footer a:text("${zone}")`).waitFor();
      expect(await zones.locator('option').first().textContent()).toBe('Asia/Tokyo');
      expect(await zones.locator('optgroup').first().getAttribute('label')).toBe('This browser');
      await page.goto(`/activity/${deletion.id}`);
    };
    await page.goto(`/activity/${deletion.id}`);
    const accepted = page.locator('.timeline time').first();
    expect(await accepted.textContent()).toBe('15 Jan 2026, 23:30:00 UTC');
    await choose('Asia/Tokyo');
    expect(await accepted.textContent()).toBe('16 Jan 2026, 08:30:00 UTC+9');
    expect(await page.locator('h1').textContent()).toContain('16 Jan 2026, 08:30 UTC+9');
    await choose('America/New_York');
    expect(await accepted.textContent()).toBe('15 Jan 2026, 18:30:00 UTC−5');
    await choose('UTC');
    expect(await accepted.textContent()).toBe('15 Jan 2026, 23:30:00 UTC');
  });

  test('a browser in UTC has UTC chosen', async () => {
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'UTC' }, viewer);
    await page.goto('/profile');
    expect(await page.locator('[name=zone]').inputValue()).toBe('UTC');
  });

  test('the zone of a browser that uses its older name is listed once, by its current name', async () => {
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'Asia/Calcutta' }, viewer);
    await page.goto('/profile');
    const zones = page.locator('[name=zone]');
    expect(await zones.locator('option').first().textContent()).toBe('Asia/Kolkata');
    expect(await zones.locator('option:text("Kolkata")').count()).toBe(1);
    await zones.selectOption('Asia/Kolkata');
    await page.locator('form[action="/settings"] button').click();
    await page.locator('footer a:text("Asia/Kolkata")').waitFor();
  });

  test('a zone that is alone at its distance from UTC leaves no empty group when it is listed first', async () => {
    const viewer = await visitor.signIn('acme', 'viewer');
    const page = await visitor.openBrowser({ timezoneId: 'Asia/Katmandu' }, viewer);
    await page.goto('/profile');
    const zones = page.locator('[name=zone]');
    expect(await zones.locator('option').first().textContent()).toBe('Asia/Kathmandu');
    expect(await zones.locator('optgroup:not(:has(option))').count()).toBe(0);
  });
});
