import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { enrol, signInWith } from '../testing/enrol.ts';
import { fieldOf } from '../testing/read-page.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import type { TestBrowser } from '../testing/test-browser.ts';
import { isOfAccount } from './account-path.ts';
import { pageOfForm } from './page-of-form.ts';

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startTestDashboard({ DASHBOARD_DELETES: 'on' });
});
afterAll(() => dashboard.stop());

const hourMs = 3_600_000;
const path = '/domains/new';

let count = 0;

/** Opens the form of a new owner, who then works elsewhere until a time has passed. */
async function openForm(form: string, change: 'expired' | 'not recent') {
  const account = `late-${String((count += 1))}`;
  const owner = await enrol(dashboard, account, `owner@${account}.example`);
  const csrf = fieldOf(await owner.get(form), 'csrf');
  const agoMs = Date.now() - 13 * hourMs;
  const times = change === 'expired' ? { lastSeenAtMs: agoMs } : { provenAtMs: agoMs };
  await dashboard.accounts.changeSession(sessionOf(owner), times);
  const domains = () => dashboard.accounts.listDomains(account);
  return { owner, csrf, account, domains };
}

function sessionOf({ cookies }: TestBrowser): Buffer {
  return hashSecret(cookies.get('session') ?? '');
}

test.each(['expired', 'not recent'] as const)(
  'a form whose sign-in is %s is kept, filled in after the sign-in, and acts when it is sent again',
  async (change) => {
    const { owner, csrf, account, domains } = await openForm(path, change);
    const domain = 'https://"late".example';

    const back = '/activity/refused';
    const kept = await owner.postRaw(path, { csrf, domain: 'https://late.example', back, confirm: 'yes' });
    expect(kept.status).toBe(403);
    expect(fieldOf(kept, 'domain')).toBe('https://late.example');
    expect(fieldOf(kept, 'back')).toBe(back);
    expect(kept.text).not.toContain('name="confirm"');
    expect(kept.text).toContain(`href="/a/${account}/sign-in/continue" target="_blank"`);
    const passkey = change === 'expired' ? '/sign-in/passkey' : `/a/${account}/sign-in/again/passkey`;
    expect(kept.text).toContain(`action="${passkey}" id="passkey-continue"`);

    const next = `/a/${account}/sign-in/continue`;
    const where = change === 'expired' ? '/sign-in' : `/a/${account}/sign-in/again`;
    expect(await owner.get(next)).toMatchObject({ target: `${where}?next=${encodeURIComponent(next)}` });
    await signInWith(owner, owner.authenticator);
    expect((await owner.get(next)).text).toContain('You are signed in');

    const late = fieldOf(kept, 'csrf');
    const filled = await owner.postRaw(path, { csrf: late, domain, back });
    expect(filled.status).toBe(422);
    expect(filled.text).toContain('Nothing was changed yet.');
    expect(filled.text).toContain('value="https://&quot;late&quot;.example"');
    expect(fieldOf(filled, 'back')).toBe(back);
    const again = { csrf: fieldOf(filled, 'csrf'), domain: 'https://late.example' };
    expect(await domains()).toEqual([]);

    expect(await owner.postRaw(path, again)).toMatchObject({ status: 303 });
    expect(await domains()).toEqual(['https://late.example']);
  },
);

test('a form of an earlier session is filled in where its person has signed in again meanwhile', async () => {
  const { owner, csrf, domains } = await openForm(path, 'expired');
  await signInWith(owner, owner.authenticator);
  const filled = await owner.postRaw(path, { csrf, domain: 'https://late.example' });
  expect(filled.status).toBe(422);
  expect(filled.text).toContain('value="https://late.example"');
  expect(await domains()).toEqual([]);
});

test.each([
  ['expired', true, ['with your passkey', 'Without a passkey', 'Add a passkey in your profile']],
  ['not recent', true, ['with your passkey']],
  ['not recent', false, ['Without a passkey', 'Add a passkey in your profile']],
] as const)(
  'the page that keeps a form names the ways to sign in: sign-in %s, with a passkey: %j',
  async (change, hasPasskey, ways) => {
    const { owner, csrf } = hasPasskey ? await openForm(path, change) : await openWithoutPasskey();
    const { text } = await owner.postRaw(path, { csrf, domain: 'https://late.example' });
    const known = [
      'with your passkey',
      'Without a passkey',
      'Add a passkey in your profile',
      'with your organisation',
    ];
    expect(known.filter((way) => text.includes(way))).toEqual(ways);
    expect(text.includes('id="passkey-continue"')).toBe(hasPasskey);
  },
);

/** Opens the form as a person whose only way in was a link, too long ago. */
async function openWithoutPasskey() {
  const provenAtMs = Date.now() - 13 * hourMs;
  const owner = await dashboard.signIn(`late-${String((count += 1))}`, 'owner');
  const csrf = fieldOf(await owner.get(path), 'csrf');
  await dashboard.accounts.changeSession(sessionOf(owner), { provenAtMs });
  return { owner, csrf };
}

