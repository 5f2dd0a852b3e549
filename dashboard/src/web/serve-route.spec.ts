import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServiceContext } from '@jobs-delete/runtime/process/service-context';
import { startTestDashboard, type TestDashboard } from '../testing/start-test-dashboard.ts';
import { refusalCodes, type RefusalCode } from './route.ts';

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

test('every code is counted from the start', async () => {
  for (const code of refusalCodes) expect(await countOf(code)).toBe(0);
});

test('a refused passkey is logged, without what was sent', async () => {
  const unauthenticated = dashboard.browser();
  await unauthenticated.get('/sign-in');
  const signIn = () => unauthenticated.post('/sign-in/passkey', { response: '{"s3cret":1}' });
  expect(await refusalOf('passkey_refused', signIn)).toEqual({
    route: '/sign-in/passkey',
    status: 422,
    accountId: undefined,
    personId: undefined,
  });
  const { person, ...browser } = await dashboard.signIn('acme', 'viewer');
  await browser.get('/profile');
  const again = () => browser.post('/sign-in/again/passkey', { response: '{}' });
  expect(await refusalOf('passkey_refused', again)).toEqual({
    route: '/sign-in/again/passkey',
    status: 422,
    personId: person.id,
    accountId: 'acme',
  });
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
  expect(await refusalOf('role_missing', () => browser.get('/people/invite'))).toEqual({
    ...known,
    route: '/people/invite',
  });
});

test('the log has no secret and no address', () => {
  const log = lines.join('');
  for (const secret of ['@acme.example', 's3cret']) expect(log).not.toContain(secret);
});
