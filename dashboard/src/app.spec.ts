import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { startTestDashboard, type TestDashboard } from './testing/start-test-dashboard.ts';
import { assets, font, style } from './web/assets.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

test('a page without a session leads to the sign-in, and back', async () => {
  const answer = await dashboard.browser().get('/keys?kind=token');
  expect(answer).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys%3Fkind%3Dtoken' });
});

test('HEAD is answered as GET, also at an address without an account', async () => {
  const { url } = dashboard;
  for (const path of ['/', '/keys', '/sign-in', '/nowhere']) {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => fetch(url + path, { method, redirect: 'manual' })),
    );
    const about = (answer?: Response) => [path, answer?.status, answer?.headers.get('Location')];
    expect(about(head)).toEqual(about(get));
    expect(await head?.text()).toBe('');
  }
});

test('a member sees the keys of the account', async () => {
  const viewer = await dashboard.signIn('acme', 'viewer');
  const answer = await viewer.get('/keys', { 'Accept-Language': 'en' });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('<h1>Keys</h1>');
  expect(answer.text).toContain(viewer.email);
});

test('the font is one small file', () => {
  expect(font.content.length).toBeLessThan(50_000);
});

test('pages stay out of caches and frames, and load nothing from elsewhere', async () => {
  const { headers } = await (await dashboard.signIn('acme', 'viewer')).get('/keys');
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  );
});

test('the style has no comments and no indents, and names the font by its address', async () => {
  const { text } = await dashboard.browser().get(style.path);
  expect(text).toContain(`url('${font.path}')`);
  expect(text).toMatch(/^ :root\{color-scheme:light dark;--back/);
  expect(text).not.toMatch(/\/\*|\n\s/);
});

describe('behind HTTPS', () => {
  let secure: TestDashboard;
  beforeAll(async () => (secure = await startTestDashboard({ DASHBOARD_URL: 'https://dash.example.com' })));
  afterAll(() => secure.stop());

  test.each(['/sign-in', '/nowhere', '/keys', ...assets.map(({ path }) => path)])(
    '%s has every security header',
    async (path) => {
      const { headers } = await secure.browser().get(path);
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
});

test('a disabled account says so and offers nothing else, and other accounts stay open', async () => {
  const owner = await dashboard.signIn('closed', 'owner');
  await owner.get('/keys');
  await dashboard.accounts.changeAccount('closed', { disabledAtMs: Date.now() });
  const pages = dashboard.routes.filter(
    ({ method, access, path }) => method === 'GET' && access !== 'anyone' && !path.includes(':'),
  );
  for (const { path } of pages) {
    const answer = await owner.get(path, { 'Accept-Language': 'en' });
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.text).toContain('<h1>The account is disabled</h1>');
    expect(answer.text).not.toMatch(/<nav|href="[^"]*\/(keys|profile|people)/);
  }
  expect(await owner.post('/domains/new', { domain: 'example.com' })).toMatchObject({ status: 403 });
  expect(await dashboard.accounts.listDomains('closed')).toEqual([]);
  expect(await owner.post('/sign-out')).toMatchObject({ location: '/sign-in?notice=signed-out' });
});

test('a page that is missing or not allowed says what to do, with a way on', async () => {
  const english = { 'Accept-Language': 'en' };
  const viewer = await dashboard.signIn('acme', 'viewer');
  const start = '<a class="button" href="/a/acme/overview">Go to the start page</a>';
  const [forbidden, missing, link] = await Promise.all(
    ['/people/invite', '/nowhere', '/link/used'].map((path) => viewer.get(path, english)),
  );
  expect(forbidden?.text).toContain('<p>Ask an owner of the account for a higher role.</p>');
  expect(forbidden?.text).toContain('needs the role “Owner”. Your role in this account is “Viewer”.');
  expect((await viewer.get(`/keys/token/${'a'.repeat(24)}`, english)).text).toContain(
    '<a class="button" href="/a/acme/keys">Keys</a>',
  );
  for (const page of [forbidden, missing, link]) expect(page?.text).toContain(start);
  const { text } = await dashboard.browser().get('/link/used', english);
  expect(text).toContain('ask the person who sent it for a new one');
  expect(text).toContain('<a class="button" href="/sign-in">Sign in</a>');
});

test('a page that fails keeps its menu, says whether it changed anything, and has the reference of the log', async () => {
  const lines: string[] = [];
  const logTo = { write: (line: string) => void lines.push(line) };
  // No deleter runs.
  const alone = await startTestDashboard({}, { logTo });
  try {
    const manager = await alone.signIn('acme', 'manager');
    const answers = [await manager.get('/safety'), await manager.post('/safety/allow', { jobs: '5' })];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    for (const { text } of answers) expect(text).toContain('<nav id="menu"');
    const logged = lines.map((line) => JSON.parse(line) as { reference: string; msg: string });
    const references = answers.map(({ text }) => /reference: <code>([0-9a-f]{8})</.exec(text)?.[1]);
    expect(logged.map(({ reference, msg }) => [reference, msg])).toEqual(
      references.map((reference) => [reference, 'a page failed']),
    );
    const [page, form] = answers;
    expect(page?.text).toMatch(/<p>Nothing was changed\..*<a class="button" href>Try again</);
    expect(form?.text).toMatch(/<p>The form may have taken effect\..*href>Open the form again</);
    expect(form?.text).not.toContain('Try again');
  } finally {
    await alone.stop();
  }
});

test('a failure says that nothing was changed only if that is certain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const failing = await startTestDashboard({ DATA_DIR: folder }, { logTo: { write: () => undefined } });
  const database = openSqlite(join(folder, 'jobs-delete.db'), { name: 'test', migrations: [] });
  try {
    const owner = await failing.signIn('acme', 'owner');
    await owner.get('/keys');
    // As for a sign-in by OpenID, the page belongs to no account, and its route has begun.
    database.exec('ALTER TABLE one_time_secrets RENAME TO gone');
    const signedIn = failing.browser();
    signedIn.cookies.set('session', owner.cookies.get('session') ?? '');
    for (const browser of [failing.browser(), signedIn]) {
      const link = await browser.get(`/link/${'a'.repeat(43)}`, { 'Accept-Language': 'en' });
      expect(link.status).toBeGreaterThanOrEqual(500);
      expect(link.text).not.toContain('Nothing was changed');
    }
    database.exec('ALTER TABLE sessions RENAME TO away');
    const { status, text } = await owner.post('/domains/new', { domain: 'example.com' });
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).toContain('<p>Nothing was changed.</p>');
    expect(text).not.toContain('may have taken effect');
  } finally {
    database.close();
    await failing.stop();
    rmSync(folder, { recursive: true });
  }
});