test.each(['expired', 'not recent'] as const)(
  'continuing before the sign-in keeps the input again, and says why: sign-in %s',
  async (change) => {
    const notYet = 'You have not signed in again yet. Sign in first, then continue.';
    const { owner, csrf } = await openForm(path, change);
    let kept = await owner.postRaw(path, { csrf, domain: 'https://late.example' });
    expect(kept.text).not.toContain(notYet);
    expect(kept.text).toMatch(/<a class="button" href="[^"]*continue"/);
    expect(kept.text).toContain('<button class="quiet" form="late-form">Continue</button>');
    for (let times = 0; times < 2; times++) {
      // The frame of the page may have a form too.
      const form = { ...kept, text: kept.text.slice(kept.text.indexOf('<main')) };
      kept = await owner.postRaw(path, { csrf: fieldOf(form, 'csrf'), domain: fieldOf(form, 'domain') });
      expect([kept.status, fieldOf(kept, 'domain')]).toEqual([403, 'https://late.example']);
      expect(kept.text).toContain(notYet);
    }
  },
);

test.each([{ 'Sec-Fetch-Site': 'same-origin' }, 'own origin'] as const)(
  'a form of a page is filled in after its browser has lost its cookies: %j',
  async (declared) => {
    const { owner, csrf, domains } = await openForm(path, 'not recent');
    const headers: Record<string, string> =
      declared === 'own origin' ? { Origin: dashboard.publicUrl } : declared;
    owner.cookies.clear();
    const kept = await owner.postRaw(path, { csrf, domain: 'https://late.example' }, headers);
    expect([kept.status, fieldOf(kept, 'domain')]).toEqual([403, 'https://late.example']);
    await signInWith(owner, owner.authenticator);
    const fields = { csrf: fieldOf(kept, 'csrf'), domain: 'https://late.example' };
    const filled = await owner.postRaw(path, fields, headers);
    expect(filled.status).toBe(422);
    expect(filled.text).toContain('value="https://late.example"');
    expect(await domains()).toEqual([]);
  },
);

describe('no form is filled in', () => {
  test('for another person who signs in to the browser, also of the same account', async () => {
    const { owner, csrf, account } = await openForm(path, 'expired');
    const fields = { csrf: fieldOf(await owner.postRaw(path, { csrf, domain: 'late.example' }), 'csrf') };
    const other = await enrol(dashboard, account, `other@${account}.example`);
    await signInWith(owner, other.authenticator);
    for (const token of [csrf, fields.csrf])
      for (const headers of [{}, { 'Sec-Fetch-Site': 'same-origin' }]) {
        const answer = await owner.postRaw(path, { csrf: token, domain: 'late.example' }, headers);
        expect([answer.status, answer.text.includes('late.example')]).toEqual([403, false]);
      }
  });

  test.each([{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])(
    'from another site: %j',
    async (headers: Record<string, string>) => {
      const { owner, csrf } = await openForm(path, 'expired');
      for (const isSignedIn of [false, true]) {
        if (isSignedIn) await signInWith(owner, owner.authenticator);
        const answer = await owner.postRaw(path, { csrf, domain: 'late.example' }, headers);
        expect([answer.status, answer.text.includes('late.example')]).toEqual([403, false]);
      }
    },
  );

  test('with the token of another browser, or the id of its person alone', async () => {
    const { owner, csrf } = await openForm(path, 'expired');
    await signInWith(owner, owner.authenticator);
    const [, personId = ''] = csrf.split('.');
    const foreign = await openForm(path, 'expired');
    for (const token of [foreign.csrf, personId, `${personId}.`, `${personId}.${'A'.repeat(43)}`]) {
      const answer = await owner.postRaw(path, { csrf: token, domain: 'late.example' });
      expect([answer.status, answer.text.includes('late.example')]).toEqual([403, false]);
    }
  });
});

test('the ids of a deletion are kept, as pasted and as confirmed, without the confirmation', async () => {
  const { owner, csrf } = await openForm('/jobs/delete', 'not recent');
  const ids = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(128, 'Late')).join('\r\n');
  const pasted = await owner.postRaw('/jobs/delete', { csrf, ids });
  const confirmed = await owner.postRaw('/jobs/delete/confirm', { csrf, ids, once: 'ticket', count: '2' });
  expect(confirmed.text).not.toMatch(/name="(once|count)"/);
  await signInWith(owner, owner.authenticator);
  for (const [form, kept] of [
    ['/jobs/delete', pasted],
    ['/jobs/delete/confirm', confirmed],
  ] as const) {
    const fields = { csrf: fieldOf(kept, 'csrf'), ids: fieldOf(kept, 'ids') };
    const filled = await owner.postRaw(form, fields);
    expect(filled.text.includes(`>${ids}</textarea>`)).toBe(true);
    expect(fieldOf(filled, 'csrf')).not.toBe(fields.csrf);
  }
});

