import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAuditEntry } from '@jobs-delete/accounts/people/audit-trail';
import { fieldOf } from '../testing/read-page.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from '../testing/start-test-dashboard.ts';

let dashboard: TestDashboard;
beforeAll(async () => (dashboard = await startTestDashboard()));
afterAll(() => dashboard.stop());

let count = 0;
const newAccount = () => `allow-domain-${String((count += 1))}`;
const domainsOf = (account: string) => dashboard.accounts.listDomains(account);
const trailOf = async (account: string) =>
  (await dashboard.accounts.listActions({ accountId: account, pageSize: 10 })).map(({ action, subject }) => [
    action,
    subject,
  ]);

/** Returns the field by which a form is known again. */
async function openForm(manager: SignedInBrowser): Promise<string> {
  return fieldOf(await manager.get('/domains'), 'once');
}

test.each([
  ['www.example.com', 'https://WWW.example.com'],
  ['*.example.com', '*.Example.com'],
  ['localhost:3000', 'http://localhost:3000'],
])('with %s on the list, %s is allowed already', async (listed, domain) => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, listed);
  const first = await manager.post('/domains/new', { domain, once: await openForm(manager) });
  const { status, text } = await manager.post('/domains/new', { domain, once: fieldOf(first, 'once') });
  expect([first.status, status]).toEqual([422, 422]);
  expect(text).toContain('<p class="problem" id="domain-problem">This domain is allowed already.</p>');
  expect(text).toContain(`value="${domain}"`);
  expect(text).not.toContain('class="notice"');
  expect(await domainsOf(account)).toEqual([listed]);
  expect(await trailOf(account)).toEqual([]);
});

test('a form that is sent twice allows its domain once, and both answers say so; after a removal again', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const form = { domain: 'www.example.com', once: await openForm(manager) };
  for (const answer of [await manager.post('/domains/new', form), await manager.post('/domains/new', form)])
    expect(answer).toMatchObject({ status: 303, location: '/domains?notice=domain-allowed' });
  expect(await trailOf(account)).toEqual([['domain.allowed', 'www.example.com']]);
  const other = await dashboard.signIn(account, 'manager');
  expect((await other.post('/domains/new', form)).status).toBe(422);
  await dashboard.accounts.removeDomain(account, form.domain);
  expect((await manager.post('/domains/new', form)).location).toBe('/domains?notice=domain-allowed');
  expect(await domainsOf(account)).toEqual([form.domain]);
  const another = { ...form, once: await openForm(manager) };
  expect((await manager.post('/domains/new', another)).status).toBe(422);
});

test.each([
  [
    '/activity/refused?code=origin_not_allowed',
    '/activity/refused?code=origin_not_allowed&notice=domain-allowed',
  ],
  [
    '/activity/refused?environment=live&cause=a&page=2',
    '/activity/refused?environment=live&cause=a&page=2&notice=domain-allowed',
  ],
  ['/activity/refused?notice=domain-removed#x', '/activity/refused?notice=domain-allowed'],
  ['/activity/refused/../../people', '/domains?notice=domain-allowed'],
  ['/sandbox?ids=1', '/sandbox?notice=domain-allowed'],
  ['/sandbox/keys', '/domains?notice=domain-allowed'],
  ['/activity/refusedX', '/domains?notice=domain-allowed'],
  ['/keys', '/domains?notice=domain-allowed'],
  ['//activity/refused', '/domains?notice=domain-allowed'],
  ['/activity/refused\r\nX: y', '/domains?notice=domain-allowed'],
])('an allowed domain of a form with the way back %j leads to %s', async (back, location) => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const answer = await manager.post('/domains/new', { domain: 'www.example.com', back });
  expect(answer).toMatchObject({ status: 303, location });
});

