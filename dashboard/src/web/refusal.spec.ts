import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServiceContext } from '@jobs-delete/runtime/process/service-context';
import { addFactor, enrol, signInWith, testPassword } from '../testing/enrol.ts';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { refusalCodes, type RefusalCode } from './refusal.ts';

const context = createServiceContext();
const lines: string[] = [];
let dashboard: TestDashboard;
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) };
  dashboard = await startTestDashboard({ LOG_LEVEL: 'info' }, { logTo, context });
});
afterAll(() => dashboard.stop());

async function countOf(code: RefusalCode): Promise<number> {
  const text = await context.registry.metrics();
  return Number(new RegExp(`^dashboard_refusals_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Runs requests that the dashboard refuses once. Returns the line of the log. */
async function refusalOf(code: RefusalCode, run: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const [before, counted] = [lines.length, await countOf(code)];
  await run();
  expect(await countOf(code)).toBe(counted + 1);
  const refused = lines.slice(before).filter((line) => line.includes('"msg":"refused"'));
  expect(refused).toHaveLength(1);
  const { method, route, status, refusal, network, personId, accountId } = JSON.parse(
    refused[0] ?? '',
  ) as Record<string, unknown>;
  expect({ method, refusal, network }).toEqual({
    method: expect.any(String),
    refusal: code,
    network: '127.0.0.1',
  });
  return { route, status, personId, accountId };
}

async function personIdOf(email: string): Promise<string | undefined> {
  return (await dashboard.accounts.findPersonByEmail(email))?.id;
}

test('every code is counted from the start', async () => {
  for (const code of refusalCodes) expect(await countOf(code)).toBe(0);
});

test('a wrong password is logged with the person, and never with what was typed', async () => {
  await enrol(dashboard, 'acme', 'wrong@acme.example');
  const sign = (email: string) => () => signInWith(dashboard.browser(), email, 'a wrong password');
  const expected = { route: '/sign-in', status: 422, accountId: undefined };
  expect(await refusalOf('password_wrong', sign('wrong@acme.example'))).toEqual({
    ...expected,
    personId: await personIdOf('wrong@acme.example'),
  });
  expect(await refusalOf('password_wrong', sign('typed-by-mistake@acme.example'))).toEqual({
    ...expected,
    personId: undefined,
  });
});

test('too many wrong passwords are logged', async () => {
  await enrol(dashboard, 'acme', 'many@acme.example');
  const sign = () => signInWith(dashboard.browser(), 'many@acme.example', 'a wrong password');
  for (let attempt = 0; attempt < 10; attempt++) expect((await sign()).status).toBe(422);
  expect(await refusalOf('too_many_attempts', sign)).toMatchObject({
    status: 429,
    personId: await personIdOf('many@acme.example'),
  });
});

test('a wrong code is logged with the person and the account', async () => {
  await addFactor(await enrol(dashboard, 'acme', 'code@acme.example'));
  const browser = dashboard.browser();
  await signInWith(browser, 'code@acme.example', testPassword);
  await browser.get('/sign-in/next');
  expect(await refusalOf('code_wrong', () => browser.post('/sign-in/next/code', { code: '000000' }))).toEqual(
    {
      ...{ route: '/sign-in/next/code', status: 422, accountId: 'acme' },
      personId: await personIdOf('code@acme.example'),
    },
  );
});

test('a wrong password or passkey at a repeated proof is logged', async () => {
  const { person, ...browser } = await dashboard.signIn('acme', 'viewer');
  await browser.get('/profile');
  const known = { status: 422, personId: person.id, accountId: 'acme' };
  const password = () => browser.post('/sign-in/again', { password: 'a wrong password' });
  expect(await refusalOf('password_wrong', password)).toEqual({ ...known, route: '/sign-in/again' });
  const passkey = () => browser.post('/sign-in/again/passkey', { response: '{}' });
  expect(await refusalOf('passkey_refused', passkey)).toEqual({ ...known, route: '/sign-in/again/passkey' });
});

test('an unknown link is logged without its secret', async () => {
  const open = () => dashboard.browser().get(`/link/${'s3cret'.repeat(7)}x`);
  expect(await refusalOf('link_unknown', open)).toMatchObject({ route: '/link/:secret', status: 404 });
});

test('a form without its token, and a missing role, are logged with the person and the account', async () => {
  const { person, ...browser } = await dashboard.signIn('acme', 'viewer');
  const known = { status: 403, personId: person.id, accountId: 'acme' };
  const form = () => browser.postRaw('/sign-out', { csrf: 's3cret-token' });
  expect(await refusalOf('form_refused', form)).toEqual({ ...known, route: '/sign-out' });
  expect(await refusalOf('role_missing', () => browser.get('/people'))).toEqual({
    ...known,
    route: '/people',
  });
});

test('the log has no secret and no address', () => {
  const log = lines.join('');
  for (const secret of ['a wrong password', testPassword, '@acme.example', 's3cret', '000000'])
    expect(log).not.toContain(secret);
});
