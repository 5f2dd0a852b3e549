import { expect, test } from '@jest/globals';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import type { SignedInBrowser } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { accept } from '@jobs-delete/deleter-service/testing/deletions';
import { until } from '../harness/until.ts';
import { useScene } from './scene.ts';

const scene = useScene();
const store = () => scene.service.operator.store;
const english = { 'Accept-Language': 'en' };
const hourMs = 3_600_000;

let count = 0;
const newAccount = () => `safety-${String((count += 1))}`;
const rulesOf = async (accountId: string) => (await store().findRules([accountId])).get(accountId);
const trailOf = async (accountId: string) =>
  (await scene.dashboard.accounts.listActions({ accountId, pageSize: 50 })).map(
    ({ action, actor, subject }) => ({ action, actor, subject }),
  );
/** Returns the limit and the delay of the page. */
const valuesOf = (text: string) =>
  [...text.matchAll(/<p class="value">([^<]*)</g)].map(([, value]) => value?.trim());

/** Signs in to a new account with a limit of 10 jobs. */
async function signInWithLimit(role: 'viewer' | 'manager' | 'owner'): Promise<SignedInBrowser> {
  const accountId = newAccount();
  await store().setRules(accountId, { limit: { kind: 'jobs', jobs: 10 } });
  return scene.dashboard.signIn(accountId, role);
}

/** Opens a form, and returns a function that sends it. */
async function open(browser: SignedInBrowser, path: string) {
  const once = fieldOf(await browser.get(path, english), 'once');
  return (fields: Readonly<Record<string, string>>) => browser.post(path, { once, ...fields });
}

test('the page has the limit, what is used, and what is free', async () => {
  const viewer = await signInWithLimit('viewer');
  const { accountId } = viewer.session;
  await scene.service.operator.importJobs(accountId, ['Safe0001', 'Safe0002', 'Safe0003']);
  const guard = { limit: { kind: 'jobs', jobs: 10 }, allowances: [] } as const;
  const acceptedAtMs = Date.now();
  await accept(store(), ['Safe0001', 'Safe0002', 'Safe0003'], { accountId, guard, acceptedAtMs });
  const { text } = await viewer.get('/safety', english);
  expect(valuesOf(text)).toEqual(['10 jobs in 24 hours', 'No delay']);
  expect(text).toContain('<strong>3 of 10 jobs</strong> counted against the limit in the last 24 hours');
  expect(text).toContain('<strong>7 left</strong>');
  expect(text).toMatch(/<svg class="meter".*<rect width="30" height="1"/);
  expect(text).not.toContain('/safety/');
});

test('a manager allows more until a time, with an entry in the trail, and can’t change the limit', async () => {
  const manager = await signInWithLimit('manager');
  const { accountId } = manager.session;
  const before = Date.now();
  expect(await (await open(manager, '/safety/allow'))({ jobs: '2000', hours: '4' })).toMatchObject({
    status: 303,
    location: '/safety?notice=deletions-allowed',
  });
  const [allowance] = (await rulesOf(accountId))?.allowances ?? [];
  expect(allowance?.untilMs).toBeGreaterThanOrEqual(before + 4 * hourMs);
  expect(allowance?.untilMs).toBeLessThanOrEqual(Date.now() + 4 * hourMs);
  const subject = `2000 until ${new Date(allowance?.untilMs ?? 0).toISOString()}`;
  expect(await trailOf(accountId)).toEqual([{ action: 'limit.raised', actor: manager.email, subject }]);
  const { text } = await manager.get('/safety', english);
  expect(text).not.toContain('/safety/limit');
  const inForce =
    /"value">2,010 jobs in 24 hours<span class="second">10 \+ 2,000 allowed in addition until <time[^>]*>[^<]* UTC<\/time> <a [^>]*>End it now</;
  expect(text).toMatch(inForce);
  expect((await manager.get('/safety/allow', english)).text).toMatch(inForce);
});

