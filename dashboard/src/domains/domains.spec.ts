import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectSamePage } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `domains-${String((count += 1))}`;
const domainsOf = (account: string) => dashboard.accounts.listDomains(account);
const trailOf = async (account: string) =>
  (await dashboard.accounts.listActions({ accountId: account, pageSize: 10 })).map(({ action, subject }) => [
    action,
    subject,
  ]);

test('an account without a domain shows what that means', async () => {
  const viewer = await dashboard.signIn(newAccount(), 'viewer');
  expect((await viewer.get('/domains')).text).toMatch(/class="card blank".*No domain is allowed yet/);
});

test('a manager allows a domain in its normal spelling, and removes it', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  expect(await manager.post('/domains/new', { domain: ' WWW.Example.com ' })).toMatchObject({
    status: 303,
    location: '/domains?notice=domain-allowed',
  });
  expect(await domainsOf(account)).toEqual(['www.example.com']);
  const link = '/domains/remove?domain=www.example.com';
  expect((await manager.get('/domains')).text).toContain(`${link}"`);
  expect((await manager.get(link)).text).toContain('name="domain" value="www.example.com"');
  for (const domain of ['www.example.com', 'www.example.com'])
    expect(await manager.post('/domains/remove', { domain })).toMatchObject({
      status: 303,
      location: '/domains?notice=domain-removed',
    });
  expect(await domainsOf(account)).toEqual([]);
  expect(await trailOf(account)).toEqual([
    ['domain.removed', 'www.example.com'],
    ['domain.allowed', 'www.example.com'],
  ]);
});

test.each([
  '',
  '-bad.example',
  '*.bad-.example',
  'https://a@example.com/',
  '*.com',
  '*',
  'a b',
  'null',
  '<script>',
  `${'x'.repeat(400)}.com`,
])('the form is shown again for the domain %j', async (domain) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const answer = await manager.post('/domains/new', { domain });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('aria-invalid="true"');
  expect(answer.text).toContain('<h1>Allowed domains</h1>');
  expect(answer.text).toContain('<details open>');
  expect(answer.text).toContain('<h2 id="list">Allowed domains (0)</h2>');
  expect(answer.text).not.toContain('<script>');
  expect(await domainsOf(account)).toEqual([]);
});

test('a wildcard on a public suffix is refused, also with a confirmation', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (const domain of ['*.co.uk', '*.github.io']) {
    const answer = await manager.post('/domains/new', { domain, confirm: 'yes' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('let outsiders in');
    expect(answer.text).not.toContain('name="confirm"');
    expect(answer.text).not.toMatch(/With this entry|Passes:|Remove the entry/);
    const typed = (await manager.get(`/domains?domain=${domain}`)).text;
    expect(typed).toContain('let outsiders in');
    expect(typed).not.toMatch(/With this entry|Remove the entry/);
  }
  expect(await domainsOf(account)).toEqual([]);
});

test.each(['com', 'https://com', 'http://co.uk'])('the ending %s is refused', async (domain) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const answer = await manager.post('/domains/new', { domain, confirm: 'yes' });
  expect(answer.status).toBe(422);
  for (const { text } of [answer, await manager.get(`/domains?domain=${domain}`)]) {
    expect(text).toContain('only the ending of other domains');
    expect(text).not.toMatch(/With this entry|name="confirm"|<details open|class="back"/);
  }
  expect(await domainsOf(account)).toEqual([]);
});

test('the list marks suspicious entries from elsewhere', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (const domain of ['*.co.uk', 'http://example.com', '<script>'])
    await dashboard.accounts.allowDomain(account, domain);
  const { text } = await viewer.get('/domains');
  expect(text).toContain('Anybody can register a host below this domain.');
  expect(text).toContain('Not encrypted');
  expect(text).toContain('The entry is not readable');
  expect(text).not.toContain('<script>');
  const manager = await dashboard.signIn(account, 'manager');
  const removal = await manager.get('/domains/remove?domain=*.co.uk');
  expect(removal.text).toMatch(/<dt>Risk<\/dt><dd><span class="badge attention">Open to anybody/);
});

test.each([
  ['https://www.example.com', 'Passes:', 'The entry *.example.com allows it.'],
  ['https://bücher.example', 'Passes:', 'The entry bücher.example (xn--bcher-kva.example) allows it.'],
  ['https://example.com', 'Refused:', 'but not example.com itself.'],
  ['http://www.example.com', 'Refused:', 'This would pass: https://www.example.com'],
  ['https://www.example.com:8443', 'Refused:', 'another port'],
  ['https://www.example.com/', 'Refused:', 'continues after the host'],
  ['null', 'Refused:', 'sandboxed frame'],
  ['example', 'Refused:', 'This is not an origin.'],
  ['https://evil.test', 'Refused:', 'No entry of the list is close to it.'],
  ['"><script>', 'Refused:', 'This is not an origin.'],
])('the test of the origin %s says: %s', async (origin, verdict, reason) => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (const domain of ['*.example.com', 'xn--bcher-kva.example'])
    await dashboard.accounts.allowDomain(account, domain);
  const { status, text } = await viewer.get(`/domains?origin=${encodeURIComponent(origin)}`);
  expect(status).toBe(200);
  expect(text).toContain(verdict);
  expect(text).toContain(reason);
  expect(text).not.toContain('<script>');
});

