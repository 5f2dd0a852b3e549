import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Runs every default rule of axe-core on the page, and that of WCAG 2.2. Returns one line for each finding. */
export async function auditPage(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations', 'incomplete'],
    rules: { 'target-size': { enabled: true } },
  };
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return [...found.violations, ...found.incomplete].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  );
}

/**
 * The same for a page with regions that scroll. axe-core can't measure the colors of what a region hides, and colors do not
 * depend on the width, so it measures them in a wide window.
 */
export async function auditWithRegions(page: Page): Promise<string[]> {
  const isOfColors = (finding: string) => finding.startsWith('color-contrast:');
  const findings = (await auditPage(page)).filter((finding) => !isOfColors(finding));
  const size = page.viewportSize() ?? { width: 1_440, height: 900 };
  await page.setViewportSize({ ...size, width: 2_400 });
  // It can't measure text in SVG, which has the colors of other text.
  const isSvg = (finding: string) => finding.includes(': <text ');
  findings.push(...(await auditPage(page)).filter((finding) => isOfColors(finding) && !isSvg(finding)));
  await page.setViewportSize(size);
  return findings;
}

/** Adds to `faults` what a page must not cause: messages, failures, and requests to another origin. */
export function watchPage(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => void faults.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => void faults.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A page that closes its own event source is well.
    const isClosed =
      request.resourceType() === 'eventsource' && request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isClosed) faults.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) faults.push(`request: ${url}`);
  });
}

/** How many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
