import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { assets } from './assets.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard({ DASHBOARD_URL: 'https://dash.example.com' })));
afterAll(() => dashboard.stop());

test('behind HTTPS, every cookie belongs to the host, to TLS and to no script', async () => {
  const { headers } = await dashboard.browser().get('/sign-in');
  const cookies = headers.getSetCookie();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-[a-z-]+=/);
    expect(cookie.split('; ')).toEqual(
      expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
    );
  }
});

test.each(['/sign-in', '/nowhere', '/keys', ...assets.map((asset) => asset.path)])(
  'behind HTTPS, %s has every security header',
  async (path) => {
    const { headers } = await dashboard.browser().get(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.has('access-control-allow-origin')).toBe(false);
  },
);
