import { expect, test } from '@jest/globals';
import { describeWith } from '../../servers/describe-with.ts';
import { fillAccount, visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the layout of the dashboard', (executablePath) => {
  const visitor = visitDashboard(executablePath);

  test('a refused request that opens moves no column', async () => {
    const { accountId } = await fillAccount(visitor);
    const viewport = { width: 1_440, height: 900 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn(accountId, 'manager'));
    await page.goto('/activity/refused');
    const columns = () =>
      page.locator('thead th').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
    const before = await columns();
    for (const row of await page.locator('td summary').all()) await row.click();
    expect(await columns()).toEqual(before);
  });

  test('the ids of a deletion stand in two columns on a phone', async () => {
    const { id } = await visitor.scene().accept('phone', { jobs: 2 });
    const viewport = { width: 360, height: 740 };
    const page = await visitor.openBrowser({ viewport }, await visitor.signIn('phone', 'viewer'));
    await page.goto(`/activity/${id}`);
    const [first, second] = await Promise.all(
      [0, 1].map((index) => page.locator('.ids li').nth(index).boundingBox()),
    );
    expect([second?.y, (second?.x ?? 0) > (first?.x ?? 0)]).toEqual([first?.y, true]);
  });
});
