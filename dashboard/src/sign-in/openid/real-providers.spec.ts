import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { inviteTo } from '../../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../../testing/start-test-dashboard.ts';
import { startTestOpenIdProvider, type TestOpenIdProvider } from '../../testing/test-openid-provider.ts';

const email = 'ada@acme.example';
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;
const always = ['iss', 'sub', 'aud', 'exp', 'iat', 'email'];

let provider: TestOpenIdProvider;
let dashboard: TestDashboard | undefined;
beforeEach(async () => (provider = await startTestOpenIdProvider()));
afterEach(async () => {
  await dashboard?.stop();
  await provider.stop();
});

/** Resolves to the status after the sign-in of an invited person. */
async function signIn(claims: Record<string, unknown>, env: NodeJS.ProcessEnv = {}): Promise<number> {
  dashboard = await startTestDashboard({
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: provider.clientSecret,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const link = await inviteTo(dashboard, 'acme', email);
  const invited = dashboard.browser();
  await invited.get(link);
  await invited.post(link);
  provider.claims = { email, ...claims };
  const browser = dashboard.browser();
  const begun = await browser.get('/sign-in/openid');
  const answer = await fetch(begun.location ?? '', { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
  return (await browser.get(pathname + search)).status;
}

describe('Google lists no auth_time, and sends it only if the client enables it', () => {
  beforeEach(() => {
    provider.claimsSupported = [...always, 'email_verified'];
  });
  const verified = { email_verified: true };

  test('a sign-in without auth_time works', async () => {
    expect(await signIn({ ...verified, auth_time: undefined })).toBe(303);
  });
  test('a sign-in with an old auth_time is refused', async () => {
    expect(await signIn({ ...verified, auth_time: secondsAgo(3_600) })).toBe(403);
  });
});

describe('GitLab sends auth_time and email_verified', () => {
  beforeEach(() => {
    provider.claimsSupported = [...always, 'email_verified', 'auth_time'];
  });

  test('a recent sign-in works', async () => {
    expect(await signIn({ email_verified: true, auth_time: secondsAgo(60) })).toBe(303);
  });
  test('a sign-in without auth_time is refused, because the provider offers it', async () => {
    expect(await signIn({ email_verified: true, auth_time: undefined })).toBe(403);
  });
});

describe('Microsoft Entra sends no email_verified', () => {
  beforeEach(() => {
    provider.claimsSupported = [...always, 'auth_time'];
  });

  test('its addresses are refused', async () => {
    expect(await signIn({})).toBe(403);
  });
  test('its addresses are accepted with OPENID_TRUST_EMAIL', async () => {
    expect(await signIn({}, { OPENID_TRUST_EMAIL: 'true' })).toBe(303);
  });
  test.each([false, 'false', null])('email_verified %j is refused in any case', async (value) => {
    expect(await signIn({ email_verified: value }, { OPENID_TRUST_EMAIL: 'true' })).toBe(403);
  });
});

test('a provider that lists no claims must send auth_time', async () => {
  expect(await signIn({ email_verified: true, auth_time: undefined })).toBe(403);
});
