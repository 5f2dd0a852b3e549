import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { roles, type Role } from '@jobs-delete/accounts/people/people';
import { fieldOf, withoutForms } from '@jobs-delete/dashboard/testing/read-page';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import type { TestAnswer, TestBrowser } from '@jobs-delete/dashboard/testing/test-browser';
import { accountPath, isOfAccount } from '@jobs-delete/dashboard/web/account-path';
import { includesRole, type Route } from '@jobs-delete/dashboard/web/route';
import { startDashboardBeside, useScene } from '../dashboard/scene.ts';
import { dumpTables } from '../harness/dump-tables.ts';
import { addAcme, unknownNames, type Acme } from './acme.ts';
import { isKnownField, requestsOf, type RouteRequest } from './requests-of.ts';

const scene = useScene({ DASHBOARD_DELETES: 'on' }, { design: true });
let acme: Acme;
/** With passkeys, and those for an OpenID Connect provider. */
let routes: readonly Route[];
/** The fields that routes have read. */
const fieldsRead = new Set<string>();
const { get } = URLSearchParams.prototype;

beforeAll(async () => {
  acme = await addAcme(scene);
  const withProvider = await startDashboardBeside(scene.service, {
    OPENID_ISSUER: 'http://127.0.0.1:1',
    OPENID_CLIENT_ID: 'dashboard',
    OPENID_CLIENT_SECRET: 'secret-of-the-client',
  });
  const ofProvider = withProvider.routes.filter(({ path }) => path.includes('openid'));
  routes = [...scene.dashboard.routes, ...ofProvider];
  await withProvider.stop();
  URLSearchParams.prototype.get = function (name) {
    fieldsRead.add(name);
    return get.call(this, name);
  };
});
afterAll(() => {
  URLSearchParams.prototype.get = get;
});

/** Who may use each route: decided here again, so that no route opens by mistake. */
const access: Readonly<Record<string, readonly string[]>> = {
  anyone: [
    ...[
      'GET /link/:secret',
      'POST /link/:secret',
      'POST /link/:secret/options',
      'POST /link/:secret/passkey',
    ],
    ...['GET /sign-in', 'POST /sign-in/passkey', 'POST /sign-in/passkey/options', 'POST /settings'],
    ...['GET /sign-in/openid', 'GET /sign-in/openid/callback'],
  ],
  session: ['POST /account', 'POST /sign-out'],
  viewer: [
    ...['GET /', 'GET /overview', 'GET /overview/events', 'GET /keys', 'GET /keys/:kind', 'GET /domains'],
    ...['GET /keys/:kind/:id', 'GET /trail', 'GET /trail/export.csv', 'GET /activity/refused', 'GET /design'],
    ...['GET /activity', 'GET /activity/days/events', 'GET /activity/export.csv', 'GET /safety', 'GET /jobs'],
    ...['GET /activity/:id', 'GET /activity/:id/events', 'GET /activity/:id/ids.txt', 'GET /profile'],
    ...['GET /people', 'GET /sandbox', 'POST /sandbox', 'GET /sign-in/again', 'POST /sign-in/again/passkey'],
    ...['GET /find', 'POST /profile/sessions/end', 'POST /profile/settings'],
    'POST /profile/sessions/end-others',
  ],
  'viewer, recent': [
    ...['POST /profile/passkeys', 'POST /profile/passkeys/options', 'POST /profile/passkeys/remove'],
    'GET /sign-in/continue',
  ],
  // It removes nothing, and must be in time.
  manager: ['GET /activity/:id/cancel', 'POST /activity/:id/cancel', 'GET /keys/issued'],
  owner: ['GET /people/invited'],
  'manager, recent': [
    ...['GET /safety/allow', 'POST /safety/allow', 'GET /safety/allow/:id/end', 'POST /safety/allow/:id/end'],
    ...['GET /jobs/delete', 'POST /jobs/delete', 'POST /jobs/delete/confirm', 'GET /jobs/delete/found'],
    ...['POST /jobs/delete/allow', 'POST /jobs/delete/file', 'POST /jobs/delete/jobs.csv'],
    'POST /sandbox/keys',
    ...['GET /domains/new', 'POST /domains/new', 'GET /domains/remove', 'POST /domains/remove'],
    ...['GET /keys/new', 'POST /keys/new'],
    ...['rename', 'pause', 'resume', 'rotate', 'revoke'].flatMap((action) =>
      ['GET', 'POST'].map((method) => `${method} /keys/:kind/:id/${action}`),
    ),
  ],
  'owner, recent': [
    ...['GET /safety/limit', 'POST /safety/limit', 'GET /safety/delay', 'POST /safety/delay'],
    ...['GET /people/:id', 'POST /people/:id/role', 'GET /people/:id/remove', 'POST /people/:id/remove'],
    ...['GET /people/invite', 'POST /people/invite', 'GET /people/withdraw', 'POST /people/withdraw'],
  ],
};

