import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { startService, type TestService } from '../harness/service.ts';
import { root } from '../readme/readme.ts';
import { watchPage } from './page-actions.ts';

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

/** Chromium looks up hosts of its vendor at each start, unless these flags are set. */
const quiet = [
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--disable-quic',
];

/** Starts a headless Chromium without a profile, with the fonts of the tests. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // The sandbox of Chromium refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: quiet,
    env: { ...process.env, FONTCONFIG_FILE: join(root, 'test/browser/fonts.conf') },
  });
}

export interface Visitor extends Pick<Chromium, 'takeFaults'> {
  service(): TestService;
  /** The origin of the pages and of the API. */
  origin(): string;
  /** Opens a page of the service in a browser without history. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Starts a service with a base path, and a browser. Each test fails if a page logs, fails, or leaves its origin. */
export function visitDocuments(executablePath: string): Visitor {
  let service: TestService;
  const origin = () => new URL(service.baseUrl).origin;

  beforeAll(async () => {
    service = await startService({ BASE_PATH: '/a.b' });
  });
  const { openPage, takeFaults } = useChromium(executablePath, origin);
  afterAll(() => service.stop());

  return {
    service: () => service,
    origin,
    open: async (path, options) => {
      const page = await openPage(options);
      await page.goto(service.baseUrl + path);
      return page;
    },
    takeFaults,
  };
}