test('an allowance that has ended is not shown, and allows nothing', async () => {
  const viewer = await signInWithLimit('viewer');
  const { accountId } = viewer.session;
  const ended = { id: 'ended', jobs: 2_000, untilMs: Date.now() - 1 };
  await store().addAllowance(accountId, ended, Date.now() - hourMs);
  const { text } = await viewer.get('/safety', english);
  expect(text).toContain('<strong>0 of 10 jobs</strong>');
  expect(text).not.toContain('2,000');
});

test('a form that is sent twice allows once, and other values allow again', async () => {
  const manager = await signInWithLimit('manager');
  const { accountId } = manager.session;
  const send = await open(manager, '/safety/allow');
  const fields = { jobs: '5', hours: '1' };
  const answers = await Promise.all([send(fields), send(fields)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await rulesOf(accountId))?.allowances).toHaveLength(1);
  expect(await trailOf(accountId)).toHaveLength(1);
  await send({ ...fields, jobs: '6' });
  expect((await rulesOf(accountId))?.allowances.map(({ jobs }) => jobs)).toEqual([5, 6]);
});

test.each([
  ['/safety/allow', { jobs: '0', hours: '1' }],
  ['/safety/allow', { jobs: '1.5', hours: '1' }],
  ['/safety/allow', { jobs: '9'.repeat(13), hours: '1' }],
  ['/safety/allow', { jobs: '5', hours: '999' }],
  ['/safety/allow', { jobs: '5', hours: '1', once: 'forged' }],
  ['/safety/limit', { kind: 'jobs', jobs: '', percent: '5' }],
  ['/safety/limit', { kind: 'percent', jobs: '5', percent: '101' }],
  ['/safety/limit', { kind: 'other', jobs: '5' }],
  ['/safety/limit', { jobs: '5' }],
  ['/safety/limit', { kind: 'none', once: 'forged' }],
  ['/safety/delay', { delay: '31d' }],
  ['/safety/delay', { delay: '' }],
])('%s refuses %j and changes nothing', async (path, fields) => {
  const owner = await signInWithLimit('owner');
  const { accountId } = owner.session;
  const before = await rulesOf(accountId);
  expect(await (await open(owner, path))(fields)).toMatchObject({ status: 422 });
  expect(await rulesOf(accountId)).toEqual(before);
  expect(await trailOf(accountId)).toEqual([]);
});

test('without a limit there is nothing to raise', async () => {
  const manager = await scene.dashboard.signIn(newAccount(), 'manager');
  const answer = { status: 303, location: '/safety' };
  expect(await manager.get('/safety/allow')).toMatchObject(answer);
  expect(await manager.post('/safety/allow', { jobs: '5', hours: '1' })).toMatchObject(answer);
  expect(await rulesOf(manager.session.accountId)).toBeUndefined();
});

test('an owner changes limit and delay, each alone, with entries in the trail', async () => {
  const owner = await signInWithLimit('owner');
  const { accountId } = owner.session;
  const change = async (path: string, fields: Readonly<Record<string, string>>) => {
    expect(await (await open(owner, path))(fields)).toMatchObject({ status: 303 });
    const { removalDelayMs, limit } = (await rulesOf(accountId)) ?? {};
    return { removalDelayMs, limit };
  };
  const limit = { kind: 'share', percent: 20 };
  expect(await change('/safety/limit', { kind: 'percent', jobs: '10', percent: '20' })).toEqual({
    removalDelayMs: 0,
    limit,
  });
  // The deleter counts at the first request only.
  const jobIds = Array.from({ length: 12 }, (_, index) => `Share${String(1_000 + index)}`);
  await scene.service.operator.importJobs(accountId, jobIds);
  await until(async () =>
    (await owner.get('/safety', english)).text.includes(
      '"value">2 jobs in 24 hours<span class="second">20% of the current number of jobs<',
    ),
  );
  expect(await change('/safety/delay', { delay: '24h' })).toEqual({ removalDelayMs: 24 * hourMs, limit });
  expect(valuesOf((await owner.get('/safety', english)).text)[1]).toBe('1 day');
  const noLimit = { kind: 'none', jobs: '', percent: '20', anyway: 'off' };
  expect((await change('/safety/limit', noLimit)).limit).toBeUndefined();
  const noDelay = { delay: 'off', anyway: 'off' };
  expect(await change('/safety/delay', noDelay)).toEqual({ removalDelayMs: 0, limit: undefined });
  expect((await trailOf(accountId)).map(({ action, subject }) => [action, subject])).toEqual(
    expect.arrayContaining([
      ['limit.changed', '10 → 20%'],
      ['delay.changed', 'off → 24h'],
      ['limit.changed', '20% → off'],
      ['delay.changed', '24h → off'],
    ]),
  );
});

