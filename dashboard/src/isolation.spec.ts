import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { roles, type Role } from '@jobs-delete/accounts/people/people';
import { addAcme, unknownNames, type Acme } from './testing/acme.ts';
import { fieldOf, withoutForms } from './testing/read-page.ts';
import { isKnownField, requestsOf, type RouteRequest } from './testing/requests-of.ts';
import {
  startTestDashboard,
  type SignedInBrowser,
  type TestDashboard,
} from './testing/start-test-dashboard.ts';
import type { TestAnswer } from './testing/test-browser.ts';
import { includesRole, type Route } from './web/route.ts';

let dashboard: TestDashboard;
let acme: Acme;
/** The fields that routes have read. */
const fieldsRead = new Set<string>();
const { get } = URLSearchParams.prototype;

beforeAll(async () => {
  // The sandbox page gets no answer from this address, and the activity pages none from a deleter.
  dashboard = await startTestDashboard({ PUBLIC_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'fatal' });
  acme = await addAcme(dashboard.accounts);
  URLSearchParams.prototype.get = function (name) {
    fieldsRead.add(name);
    return get.call(this, name);
  };
});
afterAll(async () => {
  URLSearchParams.prototype.get = get;
  await dashboard.stop();
});

let accountCount = 0;

/** Signs in to a new account. Each form has its own: the trail there names what the form has sent. */
const signIn = (role: Role) => dashboard.signIn(`other-${String((accountCount += 1))}`, role);

/** Returns the answer without the member's address and account. */
async function send(
  route: Route,
  { path, fields }: RouteRequest,
  role: Role,
  reader: SignedInBrowser,
): Promise<TestAnswer> {
  const member = route.method === 'GET' ? reader : await signIn(role);
  const answer =
    route.method === 'GET'
      ? await member.get(`${path}?${new URLSearchParams(fields).toString()}`)
      : await member.post(path, { ...fields, once: await onceOf(member, role) });
  const { email, session } = member;
  const text = answer.text.replaceAll(email, '').replaceAll(session.accountId, '');
  return { ...answer, text };
}

async function onceOf(member: SignedInBrowser, role: Role): Promise<string> {
  return includesRole(role, 'manager') ? fieldOf(await member.get('/keys/token/new'), 'once') : '';
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

test.each(roles)('the %s of another account sees and changes nothing, on every route', async (role) => {
  const before = await acme.snapshot();
  const reader = await signIn(role);
  const problems: string[] = [];
  const none = unknownNames();
  for (const route of dashboard.routes) {
    const unknown = requestsOf(route, none);
    for (const [index, request] of requestsOf(route, acme).entries()) {
      const answer = await send(route, request, role, reader);
      const toUnknown = await send(route, unknown[index] ?? request, role, reader);
      for (const problem of problemsOf(request, answer, toUnknown))
        problems.push(`${route.method} ${request.path} ${problem}`);
    }
  }
  expect(problems).toEqual([]);
  expect(await acme.snapshot()).toEqual(before);
});

test('every field that a route reads carries a name of the other account', () => {
  const missing = [...fieldsRead].filter((name) => !isKnownField(name));
  if (missing.length > 0)
    throw new Error(`add values for these fields to fieldsOf() in requests-of.ts: ${missing.join(', ')}`);
});

test('every form refuses a missing token and the token of another browser', async () => {
  const other = await signIn('owner');
  const foreign = fieldOf(await other.get('/keys'), 'csrf');
  const accepted: string[] = [];
  for (const route of dashboard.routes.filter(({ method }) => method === 'POST'))
    for (const csrf of [undefined, '', foreign]) {
      const [request] = requestsOf(route, unknownNames());
      if (request === undefined) throw new Error(`there is no request for POST ${route.path}`);
      const owner = await signIn('owner');
      await owner.get('/keys');
      const answer = await owner.postRaw(request.path, csrf === undefined ? {} : { ...request.fields, csrf });
      if (answer.status !== 403)
        accepted.push(`${route.path} with ${String(csrf)}: ${String(answer.status)}`);
    }
  expect(accepted).toEqual([]);
});

test('every route refuses lower roles, and leads strangers to the sign-in', async () => {
  const wrong: string[] = [];
  for (const route of dashboard.routes) {
    const [request] = requestsOf(route, unknownNames());
    const { access, method, path } = route;
    if (request === undefined || access === 'anyone' || access === 'session') continue;
    for (const role of roles.filter((each) => !includesRole(each, access))) {
      const { status } = await send(route, request, role, await signIn(role));
      if (status !== 403) wrong.push(`${method} ${path} answers a ${role} with ${String(status)}`);
    }
    if (method === 'GET') {
      const { status, location } = await dashboard.browser().get(request.path);
      if (status !== 303 || !location?.startsWith('/sign-in'))
        wrong.push(`${method} ${path} answers a stranger with ${String(status)}`);
    }
  }
  expect(wrong).toEqual([]);
});
