import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import type { Session } from '@jobs-delete/accounts/people/sessions';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startService, type TestService } from '../../harness/service.ts';
import { watchPage } from '../audit-page.ts';
import { launchChromium } from '../chromium.ts';

export interface DashboardVisitor {
  service(): TestService;
  dashboard(): TestDashboard;
  /** By name: passkeys need a host name. */
  origin(): string;
  /** Opens a browser without history, with the session of a member if one is given. */
  openBrowser(options?: BrowserContextOptions, member?: SignedInBrowser): Promise<Page>;
  signIn(accountId: string, role: Role, session?: Partial<Session>): Promise<SignedInBrowser>;
  /** Returns the faults of all open pages so far, which then do not fail the test. */
  takeFaults(): string[];
}

/**
 * Starts gateway, deleter and dashboard on the same storage, and a browser. Each test fails if a page logs, fails, breaks
 * its content security policy, or leaves its origin.
 */
export function visitDashboard(executablePath: string): DashboardVisitor {
  let service: TestService;
  let dashboard: TestDashboard;
  let browser: Browser;
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  const origin = () => dashboard.url.replace('127.0.0.1', 'localhost');

  beforeAll(async () => {
    service = await startService();
    dashboard = await startTestDashboard({
      DATA_DIR: service.dataDir,
      DELETER_ADDRESS: service.grpcAddress,
      PUBLIC_URL: service.baseUrl,
    });
    browser = await launchChromium(executablePath);
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await dashboard.stop();
    await service.stop();
  });

  return {
    service: () => service,
    dashboard: () => dashboard,
    origin,
    openBrowser: async (options, member) => {
      const viewport = { width: 1_440, height: 900 };
      const context = await browser.newContext({ viewport, locale: 'en', ...options, baseURL: origin() });
      contexts.push(context);
      const secret = member?.cookies.get('session');
      if (secret !== undefined)
        await context.addCookies([{ name: 'session', value: secret, url: origin(), httpOnly: true }]);
      const page = await context.newPage();
      watchPage(page, origin(), faults);
      return page;
    },
    signIn: (...given) => dashboard.signIn(...given),
    takeFaults: () => faults.splice(0),
  };
}
