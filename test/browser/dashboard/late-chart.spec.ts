import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { isInView } from '../page-actions.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'a chart that is counted slowly', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('follows the page, and shows all its days on a phone', async () => {
    const yesterday = Date.now() - 86_400_000;
    const scene = visitor.scene();
    const viewer = await visitor.signIn('acme', 'viewer');
    await scene.complete(await scene.accept('acme', { jobs: 7, acceptedAtMs: yesterday }));
    const page = await visitor.openBrowser({ viewport: { width: 360, height: 740 } }, viewer);
    // The page as it is while the deleter still counts.
    await page.route('**/activity', async (route) => {
      const response = await route.fetch();
      const late = '<div data-events="/activity/days/events"><p data-unfinished>Counting</p></div>';
      const chart = /<section class="card day-chart">.*?<\/section>/s;
      await route.fulfill({ response, body: (await response.text()).replace(chart, late) });
    });
    await page.goto('/activity');
    await page.locator('[data-unfinished]').waitFor({ state: 'detached' });
    expect(await page.locator('[data-events] #chart-summary').textContent()).toContain('7 jobs deleted');
    const bars = page.locator('.picture a').filter({ visible: true });
    await bars.last().scrollIntoViewIfNeeded();
    expect([await isInView(bars.first()), await isInView(bars.last())]).toEqual([true, true]);
  });
});
