import { join } from 'node:path';
import { afterAll, beforeAll, jest, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { addDemoHistory } from 'jobs-delete/demo-history';
import { titleOf } from 'jobs-delete/demo-values';
import type { TestService } from '../../harness/service.ts';
import { describeWith } from '../../servers/describe-with.ts';
import { expectScreenshot } from '../expect-screenshot.ts';
import { accountAnswers, personAnswers, type Stage } from './page-answers.ts';
import { fillAccount, type FilledAccount, visitDashboard } from './visit-dashboard.ts';

const looks = [
  ['wide-light', 'light', { width: 1_440, height: 900 }],
  ['wide-dark', 'dark', { width: 1_440, height: 900 }],
  ['narrow-light', 'light', { width: 360, height: 740 }],
  ['narrow-dark', 'dark', { width: 360, height: 740 }],
] as const;
const small = { width: 720, height: 560 };

/** The pictures that people see in `docs/` show one look of a page. The others are here. */
const docs = (name: string) => `docs/screenshots/dashboard-${name}.png`;
const here = (name: string, look: string) => `test/browser/dashboard/screenshots/${name}-${look}.png`;

/** The figures and charts that are late follow the page. */
const waitForCounts = (page: Page) =>
  page.locator('[data-events] [data-unfinished]').first().waitFor({ state: 'detached' });

/** A page in every look. */
async function expectLooks(page: Page, name: string): Promise<void> {
  for (const [look, colorScheme, viewport] of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const isDesign = name === 'design';
    const path = look === 'wide-light' && !isDesign ? docs(name) : here(name, look);
    await expectScreenshot(page, path, { fullPage: isDesign });
  }
}

/** A page that is mostly a form: it has one column, which is narrow. The result of a form is in view. */
async function expectForm(page: Page, name: string): Promise<void> {
  const toResult = () =>
    page.evaluate("document.getElementById('result')?.scrollIntoView({ behavior: 'instant' })");
  await page.evaluate('document.fonts.ready.then(() => true)');
  await page.setViewportSize(small);
  await page.emulateMedia({ colorScheme: 'light' });
  await toResult();
  await expectScreenshot(page, docs(name));
  const [look, colorScheme, viewport] = looks[3];
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await toResult();
  await expectScreenshot(page, here(name, look));
}

/** Creates an account that has deleted jobs for a month. */
async function fillShop({ operator, dataDir }: TestService): Promise<void> {
  const accountId = 'shop';
  await operator.accounts.addAccount({ id: accountId, createdAtMs: Date.now() });
  await operator.accounts.allowDomain(accountId, 'demo.example');
  await operator.accounts.allowDomain(accountId, '*.careers.demo.example');
  const jobs = Array.from({ length: 4_200 }, (_, index) => ({
    id: `REF${String(200_000 + index)}`,
    posting: { title: titleOf(index) },
  }));
  await operator.store.importJobs(accountId, jobs, Date.now());
  addDemoHistory({ kind: 'sqlite', path: join(dataDir, 'jobs-delete.db') }, accountId, Date.now());
}

const startMs = Date.UTC(2026, 0, 15, 9);

describeWith('chromium', 'the screenshots of the dashboard in docs', (executablePath) => {
  // Stops the clock of the services. Timers run on.
  beforeAll(() => {
    jest.useFakeTimers({
      now: startMs,
      doNotFake: [
        ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
        ...(['clearImmediate', 'nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
      ],
    });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  const visitor = visitDashboard(executablePath);
  let filled: FilledAccount;
  let owner: SignedInBrowser;
  let shopOwner: SignedInBrowser;
  beforeAll(async () => {
    // Rows of different times have an order.
    filled = await fillAccount(visitor, () => {
      jest.setSystemTime(Date.now() + 60_000);
      return Date.now();
    });
    jest.setSystemTime(startMs + 3_600_000);
    owner = await visitor.signIn(filled.accountId, 'owner');
    await fillShop(visitor.service());
    shopOwner = await visitor.signIn('shop', 'owner');
  });

  const open: Stage['open'] = async (path, member) => {
    const page = await visitor.openBrowser({ locale: 'en', reducedMotion: 'reduce' }, member);
    await page.goto(path);
    return page;
  };

  test.each(['overview', 'keys', 'domains', 'jobs', 'activity', 'activity/refused', 'people', 'trail'])(
    'show the page of %s after a month',
    async (path) => {
      const page = await open(`/${path}`, shopOwner);
      await waitForCounts(page);
      await expectLooks(page, path.replace('activity/', ''));
    },
  );

  test.each(['design', 'safety', 'sandbox', 'profile'])('show the page of %s', async (name) => {
    const page = await open(`/${name}`, owner);
    await waitForCounts(page);
    await expectLooks(page, name);
  });

  test('show the sign-in', async () => {
    await expectLooks(await open('/sign-in'), 'sign-in');
  });

  const narrow = { colorScheme: 'dark', viewport: { width: 360, height: 740 } } as const;
  test.each<[name: string, locale: string, path: () => string]>([
    ['keys', 'fr', () => '/keys'],
    ['deletion', 'es', () => `/activity/${filled.params.activity?.id ?? ''}`],
  ])('show the page of %s, narrow and dark', async (name, locale, path) => {
    const page = await visitor.openBrowser({ ...narrow, locale }, owner);
    await page.goto(path());
    await expectScreenshot(page, docs(`${name}-narrow`));
  });

  test.each<[name: string, path: (filled: FilledAccount) => string]>([
    ['key-form', () => '/keys/new'],
    ['key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}`],
    ['pause-key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}/pause`],
    ['rotate-key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}/rotate`],
    ['revoke-key', ({ params }) => `/keys/token/${params.keys?.id ?? ''}/revoke`],
    ['remove-domain', ({ queries }) => `/domains/remove${queries['/domains/remove'] ?? ''}`],
    ['allow', () => '/safety/allow'],
    ['cancel', ({ waitingId }) => `/activity/${waitingId}/cancel`],
    ['invite', () => '/people/invite'],
    ['member', ({ params }) => `/people/${params.people?.id ?? ''}`],
    ['remove-person', ({ params }) => `/people/${params.people?.id ?? ''}/remove`],
    ['withdraw', ({ queries }) => `/people/withdraw${queries['/people/withdraw'] ?? ''}`],
  ])('show the page of %s', async (name, path) => {
    await expectForm(await open(path(filled), owner), name);
  });

  test.each([
    ['new-key', 'a new token and secret key'],
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
    await expectForm(page, name);
  });
});
