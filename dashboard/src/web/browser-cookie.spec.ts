import { afterEach, expect, test } from '@jest/globals';
import { enrol, signInWith } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestAnswer } from '../testing/test-browser.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a dashboard, and returns the answers that set each kind of cookie. */
async function answersOf(env: NodeJS.ProcessEnv): Promise<readonly TestAnswer[]> {
  const dashboard: TestDashboard = await startTestDashboard(env);
  stops.push(() => dashboard.stop());
  const { authenticator } = await enrol(dashboard, 'acme', 'ada@acme.example');
  const browser = dashboard.browser();
  return [
    await browser.get('/sign-in'),
    await signInWith(browser, authenticator),
    await browser.get('/keys'),
    await browser.post('/settings', { language: 'fr', next: '/keys' }),
    await browser.post('/profile/settings', { zone: 'Europe/Paris' }),
    await browser.post('/sign-out'),
  ];
}

/** Returns the attributes of each cookie, by its name, without dates and lifetimes. */
function cookiesOf(answers: readonly TestAnswer[]): Readonly<Record<string, readonly string[]>> {
  const sets = answers.flatMap(({ headers }) => headers.getSetCookie());
  return Object.fromEntries(
    sets.map((set) => {
      const [pair = '', ...attributes] = set.split('; ');
      const lasting = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
      return [pair.slice(0, pair.indexOf('=')), lasting.toSorted()];
    }),
  );
}

const attributes = ['HttpOnly', 'Path=/', 'SameSite=Lax'];

test('no cookie is visible to scripts or sent by foreign forms', async () => {
  const answers = await answersOf({});
  expect(cookiesOf(answers)).toEqual({
    session: attributes,
    browser: attributes,
    language: attributes,
    zone: attributes,
    notice: attributes,
  });
  for (const { headers } of answers) expect(headers.get('Strict-Transport-Security')).toBeNull();
});

test('behind HTTPS, cookies belong to this host alone, and browsers keep to TLS', async () => {
  const answers = await answersOf({ DASHBOARD_URL: 'https://dashboard.example' });
  const secure = [...attributes, 'Secure'];
  expect(cookiesOf(answers)).toEqual({
    '__Host-session': secure,
    '__Host-browser': secure,
    '__Host-language': secure,
    '__Host-zone': secure,
    '__Host-notice': secure,
  });
  for (const { headers } of answers)
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
});

test('the cookie of a session ends with the browser, and is removed at the sign-out', async () => {
  const answers = await answersOf({});
  const [signedIn, signedOut] = [answers[1], answers.at(-1)];
  const sessionOf = (answer?: TestAnswer) =>
    answer?.headers.getSetCookie().find((set) => set.startsWith('session='));
  expect(sessionOf(signedIn)).not.toMatch(/Expires|Max-Age/);
  expect(sessionOf(signedOut)).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
});
