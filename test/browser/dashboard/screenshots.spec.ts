import { beforeAll, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { describeWith } from '../../servers/describe-with.ts';
import { expectScreenshot } from '../page-actions.ts';
import { accountAnswers, personAnswers, type Stage } from './page-answers.ts';
import { fillAccount, type FilledAccount, visitDashboard } from './visit-dashboard.ts';

describeWith('chromium', 'the screenshots of the dashboard in docs', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let filled: FilledAccount;
  let owner: SignedInBrowser;
  beforeAll(async () => {
    filled = await fillAccount(visitor);
    owner = await visitor.signIn(filled.accountId, 'owner');
  });

  const wide = { colorScheme: 'light', viewport: { width: 1_440, height: 900 } } as const;
  test.each([
    'overview',
    'keys',
    'domains',
    'jobs',
    'activity',
    'safety',
    'sandbox',
    'people',
    'trail',
    'profile',
  ])('show the page of %s, wide and light', async (name) => {
    const page = await visitor.openBrowser(wide, owner);
    await page.goto(`/${name}`);
    if (name === 'activity') await page.locator('svg.chart').waitFor();
    await expectScreenshot(page, `dashboard-${name}.png`, 1_440);
  });

  const narrow = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
  test.each<[name: string, locale: string, path: () => string]>([
    ['keys', 'fr', () => '/keys'],
    ['deletion', 'es', () => `/activity/${filled.params.activity?.id ?? ''}`],
  ])('show the page of %s, narrow and dark', async (name, locale, path) => {
    const page = await visitor.openBrowser({ ...narrow, locale }, owner);
    await page.goto(path());
    await expectScreenshot(page, `dashboard-${name}-narrow.png`, 360);
  });

  const small = { colorScheme: 'light', viewport: { width: 720, height: 560 }, locale: 'en' } as const;
  const open: Stage['open'] = async (path, member) => {
    const page = await visitor.openBrowser(small, member);
    await page.goto(path);
    return page;
  };

  test.each<[name: string, path: (filled: FilledAccount) => string]>([
    ['key-form', () => '/keys/token/new'],
    ['rotate-key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}/rotate`],
    ['revoke-key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}/revoke`],
    ['domain-form', () => '/domains/new'],
    ['remove-domain', ({ queries }) => `/domains/remove${queries['/domains/remove'] ?? ''}`],
    ['allow', () => '/safety/allow'],
    ['cancel', ({ waitingId }) => `/activity/${waitingId}/cancel`],
    ['invite', () => '/people/invite'],
    ['member', ({ params }) => `/people/${params.people?.id ?? ''}`],
    ['withdraw', ({ queries }) => `/people/withdraw${queries['/people/withdraw'] ?? ''}`],
  ])('show the page of %s', async (name, path) => {
    await expectScreenshot(await open(path(filled), owner), `dashboard-${name}.png`, 720);
  });

  test.each([
    ['new-key', 'a new token'],
    ['rotated-key', 'a token that replaces another'],
    ['tried-origin', 'an origin that is refused'],
    ['delete', 'a preview of a deletion'],
    ['sandbox-answer', 'an answer of the sandbox'],
    ['invitation', 'a new invitation'],
    ['link', 'the link of an invitation'],
    ['sign-in-again', 'another sign-in of a member'],
    ['passkeys', 'a profile with two passkeys'],
  ])('show the page of %s, %s', async (name, title) => {
    const [, openAnswer] = { ...accountAnswers, ...personAnswers }[title] ?? [];
    if (openAnswer === undefined) throw new Error(`no page shows ${title}`);
    const page = await openAnswer({ visitor, filled, owner, open });
    visitor.takeFaults();
    await expectScreenshot(page, `dashboard-${name}.png`, 720);
  });

  test('show the sign-in', async () => {
    const page = await visitor.openBrowser(wide);
    await page.goto('/sign-in');
    await expectScreenshot(page, 'dashboard-sign-in.png', 1_440);
  });
});