test('the test of a refused origin leads managers to the form with it, and nobody with a text that never passes', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, 'https://www.example.com');
  const allowed = async (member: typeof viewer, origin: string) => {
    const { text } = await member.get(`/domains?origin=${encodeURIComponent(origin)}`);
    return /href="[^"]*(\/domains\/new\?[^"]*)">Allow this origin/.exec(text)?.[1];
  };
  expect(await allowed(manager, 'https://other.example')).toBe(
    '/domains/new?domain=https%3A%2F%2Fother.example',
  );
  expect(await allowed(viewer, 'https://other.example')).toBeUndefined();
  for (const origin of ['https://www.example.com', 'other.example', 'https://other.example/path'])
    expect(await allowed(manager, origin)).toBeUndefined();
});

test('the list and the removal page have both spellings of a name with letters beyond ASCII', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, '*.xn--bcher-kva.example');
  const [list, removal] = await Promise.all([
    manager.get('/domains'),
    manager.get('/domains/remove?domain=*.xn--bcher-kva.example'),
  ]);
  expect(list.text).toContain(
    '<bdi>*.bücher.example</bdi> <span class="second"><code>*.xn--bcher-kva.example</code></span>',
  );
  expect(removal.text).toContain('<h1>Remove the domain *.bücher.example (*.xn--bcher-kva.example)?</h1>');
});

test('an account has at most 100 domains, on pages of a limited size', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const host = (index: number) =>
    `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.h${String(index)}.example`;
  for (let index = 0; index < 100; index += 1) await dashboard.accounts.allowDomain(account, host(index));
  const answer = await manager.post('/domains/new', { domain: 'example.com' });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('100 allowed domains');
  expect((await manager.post('/domains/new', { domain: host(7) })).text).toContain('allowed already');
  expect(Buffer.byteLength((await manager.get('/domains')).text)).toBeLessThan(80_000);
  expect((await manager.get('/domains?page=2')).text).toContain('Page 2 of 2');
});

test('a domain of another account answers like an unknown one, and stays', async () => {
  const other = newAccount();
  await dashboard.signIn(other, 'viewer');
  await dashboard.accounts.allowDomain(other, 'other.example');
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const remove = (domain: string) => manager.post('/domains/remove', { domain });
  expectSamePage(
    await manager.get('/domains/remove?domain=none.example'),
    await manager.get('/domains/remove?domain=other.example'),
  );
  expect((await remove('other.example')).location).toBe((await remove('none.example')).location);
  expect(await domainsOf(other)).toEqual(['other.example']);
});

test('a viewer changes nothing', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  await dashboard.accounts.allowDomain(account, 'example.com');
  expect((await viewer.get('/domains')).text).not.toContain('/domains/new');
  for (const path of ['/domains/new', '/domains/remove?domain=example.com'])
    expect(await viewer.get(path)).toMatchObject({ status: 403 });
  for (const path of ['/domains/new', '/domains/remove'])
    expect(await viewer.post(path, { domain: 'example.com' })).toMatchObject({ status: 403 });
  expect(await domainsOf(account)).toEqual(['example.com']);
});

test.each([
  ['en', 'Allowed domains'],
  ['fr', 'Domaines autorisés'],
  ['es', 'Dominios permitidos'],
])('the pages speak the language %s', async (language, title) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, '*.example.com');
  const headers = { 'Accept-Language': language };
  for (const path of ['/domains?origin=x', '/domains/new', '/domains/remove?domain=*.example.com']) {
    const { status, text } = await manager.get(path, headers);
    expect(status).toBe(200);
    expect(text).toContain(title);
    expect(text).not.toContain('undefined');
  }
});

test('the list says what an entry allows, if it is more than the origin of its text', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  const domains = ['*.example.com', 'localhost', 'shop.example', 'http://localhost'];
  for (const domain of domains) await dashboard.accounts.allowDomain(account, domain);
  const { text } = await viewer.get('/domains');
  const said = domains.map((domain) => text.split(`<code>${domain}</code><span class="second one-line">`)[1]);
  expect(said.map((rest) => rest?.replace(/<.*/s, ''))).toEqual([
    'https:// and any host below example.com',
    'https://localhost, http://localhost',
    undefined,
    undefined,
  ]);
});

test('the list shows the last use of each domain', async () => {
  const account = newAccount();
  const viewer = await dashboard.signIn(account, 'viewer');
  for (const domain of ['idle.example', 'used.example'])
    await dashboard.accounts.allowDomain(account, domain);
  const use = { accountId: account, domain: 'used.example' };
  await dashboard.accounts.recordDomainUse([use], Date.now() - 3 * 3_600_000);
  const { text } = await viewer.get('/domains');
  const rowOf = (domain: string) => new RegExp(`<code>${domain}</code></th>.*?</tr>`).exec(text)?.[0];
  expect(rowOf('used.example')).toContain('3 hours ago');
  expect(rowOf('idle.example')).toContain('>never<');
});

test.each([
  ['en', 'Some letters of this name'],
  ['fr', 'Des lettres de ce nom'],
  ['es', 'Algunas letras de este nombre'],
])('the list and the preview mark a lookalike with both spellings in %s', async (language, sentence) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  // The second letter is Cyrillic.
  const domain = 'p\u0430ypal.com';
  const headers = { 'Accept-Language': language };
  await dashboard.accounts.allowDomain(account, 'xn--pypal-4ve.com');
  for (const path of ['/domains', `/domains/new?domain=${encodeURIComponent(domain)}`]) {
    const { text } = await manager.get(path, headers);
    expect(text).toContain(sentence);
    expect(text).toContain(`<bdi>${domain}</bdi> = <code>xn--pypal-4ve.com</code>`);
  }
  const plain = await manager.get('/domains/new?domain=paypal.com', headers);
  expect(/id="preview".*?<\/form>/.exec(plain.text)?.[0]).not.toContain(sentence);
});
