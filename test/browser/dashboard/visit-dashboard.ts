import { afterAll, beforeAll } from '@jest/globals';
import type { Role } from '@jobs-delete/accounts/people/people';
import type { Session } from '@jobs-delete/accounts/people/sessions';
import type { SignedInBrowser, TestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startScene, type Scene } from '../../dashboard/scene.ts';
import type { TestService } from '../../harness/service.ts';
import { useChromium, type Chromium } from '../use-chromium.ts';

export interface DashboardVisitor extends Pick<Chromium, 'takeFaults'> {
  scene(): Scene;
  service(): TestService;
  dashboard(): TestDashboard;
  /** By name: passkeys need a host name. */
  origin(): string;
  /** Opens a browser without history, with the session of a member if one is given. */
  openBrowser(options?: BrowserContextOptions, member?: Pick<SignedInBrowser, 'cookies'>): Promise<Page>;
  signIn(accountId: string, role: Role, session?: Partial<Session>): Promise<SignedInBrowser>;
}

/**
 * Starts gateway, deleter and dashboard on the same storage, and a browser. Each test fails if a page logs, fails, breaks
 * its content security policy, or leaves its origin.
 */
export function visitDashboard(executablePath: string): DashboardVisitor {
  let scene: Scene;
  const origin = () => scene.dashboard.url.replace('127.0.0.1', 'localhost');

  beforeAll(async () => {
    scene = await startScene();
  });
  const { openPage, takeFaults } = useChromium(executablePath, origin);
  afterAll(() => scene.stop());

  return {
    scene: () => scene,
    service: () => scene.service,
    dashboard: () => scene.dashboard,
    origin,
    openBrowser: async (options, member) => {
      const page = await openPage({ locale: 'en', ...options, baseURL: origin() });
      const secret = member?.cookies.get('session');
      if (secret !== undefined)
        await page.context().addCookies([{ name: 'session', value: secret, url: origin(), httpOnly: true }]);
      return page;
    },
    signIn: (...given) => scene.dashboard.signIn(...given),
    takeFaults,
  };
}
