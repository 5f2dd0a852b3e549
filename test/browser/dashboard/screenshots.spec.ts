import { beforeAll, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { describeWith } from '../../servers/describe-with.ts';
import { expectScreenshot } from '../expect-screenshot.ts';
import { fillAccount, type FilledAccount } from './fill-account.ts';
import { visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the screenshots of the dashboard in docs', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let filled: FilledAccount;
  let owner: SignedInBrowser;
  beforeAll(async () => {
    filled = await fillAccount(visitor);
    owner = await visitor.signIn(filled.accountId, 'owner');
  });

  const wide = { colorScheme: 'light', viewport: { width: 1_440, height: 900 } } as const;
  test.each(['keys', 'domains', 'activity', 'sandbox', 'people', 'trail', 'profile'])(
    'show the page of %s, wide and light',
    async (name) => {
      const page = await visitor.openBrowser(wide, owner);
      await page.goto(`/${name}`);
      await expectScreenshot(page, `dashboard-${name}.png`, 1_440);
    },
  );

  const narrow = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
  test.each<[name: string, locale: string, path: () => string]>([
    ['keys', 'fr', () => '/keys'],
    ['deletion', 'es', () => `/activity/${filled.params.activity?.id ?? ''}`],
  ])('show the page of %s, narrow and dark', async (name, locale, path) => {
    const page = await visitor.openBrowser({ ...narrow, locale }, owner);
    await page.goto(path());
    await expectScreenshot(page, `dashboard-${name}-narrow.png`, 360);
  });

  test('show the sign-in', async () => {
    const page = await visitor.openBrowser(wide);
    await page.goto('/sign-in');
    await expectScreenshot(page, 'dashboard-sign-in.png', 1_440);
  });
});