test('a form that is sent again is known, however much has happened since', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const form = { domain: 'www.example.com', once: await openForm(manager) };
  const listed = { domain: 'listed.example', once: form.once };
  await dashboard.accounts.allowDomain(account, listed.domain);
  await manager.post('/domains/new', form);
  for (let index = 0; index < 50; index += 1) {
    const action = { accountId: account, action: 'signed-in', actor: 'm@example.com' } as const;
    await dashboard.accounts.recordAction(newAuditEntry(action, Date.now() + index));
  }
  const done = { status: 303, location: '/domains?notice=domain-allowed' };
  expect(await manager.post('/domains/new', form)).toMatchObject(done);
  await dashboard.accounts.removeDomain(account, form.domain);
  expect(await manager.post('/domains/new', form)).toMatchObject(done);
  expect(await domainsOf(account)).toEqual([listed.domain, form.domain]);
  expect((await manager.post('/domains/new', listed)).status).toBe(422);
});

test('a host below a wildcard, and one of two origins, are other entries', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  for (const listed of ['*.example.com', 'http://localhost'])
    await dashboard.accounts.allowDomain(account, listed);
  for (const domain of ['www.example.com', 'localhost'])
    expect((await manager.post('/domains/new', { domain })).location).toBe('/domains?notice=domain-allowed');
});

test('an origin without TLS needs a confirmation', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const domain = 'http://example.com';
  const warned = await manager.post('/domains/new', { domain });
  expect(warned.status).toBe(422);
  expect(warned.text.match(/not encrypted: a network in between/gi)).toHaveLength(1);
  expect(warned.text).toMatch(/id="http-problem".*aria-describedby="http-problem"/);
  expect(await domainsOf(account)).toEqual([]);
  const confirm = fieldOf(warned, 'confirm');
  expect(await manager.post('/domains/new', { domain, confirm })).toMatchObject({ status: 303 });
  expect(await manager.post('/domains/new', { domain: 'localhost:3000' })).toMatchObject({ status: 303 });
  expect(await domainsOf(account)).toEqual(['http://example.com', 'localhost:3000']);
});

// The second letter is Cyrillic.
const lookalike = { domain: 'p\u0430ypal.com', ascii: 'xn--pypal-4ve.com' };

test('a lookalike is allowed only after a form with both spellings and a tick for this domain', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const { domain, ascii } = lookalike;
  const back = '/activity/refused?code=origin_not_allowed';
  // The way from a refused request leads to this page.
  const offered = await manager.get(
    `/domains/new?${String(new URLSearchParams({ domain: `https://${ascii}`, back }))}`,
  );
  const warned = await manager.post('/domains/new', { domain, back, once: fieldOf(offered, 'once') });
  expect(warned.status).toBe(422);
  for (const { text } of [offered, warned]) {
    expect(text).toContain(`<bdi>${domain}</bdi> = <code>${ascii}</code>`);
    expect(text).toMatch(
      /name="confirm" value="[^"]+" required[^>]*> I have checked the name\. Allow this domain\.<\/label>/,
    );
  }
  const other = fieldOf(await manager.get('/domains/new?domain=b\u0430nk.com'), 'confirm');
  for (const confirm of ['yes', `http ${ascii}`, other])
    expect((await manager.post('/domains/new', { domain, confirm })).status).toBe(422);
  expect(await domainsOf(account)).toEqual([]);

  const form = { domain, back: fieldOf(warned, 'back'), confirm: fieldOf(warned, 'confirm') };
  const done = await manager.post('/domains/new', { ...form, once: fieldOf(warned, 'once') });
  expect(done).toMatchObject({ status: 303 });
  expect(done.location).toContain('/activity/refused?code=origin_not_allowed&notice=domain-allowed');
  expect(await domainsOf(account)).toEqual([ascii]);
  const notice = /class="notice"[^>]*>(.*?)<\/p>/.exec((await manager.get(done.target ?? '')).text)?.[1];
  expect(notice).toContain(`<bdi>${domain}</bdi> <span class="second"><code>${ascii}</code></span>`);
});

