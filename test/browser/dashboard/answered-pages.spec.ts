import { beforeAll, expect, test } from '@jest/globals';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Page } from 'playwright-core';
import { renderLateChart } from '@jobs-delete/dashboard/testing/render-late-chart';
import { describeWith } from '../../servers/describe-with.ts';
import { auditWithRegions, cutContents, overflowOf } from '../page-actions.ts';
import { accountAnswers, type Answers, personAnswers, type Stage } from './page-answers.ts';
import { fillAccount, type FilledAccount, visitDashboard } from './visit-dashboard.ts';

/** French has the longest texts. every-page.spec.ts has the other languages. */
const locale = 'fr';
const looks = [
  ['light', 360],
  ['dark', 1_440],
] as const;
const answers: Answers = { ...accountAnswers, ...personAnswers };

describeWith('chromium', 'pages that a form or a state leads to, in Chromium', (executablePath) => {
  const visitor = visitDashboard(executablePath);
  let filled: FilledAccount;
  let owner: SignedInBrowser;
  beforeAll(async () => {
    filled = await fillAccount(visitor);
    owner = await visitor.signIn(filled.accountId, 'owner');
  });

  let lastStatus = 0;
  const open: Stage['open'] = async (path, member) => {
    const page = await visitor.openBrowser({ locale }, member);
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) lastStatus = response.status();
    });
    await page.goto(path);
    return page;
  };

  async function expectAccessible(page: Page) {
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const findings = [...(await cutContents(page)), ...(await auditWithRegions(page))];
      const found = { findings, overflow: await overflowOf(page) };
      expect({ colorScheme, width, ...found }).toEqual({ colorScheme, width, findings: [], overflow: 0 });
    }
  }

  test.each(Object.entries(answers))('%s is accessible', async (_, [status, openAnswer]) => {
    const page = await openAnswer({ visitor, filled, owner, open });
    expect(lastStatus).toBe(status);
    await expectAccessible(page);
    expect(await page.locator('h1').count()).toBe(1);
    expect(visitor.takeFaults().filter((fault) => !isOfStatus(fault))).toEqual([]);
  });

  test('a chart that is not counted yet is accessible', async () => {
    const page = await open('/sign-in', owner);
    await showLateChart(page, locale);
    await page.goto('/activity');
    await page.locator('[data-unfinished]').waitFor();
    await expectAccessible(page);
  });
});

/** Chromium logs each page whose status is an error. */
function isOfStatus(fault: string): boolean {
  return /responded with a status of 4\d\d/.test(fault);
}

/** Makes the page of deletions stay as it is while the deleter counts. */
async function showLateChart(page: Page, language: 'en' | 'fr' | 'es'): Promise<void> {
  await page.route('**/activity', async (route) => {
    const response = await route.fetch();
    const late = renderLateChart(language);
    const chart = /<section class="card day-chart">.*?<\/section>/s;
    await route.fulfill({ response, body: (await response.text()).replace(chart, late) });
  });
  // Never answered, also where the page itself is late.
  await page.route(/\/activity\/days\/events/, () => undefined);
}
