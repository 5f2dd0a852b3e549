import { renderLateChart } from '@jobs-delete/dashboard/testing/render-late-chart';
import type { Page } from 'playwright-core';

/** Makes the page of deletions stay as it is while the deleter counts. */
export async function showLateChart(page: Page, language: 'en' | 'fr' | 'es'): Promise<void> {
  await page.route('**/activity', async (route) => {
    const response = await route.fetch();
    const late = renderLateChart(language);
    const chart = /<section><h2 id="chart-heading">.*?<\/section>/;
    await route.fulfill({ response, body: (await response.text()).replace(chart, late) });
  });
  // Never answered.
  await page.route('**/activity/days/events', () => undefined);
}