test('every route of the dashboard is in the table of access', () => {
  const keyOf = (route: Route) => ('recent' in route ? `${route.access}, recent` : route.access);
  const found = routes.map((route) => `${keyOf(route)}: ${route.method} ${route.path}`);
  const expected = Object.entries(access).flatMap(([key, list]) => list.map((each) => `${key}: ${each}`));
  expect(found.toSorted()).toEqual(expected.toSorted());
});

let accountCount = 0;

/** Signs in to a new account. Each form has its own: the trail there names what the form has sent. */
async function signIn(role: Role, ageMs = 0): Promise<SignedInBrowser> {
  const accountId = `other-${String((accountCount += 1))}`;
  // A later request does not record that the session was used, or the member seen.
  const lastSeenAtMs = Date.now() + 3_600_000;
  const session = { lastSeenAtMs, provenAtMs: Date.now() - ageMs };
  const browser = await scene.dashboard.signIn(accountId, role, session);
  await scene.dashboard.accounts.recordMemberSeen(accountId, browser.person.id, lastSeenAtMs);
  return browser;
}

const requestOf = ({ method }: Route, { path, fields }: RouteRequest) =>
  method === 'GET' ? `${path}?${new URLSearchParams(fields).toString()}` : path;

const sendWith = (route: Route, request: RouteRequest, browser: TestBrowser) =>
  route.method === 'GET'
    ? browser.get(requestOf(route, request))
    : browser.post(request.path, request.fields);

/** Returns the answer without the member's address and account. */
async function send(
  route: Route,
  { path, fields }: RouteRequest,
  role: Role,
  reader: SignedInBrowser,
): Promise<TestAnswer> {
  const member = route.method === 'GET' ? reader : await signIn(role);
  const once = route.method === 'GET' ? '' : await onceOf(member, role);
  const answer = await sendWith(route, { path, fields: { ...fields, once } }, member);
  const { email, session } = member;
  const text = answer.text.replaceAll(email, '').replaceAll(session.accountId, '');
  return { ...answer, text };
}

async function onceOf(member: SignedInBrowser, role: Role): Promise<string> {
  return includesRole(role, 'manager') ? fieldOf(await member.get('/keys/new'), 'once') : '';
}

/** Returns what is wrong with the answer to a member of another account. */
function problemsOf(request: RouteRequest, answer: TestAnswer, toUnknown: TestAnswer): readonly string[] {
  const sent = [request.path, ...Object.values(request.fields)].join(' ');
  const shown = acme.marks.filter((mark) => answer.text.includes(mark) && !sent.includes(mark));
  const isSame =
    answer.status === toUnknown.status &&
    (answer.status !== 404 || withoutForms(answer.text) === withoutForms(toUnknown.text));
  return [
    ...shown.map((mark) => `shows ${mark}`),
    ...(answer.status === 500 ? ['fails'] : []),
    ...(isSame
      ? []
      : [`answers ${String(answer.status)}, and ${String(toUnknown.status)} for unknown names`]),
  ];
}

describe('names of another account', () => {
  test.each(roles)('the %s sees and changes nothing, on every route', async (role) => {
    const before = await acme.snapshot();
    const reader = await signIn(role);
    const problems: string[] = [];
    const none = unknownNames();
    for (const route of scene.dashboard.routes) {
      const unknown = requestsOf(route, none);
      for (const [index, request] of requestsOf(route, acme).entries()) {
        const [answer, toUnknown] = await Promise.all([
          send(route, request, role, reader),
          send(route, unknown[index] ?? request, role, reader),
        ]);
        for (const problem of problemsOf(request, answer, toUnknown))
          problems.push(`${route.method} ${request.path} ${problem}`);
      }
    }
    expect(problems).toEqual([]);
    expect(await acme.snapshot()).toEqual(before);
  });

  test('every field that a route reads carries one', () => {
    const missing = [...fieldsRead].filter((name) => !isKnownField(name));
    if (missing.length > 0)
      throw new Error(`add values for these fields to fieldsOf() in requests-of.ts: ${missing.join(', ')}`);
  });
});