test('a lookalike without TLS needs both ticks', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const domain = `http://${lookalike.domain}`;
  const warned = await manager.post('/domains/new', { domain });
  const ticks = [...warned.text.matchAll(/name="confirm" value="([^"]+)"/g)].map(([, value = '']) => value);
  expect(ticks).toHaveLength(2);
  for (const confirm of ticks)
    expect((await manager.post('/domains/new', { domain, confirm })).status).toBe(422);
  expect((await manager.post('/domains/new', { domain, confirm: ticks })).status).toBe(303);
});

test.each([
  ['en', 'Tick the box to allow this domain.'],
  ['fr', 'Cochez la case pour autoriser ce domaine.'],
  ['es', 'Marque la casilla para permitir este dominio.'],
])('in %s, a refused form focuses its first missing tick and says: %s', async (language, message) => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const domain = `http://${lookalike.domain}`;
  await manager.post('/settings', { language, next: '/domains' });
  const preview = await manager.get(`/domains/new?domain=${domain}`);
  const ticksOf = ({ text }: { readonly text: string }) => text.match(/<input type="checkbox"[^>]*>/g) ?? [];
  expect(ticksOf(preview).join('')).not.toMatch(/aria-invalid|autofocus|checked/);
  expect(preview.text).not.toContain(message);

  const [http = ''] = /(?<=value=")http [^"]+/.exec(preview.text) ?? [];
  for (const [confirm, missing] of [
    ['http other.example', 0],
    [http, 1],
  ] as const) {
    const refused = await manager.post('/domains/new', { domain, confirm });
    const ticks = ticksOf(refused);
    expect(ticks.map((tick) => tick.includes(' aria-invalid="true" autofocus'))).toEqual(
      [0, 1].map((index) => index === missing),
    );
    expect(ticks.map((tick) => tick.includes(' checked'))).toEqual([confirm === http, false]);
    expect(refused.text.match(/role="alert">[^<]*/g)).toEqual([`role="alert">${message}`]);
    expect(refused.text.match(/ autofocus/g)).toHaveLength(1);
  }
});

test('the preview marks what passes and what is refused', async () => {
  const manager = await dashboard.signIn(newAccount(), 'manager');
  const { text } = await manager.get('/domains?domain=www.example.com');
  expect(text).toContain('<span class="passes">Passes:</span> <code>https://www.example.com</code>');
  expect(text).toContain('<span class="refused">Refused:</span> <code>http://www.example.com</code>');
  expect(text).toContain('<summary>Accepted forms</summary>');
});

test('the preview names the entry that allows a domain already', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  await dashboard.accounts.allowDomain(account, '*.acme.example');
  const hintFor = async (domain: string) =>
    /The entry (\S+) allows this already\./.exec((await manager.get(`/domains?domain=${domain}`)).text)?.[1];
  expect(await hintFor('shop.acme.example')).toBe('*.acme.example');
  for (const other of ['acme.example', 'shop.acme.example:8443', '*.acme.example'])
    expect(await hintFor(other)).toBeUndefined();
});

test('the form offers the origin of a pasted address, and allows it when it is sent again', async () => {
  const account = newAccount();
  const manager = await dashboard.signIn(account, 'manager');
  const domain = 'https://Shop.example:8443/jobs?page=2#top';
  const offered = await manager.post('/domains/new', { domain, once: await openForm(manager) });
  expect(offered.status).toBe(422);
  expect(offered.text).toContain('value="https://Shop.example:8443"');
  expect(offered.text).toContain(
    'Only the origin is allowed. The rest of the address is removed: send again.',
  );
  expect(await domainsOf(account)).toEqual([]);
  await manager.post('/domains/new', { domain: 'https://Shop.example:8443', once: fieldOf(offered, 'once') });
  expect(await domainsOf(account)).toEqual(['https://shop.example:8443']);
  const wrong = await manager.post('/domains/new', { domain: 'https://a@b.example/x', once: '' });
  expect(wrong.text).toContain('value="https://a@b.example/x"');
});
