import { afterAll, beforeAll } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startService, type TestService } from '../harness/service.ts';
import { useChromium, type Chromium } from './use-chromium.ts';

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