/** Expects that requests with the names of the account itself are refused, and write nothing. */
async function expectRefused(
  chosen: readonly Route[],
  browser: TestBrowser,
  isRefused: (answer: TestAnswer) => boolean,
  sendOne = (route: Route, request: RouteRequest) => sendWith(route, request, browser),
): Promise<void> {
  // The first page may give the browser its cookie.
  await browser.get('/sign-in');
  const before = dumpTables(scene.service.dataDir);
  const wrong: string[] = [];
  for (const route of chosen)
    for (const request of requestsOf(route, acme)) {
      const answer = await sendOne(route, request);
      if (!isRefused(answer)) wrong.push(`${route.method} ${request.path} answers ${String(answer.status)}`);
    }
  expect(wrong).toEqual([]);
  expect(dumpTables(scene.service.dataDir)).toBe(before);
}

const restricted = () => scene.dashboard.routes.filter(isOfAccount);
const leadsTo = (path: string) => (answer: TestAnswer) =>
  answer.status === 303 && (answer.location === path || answer.location?.startsWith(`${path}?`) === true);

const inAcme = (browser: TestBrowser) => (route: Route, request: RouteRequest) =>
  sendWith(route, { ...request, path: accountPath(acme, request.path) }, browser);

describe('who may not use a route writes nothing there', () => {
  test.each(['viewer', 'manager'] as const)('the %s gets 403 where the role is too low', async (role) => {
    const higher = restricted().filter((route) => !includesRole(role, route.access as Role));
    expect(higher.length).toBeGreaterThan(7);
    await expectRefused(higher, await signIn(role), ({ status }) => status === 403);
  });

  test('a browser without a session is led to the sign-in', async () => {
    const browser = scene.dashboard.browser();
    await expectRefused(restricted(), browser, leadsTo('/sign-in'), inAcme(browser));
  });

  test('a made-up session cookie is none', async () => {
    const browser = scene.dashboard.browser();
    browser.cookies.set('session', newSecret());
    await expectRefused(restricted(), browser, leadsTo('/sign-in'), inAcme(browser));
  });

  test('an owner with an old sign-in is led to its confirmation before a change', async () => {
    const recent = restricted().filter((route) => 'recent' in route);
    const keepsForm = ({ status, text }: TestAnswer) => status === 403 && text.includes('to continue</h1>');
    const isLed = (answer: TestAnswer) => leadsTo('/sign-in/again')(answer) || keepsForm(answer);
    await expectRefused(recent, await signIn('owner', 15 * 60_000), isLed);
  });

  test('an owner of a disabled account gets 403', async () => {
    const owner = await signIn('owner');
    const disabled = { disabledAtMs: Date.now() };
    await scene.dashboard.accounts.changeAccount(owner.session.accountId, disabled);
    await expectRefused(restricted(), owner, ({ status }) => status === 403);
  });
});

describe('every form of another site is refused, and writes nothing', () => {
  const csrfOf = async (browser: TestBrowser) => fieldOf(await browser.get('/sandbox'), 'csrf');
  const forms = () => scene.dashboard.routes.filter(({ method }) => method === 'POST');

  /** Sends every form with the session of an owner, but with this token and these headers. */
  async function expectAllRefused(
    owner: SignedInBrowser,
    csrf: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const token = csrf === undefined ? {} : { csrf };
    await expectRefused(
      forms(),
      owner,
      ({ status }) => status === 403,
      (_, { path, fields }) => owner.postRaw(path, { ...fields, ...token }, headers),
    );
  }

  test('every form refuses a missing token and the token of another browser', async () => {
    const owner = await signIn('owner');
    for (const csrf of [undefined, '', 'x', await csrfOf(await signIn('owner'))])
      await expectAllRefused(owner, csrf);
  });

  test('a token from before the sign-in is refused', async () => {
    const owner = await signIn('owner');
    await owner.get('/sign-in');
    const visitor = scene.dashboard.browser();
    visitor.cookies.set('browser', owner.cookies.get('browser') ?? '');
    await expectAllRefused(owner, fieldOf(await visitor.get('/sign-in'), 'csrf'));
  });

  test('a planted browser cookie with its token is refused', async () => {
    const [owner, attacker] = [await signIn('owner'), await signIn('owner')];
    const csrf = await csrfOf(attacker);
    owner.cookies.set('browser', attacker.cookies.get('browser') ?? '');
    await expectAllRefused(owner, csrf);
  });

  test.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'http://evil.localhost' },
    { Origin: 'null' },
  ])('the right token is refused with %j', async (headers) => {
    const owner = await signIn('owner');
    await expectAllRefused(owner, await csrfOf(owner), headers);
  });

  test('the same form of this site is accepted', async () => {
    const owner = await signIn('owner');
    const csrf = await csrfOf(owner);
    const { url, publicUrl } = scene.dashboard;
    const hidden = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' };
    for (const header of [{}, { Origin: url }, { Origin: publicUrl }, hidden])
      expect(await owner.postRaw('/settings', { csrf, language: 'en' }, header)).toMatchObject({
        status: 303,
      });
  });
});