test.each([
  ['/safety/limit', { kind: 'jobs', jobs: '10', percent: '' }],
  ['/safety/delay', { delay: 'off' }],
])('%s that changes nothing says so, without an entry in the trail', async (path, fields) => {
  const owner = await signInWithLimit('owner');
  const { location } = await (await open(owner, path))(fields);
  expect(location).toBe('/safety?notice=rule-set');
  expect(await trailOf(owner.session.accountId)).toEqual([]);
});

test('the form of the limit has a number for each kind, and the one of the limit filled in', async () => {
  const owner = await signInWithLimit('owner');
  const { text } = await owner.get('/safety/limit', english);
  const inputs = [...text.matchAll(/<input[^>]* name="(?:kind|jobs|percent)"[^>]*>/g)].map(([input]) =>
    ['checked', 'value="jobs"', 'value="10"', 'name="percent"'].filter((part) => input.includes(part)),
  );
  expect(inputs).toEqual([['checked', 'value="jobs"'], ['value="10"'], [], ['name="percent"'], []]);
  const refused = await (await open(owner, '/safety/limit'))({ kind: 'percent', jobs: '10', percent: '101' });
  expect(refused.text).toContain('id="percent-problem"');
  expect(refused.text).not.toContain('id="jobs-problem"');
});

test.each(['owner', 'manager'] as const)(
  'an account without rules is unprotected, and the %s learns what to do',
  async (role) => {
    const browser = await scene.dashboard.signIn(newAccount(), role);
    const { text } = await browser.get('/safety', english);
    expect(text.match(/<span class="badge attention">Unprotected</g)).toHaveLength(2);
    expect(text).toContain('Requests may delete every job. With a limit, a request that would exceed it is');
    expect(text).toContain('A removal starts at once. With a delay, jobs are removed only after it.');
    const isOwner = role === 'owner';
    const asks = ['Ask an owner to set a limit.', 'Ask an owner to set a delay, to be able to cancel.'];
    expect(text.match(/Ask an owner[^<]*/g)).toEqual(isOwner ? null : asks);
    expect(text.includes('Only owners change the limit and the delay.')).toBe(!isOwner);
    const limited = await (await signInWithLimit(role)).get('/safety', english);
    expect(limited.text.match(/Unprotected/g)).toHaveLength(1);
  },
);

test('the form of the limit says what a share is now, and the form of the delay has one chosen', async () => {
  const owner = await scene.dashboard.signIn(newAccount(), 'owner');
  const { accountId } = owner.session;
  const jobIds = Array.from({ length: 25 }, (_, index) => `Part${String(1_000 + index)}`);
  await scene.service.operator.importJobs(accountId, jobIds);
  const formHas = async (text: string, query = '') =>
    (await owner.get(`/safety/limit${query}`, english)).text.includes(text);
  await until(() => formHas('50% of 25 jobs now: 12 jobs a day.'));
  await store().setRules(accountId, { limit: { kind: 'share', percent: 40 } });
  await until(() => formHas('40% of 25 jobs now: 10 jobs a day.'));
  await until(() => formHas('20 jobs a day: 80% of 25 jobs now.', '?jobs=20'));
  const { text } = await owner.get('/safety/delay', english);
  expect(text).toMatch(/Recommended: 1 day[^.]*\.<.*<option value="24h" selected>/);
});

