import { expect } from '@jest/globals';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import type { Client } from '../http/client.ts';

/** Runs every default rule of axe-core on the page, and that of WCAG 2.2. Returns one line for each finding. */
export async function auditPage(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return runRules(page, { rules: { 'target-size': { enabled: true } } });
}

/**
 * The same for a page with regions that scroll. axe-core can't measure the colors of what a region hides, and colors do not
 * depend on the width, so it measures them in a wide window.
 */
export async function auditWithRegions(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const ofColors = 'color-contrast';
  const rules = { 'target-size': { enabled: true }, [ofColors]: { enabled: false } };
  const findings = await runRules(page, { rules });
  const size = page.viewportSize() ?? { width: 1_440, height: 900 };
  await page.setViewportSize({ ...size, width: 2_400 });
  const colors = await runRules(page, { runOnly: [ofColors] });
  await page.setViewportSize(size);
  // It can't measure text in SVG, which has the colors of other text.
  return [...findings, ...colors.filter((finding) => !finding.includes(': <text '))];
}

/** Runs axe-core, which the page must have. */
async function runRules(page: Page, rules: RunOptions): Promise<string[]> {
  const options: RunOptions = { resultTypes: ['violations', 'incomplete'], ...rules };
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return [...found.violations, ...found.incomplete].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`),
  );
}

/** Adds to `faults` what a page must not cause: messages, failures, and requests to another origin. */
export function watchPage(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => {
    // Chromium reports that a sign-in or sign-out clears the cache.
    if (!/^Clear-Site-Data .*Cleared data types/.test(message.text()))
      faults.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => void faults.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    const { accept } = request.headers();
    const error = request.failure()?.errorText ?? '';
    // A page that closes its own event source is well.
    if (accept === 'text/event-stream' && error === 'net::ERR_ABORTED') return;
    faults.push(`failed: ${request.url()}: ${error}`);
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

/** Returns the tables that are wider than their region, and the lists of facts that are wider than their frame. */
export function cutContents(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('.scroll, dl')]
    .filter((region) => region.checkVisibility() && region.scrollWidth > region.clientWidth)
    .map((region) => 'cut: ' + region.textContent.slice(0, 80))`);
}

/** Returns true if the window shows the whole element. */
export async function isInView(element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const window = element.page().viewportSize();
  if (box === null || window === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= window.width && box.y + box.height <= window.height;
}

/** Fills the form of the documentation page. */
export async function fillForm(
  page: Page,
  { token, secretKey }: Client['account'],
  jobIds: readonly string[],
): Promise<void> {
  await page.locator('[name=token]').fill(token);
  await page.locator('[name=secret-key]').fill(secretKey);
  await page.locator('[name=job-ids]').fill(jobIds.join('\n'));
}

export async function submitForm(page: Page): Promise<void> {
  await page.locator('#sandbox-form').getByRole('button').click();
}

/** Waits for the answer that the page shows. Returns its status and headers, and its body. */
export async function readAnswer(page: Page): Promise<{ head: string; body: unknown }> {
  const status = page.getByRole('status');
  await status.getByText(/^HTTP \d/).waitFor();
  const [head = '', ...body] = ((await status.textContent()) ?? '').split('\n\n');
  return { head, body: JSON.parse(body.join('\n\n')) };
}

/** Presses Tab until the focus is on the element of this CSS selector. Every stop on the way must be visible. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 120; stops++) {
    await page.keyboard.press('Tab');
    // Chromium outlines the calendar button inside a field for a date, which no script can read.
    const outline = await page.evaluate<string>(
      "document.activeElement.matches('[type=date]') ? 'auto' : getComputedStyle(document.activeElement).outlineStyle",
    );
    expect(outline).not.toBe('none');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Moves to a field with Tab, and types into it. */
export async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Moves to a link or button with Tab, and presses Enter. */
export async function pressOn(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Adds an authenticator of the machine, which has verified the person. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