test('times are in the zone that the browser has chosen, and in UTC with a bad one', async () => {
  const viewer = await dashboard.signIn('zoned', 'viewer');
  const timeOf = async () => {
    const { text } = await viewer.get('/profile', { 'Accept-Language': 'en' });
    return /<time[^>]* title="[^"]* ([\w+:]+)"/.exec(text)?.[1];
  };
  expect(await timeOf()).toBe('UTC');
  expect(await viewer.post('/profile/settings', { zone: 'tokyo' })).toMatchObject({
    status: 303,
    location: '/profile?notice=settings-saved',
  });
  expect(await timeOf()).toBe('UTC+9');
  expect((await viewer.get('/profile')).text).toContain('value="Asia/Tokyo" required');
  viewer.cookies.set('zone', '<b>');
  expect(await timeOf()).toBe('UTC');
});

test('a session ends after 12 hours without a request', async () => {
  const hours = (count: number) => ({ lastSeenAtMs: Date.now() - count * 3_600_000 });
  expect(await (await dashboard.signIn('acme', 'viewer', hours(12))).get('/keys')).toMatchObject({
    status: 303,
  });
  expect(await (await dashboard.signIn('acme', 'viewer', hours(11))).get('/keys')).toMatchObject({
    status: 200,
  });
});

test('a session ends 30 days after the sign-in, although it is in use', async () => {
  const days = (count: number) => ({ createdAtMs: Date.now() - count * 86_400_000 });
  const old = await dashboard.signIn('acme', 'viewer', days(30));
  expect(await old.get('/keys')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
  const young = await dashboard.signIn('acme', 'viewer', days(29.9));
  expect(await young.get('/keys')).toMatchObject({ status: 200 });
});

test('a person without the membership has no session any more', async () => {
  const viewer = await dashboard.signIn('acme', 'viewer');
  const entry = newAuditEntry({ accountId: 'acme', action: 'person.removed', actor: 'operator' }, Date.now());
  await dashboard.accounts.removeMember('acme', viewer.person.id, entry);
  expect(await viewer.get('/keys')).toMatchObject({ status: 303, location: '/sign-in?next=%2Fkeys' });
});

test('the language follows the browser until somebody chooses one', async () => {
  const viewer = await dashboard.signIn('acme', 'viewer');
  expect((await viewer.get('/keys', { 'Accept-Language': 'de, es;q=0.5' })).text).toContain(
    '<html lang="es">',
  );
  expect(await viewer.post('/settings', { language: 'fr', next: '/keys' })).toMatchObject({
    location: '/keys',
  });
  expect((await viewer.get('/keys', { 'Accept-Language': 'es' })).text).toContain('<html lang="fr">');
});

test('unknown addresses and unreadable forms get a page', async () => {
  const viewer = await dashboard.signIn('acme', 'viewer');
  const unknown = await viewer.get('/nowhere');
  expect(unknown.status).toBe(404);
  expect(unknown.text).toContain('/keys">');
  expect(await viewer.postRaw('/sign-out', { csrf: 'x'.repeat(70_000) })).toMatchObject({ status: 413 });
});

test('the target of a form leads to its page', async () => {
  const viewer = await dashboard.signIn('acme', 'viewer');
  expect(await viewer.get('/profile/passkeys/remove')).toMatchObject({
    status: 303,
    location: '/profile',
  });
  expect(await viewer.get('/profile/passkeys')).toMatchObject({ status: 303, location: '/profile' });
  expect(await viewer.get('/sign-out')).toMatchObject({ status: 303, location: '/' });
});

test.each(['//[', '//:', '//user:x@example.com:99999/keys'])(
  'the path %s is a page not found',
  async (path) => {
    const answer = await requestTarget(dashboard.url, path);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('<h1>');
  },
);

/** `fetch` would read the path as an address of another host. */
function requestTarget(
  url: string,
  path: string,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });
}
