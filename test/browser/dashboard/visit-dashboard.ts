import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import type { Session } from '@jobs-delete/accounts/people/sessions';
import type { SignedInBrowser, TestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startScene, type Scene } from '../../dashboard/scene.ts';
import type { TestService } from '../../harness/service.ts';
import { watchPage } from '../audit-page.ts';
import { launchChromium } from '../chromium.ts';

export interface DashboardVisitor {
  scene(): Scene;
  service(): TestService;
  dashboard(): TestDashboard;
  /** By name: passkeys need a host name. */
  origin(): string;
  /** Opens a browser without history, with the session of a member if one is given. */
  openBrowser(options?: BrowserContextOptions, member?: Pick<SignedInBrowser, 'cookies'>): Promise<Page>;
  signIn(accountId: string, role: Role, session?: Partial<Session>): Promise<SignedInBrowser>;
  /** Returns the faults of all open pages so far, which then do not fail the test. */
  takeFaults(): string[];
}

/**
 * Starts gateway, deleter and dashboard on the same storage, and a browser. Each test fails if a page logs, fails, breaks
 * its content security policy, or leaves its origin.
 */
export function visitDashboard(executablePath: string): DashboardVisitor {
  let scene: Scene;
  let browser: Browser;
  const faults: string[] = [];
  const contexts: BrowserContext[] = [];
  const origin = () => scene.dashboard.url.replace('127.0.0.1', 'localhost');

  beforeAll(async () => {
    scene = await startScene();
    browser = await launchChromium(executablePath);
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await scene.stop();
  });

  return {
    scene: () => scene,
    service: () => scene.service,
    dashboard: () => scene.dashboard,
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
    signIn: (...given) => scene.dashboard.signIn(...given),
    takeFaults: () => faults.splice(0),
  };
}