test.each([
  [
    { kind: 'jobs', jobs: '4', percent: '' },
    { kind: 'jobs', jobs: '3', percent: '' },
  ],
  [
    { kind: 'percent', jobs: '', percent: '100' },
    { kind: 'percent', jobs: '', percent: '75' },
  ],
])('a limit that lets requests delete every job is saved only after a warning: %j', async (all, fewer) => {
  const owner = await scene.dashboard.signIn(newAccount(), 'owner');
  const { accountId } = owner.session;
  await scene.service.operator.importJobs(accountId, ['All00001', 'All00002', 'All00003', 'All00004']);
  const pageHas = async (path: string, text: string) => (await owner.get(path, english)).text.includes(text);
  await until(() => pageHas('/safety/limit', 'A limit of 4 jobs or more protects nothing now.'));
  const set = async (fields: Record<string, string>) => (await open(owner, '/safety/limit'))(fields);
  const warning = 'Jobs at the moment: 4. Requests may delete them all within 24 hours despite this limit.';
  const warned = await set(all);
  expect(warned).toMatchObject({ status: 422, text: expect.stringContaining(warning) });
  expect(warned.text).toContain('<button>Save it anyway</button>');
  expect(await rulesOf(accountId)).toBeUndefined();
  expect((await set({ ...all, anyway: '9' })).status).toBe(422);
  expect(await set({ ...all, anyway: fieldOf(warned, 'anyway') })).toMatchObject({
    status: 303,
    location: '/safety?notice=limit-allows-all',
  });
  await until(() => pageHas('/safety', warning));
  await store().addAllowance(accountId, { id: accountId, jobs: 4, untilMs: Date.now() + hourMs }, Date.now());
  await until(() => pageHas('/safety', warning));
  expect(await set(fewer)).toMatchObject({ status: 303, location: '/safety?notice=limit-changed' });
  expect(await pageHas('/safety', warning)).toBe(false);
});

test('an owner without rules gets full buttons to set them, and forms without warnings about a change', async () => {
  const owner = await scene.dashboard.signIn(newAccount(), 'owner');
  const { accountId } = owner.session;
  const buttons = async () =>
    [...(await owner.get('/safety', english)).text.matchAll(/<a class="(button[^"]*)"[^>]*>([^<]*)</g)].map(
      ([, look, text]) => [look, text],
    );
  const heads = /<(?:h1|div class="warning"><p)>([^<]{1,16})/g;
  const headsOf = async (rule: 'limit' | 'delay') =>
    [...(await owner.get(`/safety/${rule}`, english)).text.matchAll(heads)].map(([, start]) => start);
  expect(await buttons()).toEqual([
    ['button', 'Set a limit'],
    ['button', 'Set a delay'],
  ]);
  const forms = async () => [await headsOf('limit'), await headsOf('delay')];
  expect(await forms()).toEqual([['Set a limit'], ['Set a delay']]);
  await store().setRules(accountId, { limit: { kind: 'jobs', jobs: 10 }, removalDelayMs: 1 });
  expect(await buttons()).toEqual([
    ['button quiet', 'Allow more for a time'],
    ['button quiet', 'Change the limit'],
    ['button quiet', 'Waiting deletions'],
    ['button quiet', 'Change the delay'],
  ]);
  expect(await forms()).toEqual([['Change the limit', 'A change is last'], ['Change the delay']]);
});

test('the form that allows more shows the limit and its use', async () => {
  const manager = await signInWithLimit('manager');
  const { accountId } = manager.session;
  await scene.service.operator.importJobs(accountId, ['Used0001']);
  const guard = { limit: { kind: 'jobs', jobs: 10 }, allowances: [] } as const;
  await accept(store(), ['Used0001'], { accountId, guard, acceptedAtMs: Date.now() });
  const { text } = await manager.get('/safety/allow', english);
  expect(valuesOf(text)).toEqual(['10 jobs in 24 hours']);
  expect(text).toContain('<strong>1 of 10 jobs</strong>');
  expect(text).toContain('<strong>9 left</strong>');
  const refused = await (await open(manager, '/safety/allow'))({ jobs: '0', hours: '1' });
  expect(refused.text).toContain('class="gauge"');
});

test('the form of the delay keeps one that only the command line sets', async () => {
  const owner = await scene.dashboard.signIn(newAccount(), 'owner');
  await store().setRules(owner.session.accountId, { removalDelayMs: 90_000 });
  const { text } = await owner.get('/safety/delay', english);
  expect(text).toMatch(/later requests only.*value="90s" selected>1.5 minutes</);
});