test.each(['/jobs/delete', '/jobs/delete/confirm'])(
  'a late form of a preview to %s keeps the ids that it left out, and the repeated ones',
  async (form) => {
    const { owner, csrf } = await openForm('/jobs/delete', 'not recent');
    const ids = { ids: 'Here0001 Here0002', leftOut: 'Gone0001', repeated: 'Here0001' };
    const kept = await owner.postRaw(form, { csrf, ...ids, edit: 'yes' });
    await signInWith(owner, owner.authenticator);
    const fields = ['csrf', ...Object.keys(ids)].map((name) => [name, fieldOf(kept, name)] as const);
    const filled = await owner.postRaw(form, Object.fromEntries(fields));
    expect(filled.text).toContain('>Here0001 Here0002\nGone0001\nHere0001</textarea>');
  },
);

test('a late form keeps every selected job', async () => {
  const { owner, csrf } = await openForm('/jobs/delete', 'not recent');
  const kept = await owner.postRaw('/jobs/delete', { csrf, ids: ['Here0001', 'Here0002'] });
  expect(kept.text.match(/name="ids" value="[^"]*"/g)).toHaveLength(2);
  await signInWith(owner, owner.authenticator);
  const fields = { csrf: fieldOf(kept, 'csrf'), ids: ['Here0001', 'Here0002'] };
  const filled = await owner.postRaw('/jobs/delete', fields);
  expect(filled.text).toContain('>Here0001\nHere0002</textarea>');
});

test.each([
  ['/domains/new', '/domains/new'],
  ['/domains/new?x=1', '/domains/new'],
  ['/sandbox/keys', '/sandbox'],
  ['/profile/sessions/end', '/profile'],
  ['/sign-out', undefined],
])('the answer to an expired form of %s leads to its page: %s', async (form, page) => {
  const { owner, account } = await openForm('/domains/new', 'not recent');
  const answer = await owner.postRaw(form, { csrf: 'old' });
  const prefix = `/a/${account}`;
  const links = [...answer.text.matchAll(/class="button[^"]*" href="([^"]*)"/g)].map(([, href]) => href);
  expect([answer.status, links]).toEqual([
    403,
    [...(page === undefined ? [] : [prefix + page]), `${prefix}/overview`],
  ]);
});

test.each([
  [`/keys/token/${'a'.repeat(24)}/revoke`, `/keys/token/${'a'.repeat(24)}/revoke`],
  ['/sandbox/keys', '/sandbox'],
  ['/profile/passkeys/remove', '/profile'],
])('a form of %s without input comes back to its page after the sign-in: %s', async (form, page) => {
  const { owner, csrf, account } = await openForm('/domains/new', 'not recent');
  const next = encodeURIComponent(`/a/${account}${page}`);
  expect((await owner.postRaw(form, { csrf })).target).toBe(`/a/${account}/sign-in/again?next=${next}`);
});

test.each([
  ['/domains/remove', '/domains'],
  ['/people/withdraw', '/people'],
])('an expired form of %s, whose page needs to know more, leads to %s in the end', async (form, list) => {
  const account = `late-${String((count += 1))}`;
  const owner = await enrol(dashboard, account, `owner@${account}.example`);
  const answer = await owner.postRaw(form, { csrf: 'old' });
  const [, link = ''] = /class="button[^"]*" href="([^"]*)"/.exec(answer.text) ?? [];
  expect(link).toBe(`/a/${account}${form}`);
  expect(await owner.get(link)).toMatchObject({ status: 303, location: list });
});

test('token and secret key of the sandbox are not kept', async () => {
  const { owner, csrf } = await openForm('/sandbox', 'expired');
  const secrets = { token: 'jdt_secret', secretKey: 'jds_secret' };
  const kept = await owner.postRaw('/sandbox', { csrf, ...secrets, format: 'xml', ids: 'Late0001' });
  expect(kept.text).not.toMatch(/jd[ts]_secret/);
  await signInWith(owner, owner.authenticator);
  const fields = { csrf: fieldOf(kept, 'csrf'), format: 'xml', ids: 'Late0001' };
  const filled = await owner.postRaw('/sandbox', { ...fields, ...secrets });
  expect(filled.text).toMatch(/<option value="xml" selected>/);
  expect(filled.text).toContain('>Late0001</textarea>');
  expect(filled.text).not.toMatch(/jd[ts]_secret/);
});

test('every form that keeps input has a page with the same access, and keeps nothing that works once', () => {
  const forms = dashboard.routes.flatMap((route) =>
    'keeps' in route ? [{ ...route, keeps: route.keeps }] : [],
  );
  expect(forms.length).toBeGreaterThan(8);
  for (const form of forms) {
    const { access, ...page } = pageOfForm(dashboard.routes, form) ?? {};
    const isRecent = (route: object) => 'recent' in route;
    expect([form.path, access, isRecent(page)]).toEqual([form.path, form.access, isRecent(form)]);
    expect(isOfAccount(form)).toBe(true);
  }
  const secret = /csrf|once|response|count|confirm|token|secret/i;
  expect(forms.flatMap(({ keeps }) => keeps).filter((name) => secret.test(name))).toEqual([]);
});
