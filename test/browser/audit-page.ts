import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Runs every default rule of axe-core on the page. Returns one line for each finding. */
export async function auditPage(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations', 'incomplete'] };
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return [...found.violations, ...found.incomplete].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  );
}

/** Adds to `faults` what a page must not cause: messages, failures, and requests to another origin. */
export function watchPage(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => void faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => void faults.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => void faults.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
}

/** How many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
