import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { inviteTo } from '../../testing/enrol.ts';
import {
  startRealOpenIdProvider,
  visitProvider,
  type ProviderVisit,
  type RealOpenIdProvider,
} from '../../testing/real-openid-provider.ts';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import type { TestAnswer, TestBrowser } from '../../testing/test-browser.ts';

const publicUrl = 'https://dashboard.example';

/** Every name is a person of the organisation, except these. */
export const outsiders: Readonly<Record<string, object>> = {
  guest: { groups: ['guests'] },
  'without-groups': { groups: undefined },
  'group-text': { groups: 'staff' },
  outsider: { hd: 'evil.example' },
  private: { hd: undefined },
};

export let provider: RealOpenIdProvider;
export let dashboard: TestDashboard;
export const start = (env: NodeJS.ProcessEnv = {}) =>
  startTestDashboard({
    DASHBOARD_URL: publicUrl,
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    OPENID_GROUP: 'staff',
    OPENID_HOSTED_DOMAIN: 'corp.example',
    LOG_LEVEL: 'fatal',
    ...env,
  });
beforeAll(async () => {
  provider = await startRealOpenIdProvider(`${publicUrl}/sign-in/openid/callback`, (name) => ({
    groups: ['all', 'staff'],
    hd: 'corp.example',
    email: 'ada@corp.example',
    email_verified: true,
    ...outsiders[name],
  }));
  dashboard = await start();
});
afterAll(async () => {
  await dashboard.stop();
  await provider.stop();
});

interface AtProvider {
  readonly name: string | undefined;
  readonly providerBrowser?: TestBrowser;
  /** Changes the request on its way to the provider. */
  readonly change?: (request: URL) => void;
}

/** Follows a link to the provider, and signs in there. Resolves to the redirect back. */
export async function atProvider(
  browser: TestBrowser,
  path: string,
  visitor: AtProvider,
): Promise<ProviderVisit> {
  const { location = '' } = await browser.get(path);
  const request = new URL(location);
  visitor.change?.(request);
  return visitProvider(visitor.providerBrowser ?? provider.browser(), provider, request.href, visitor.name);
}

export const follow = (browser: TestBrowser, { pathname, search }: URL) =>
  browser.get(pathname + search, { 'Accept-Language': 'en' });

export async function signIn(
  browser: TestBrowser,
  name: string,
  path = '/sign-in/openid?next=%2Fkeys',
): Promise<TestAnswer> {
  return follow(browser, (await atProvider(browser, path, { name })).callback);
}

/** The link to the provider on the page of an invitation. */
export async function joinPath(browser: TestBrowser, link: string): Promise<string> {
  const { text } = await browser.get(link);
  return (/id="openid-sign-in" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
}

export async function join(browser: TestBrowser, name: string, account: string): Promise<TestAnswer> {
  const link = await inviteTo(dashboard, account, `${name}@${account}.example`, 'viewer');
  return signIn(browser, name, await joinPath(browser, link));
}

export const isSignedIn = ({ cookies }: TestBrowser) => cookies.has('__Host-session');

export function expectRefused(browser: TestBrowser, answer: TestAnswer): void {
  expect(answer.status).toBe(403);
  expect(answer.text).toContain('The sign-in with your organisation was refused.');
  expect(isSignedIn(browser)).toBe(false);
}

/** Runs with a clock of the dashboard and the provider that is ahead, or behind. */
export async function atTime<Outcome>(offsetMs: number, run: () => Promise<Outcome>): Promise<Outcome> {
  const { now } = Date;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}
