import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startService, type TestService } from '../harness/service.ts';
import { watchPage } from './audit-page.ts';
import { launchChromium } from './chromium.ts';

export interface Visitor {
  service(): TestService;
  /** The origin of the pages and of the API. */
  origin(): string;
  /** Opens a page of the service in a browser without history. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Returns the faults of all open pages so far, which then do not fail the test. */
  takeFaults(): string[];
}

/** Starts a service with a base path, and a browser. Each test fails if a page logs, fails, or leaves its origin. */
export function visitDocuments(executablePath: string): Visitor {
  let service: TestService;
  let browser: Browser;
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  const origin = () => new URL(service.baseUrl).origin;

  beforeAll(async () => {
    service = await startService({ BASE_PATH: '/a.b' });
    browser = await launchChromium(executablePath);
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  return {
    service: () => service,
    origin,
    open: async (path, options) => {
      const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      watchPage(page, origin(), faults);
      await page.goto(service.baseUrl + path);
      return page;
    },
    takeFaults: () => faults.splice(0),
  };
}
