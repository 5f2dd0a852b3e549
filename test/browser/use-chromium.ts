import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watchPage } from './audit-page.ts';
import { launchChromium } from './chromium.ts';

export interface Chromium {
  /** Opens an empty page without history. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Returns the faults of all open pages so far, which then do not fail the test. */
  takeFaults(): string[];
}

/** Starts a browser for the tests of a suite. Each test fails if a page logs, fails, or leaves its origin. */
export function useChromium(executablePath: string, origin: () => string): Chromium {
  let browser: Browser;
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    browser = await launchChromium(executablePath);
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());

  return {
    openPage: async (options) => {
      const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      watchPage(page, origin(), faults);
      return page;
    },
    takeFaults: () => faults.splice(0),
  };
}
