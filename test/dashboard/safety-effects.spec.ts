import { expect, test } from '@jest/globals';
import { fieldOf } from '@jobs-delete/dashboard/testing/read-page';
import { accept } from '@jobs-delete/deleter-service/testing/deletions';
import { until } from '../harness/until.ts';
import { useScene } from './scene.ts';

const scene = useScene();
const english = { 'Accept-Language': 'en' };
const hourMs = 3_600_000;

/** Returns the path and the text of each link in the lists of what the rules have stopped. */
const effectsOf = (text: string) =>
  [...text.matchAll(/<li><span><a href="\/a\/[^/]+([^"]*)">([^<]+)</g)].map(([, path, jobs]) => [path, jobs]);

test('the page leads to the requests that the limit refused, and to the deletions that were cancelled', async () => {
  const viewer = await scene.dashboard.signIn('effects', 'viewer');
  const { accountId } = viewer.session;
  const refused = { accountId, environment: 'live', status: 429, tokenId: '0'.repeat(24) } as const;
  const { accounts } = scene.service.operator;
  const nowMs = Date.now();
  const page = async () => (await viewer.get('/safety', english)).text;
  expect(await page()).toContain('<p class="muted">None. The list can be 10 seconds late.<');
  // A page does not wait for a list that is late.
  await until(async () => (await page()).includes('<p class="muted">None.<'));
  await accounts.addRefusedRequests([
    { ...refused, id: `${accountId}-1`, atMs: nowMs, code: 'deletion_limit_exceeded', jobs: 1_200 },
    {
      ...refused,
      id: `${accountId}-0`,
      atMs: nowMs,
      code: 'deletion_limit_exceeded',
      environment: 'sandbox',
    },
    { ...refused, id: `${accountId}-2`, atMs: nowMs, code: 'job_not_found', jobs: 7 },
    { ...refused, id: `${accountId}-3`, atMs: nowMs - 1, code: 'deletion_limit_exceeded' },
  ]);
  expect(await page()).toContain('A request</a> <span class="badge neutral">Sandbox</span>');
  const { id, origin } = await scene.accept(accountId, { jobs: 3, delayMs: hourMs });
  await scene.accept(accountId, { jobs: 2, delayMs: hourMs });
  await scene.service.operator.store.cancelDeletion({ deletionId: id, accountId }, Date.now(), origin);
  const ofLimit = '/activity/refused?code=deletion_limit_exceeded';
  const effects = await until(async () => {
    const found = effectsOf(await page());
    return found.length > 3 && found;
  });
  expect(effects).toEqual([
    [ofLimit, '1,200 jobs'],
    [ofLimit, 'A request'],
    [ofLimit, 'A request'],
    [`/activity/${id}`, '3 jobs'],
  ]);
});

test.each([
  ['a limit', { limit: { kind: 'jobs', jobs: 10 } }],
  ['no limit', { limit: undefined }],
] as const)(
  'with %s, a manager ends an allowance early, with one entry in the trail',
  async (name, rules) => {
    const manager = await scene.dashboard.signIn(`ending-${name.replace(' ', '-')}`, 'manager');
    const { accountId } = manager.session;
    const { store } = scene.service.operator;
    await store.setRules(accountId, rules);
    const allowance = { id: 'a/b?', jobs: 2_000, untilMs: Date.now() + hourMs };
    await store.addAllowance(accountId, allowance, Date.now());
    const [, path = ''] =
      /href="\/a\/[^/]+([^"]*\/end)"/.exec((await manager.get('/safety', english)).text) ?? [];
    const once = fieldOf(await manager.get(path, english), 'once');
    const ended = { status: 303, location: '/safety?notice=allowance-ended' };
    const answers = await Promise.all([manager.post(path, { once }), manager.post(path, { once })]);
    const last = await manager.post(path, { once });
    expect([...answers, last]).toMatchObject([ended, ended, ended]);
    expect((await store.findRules([accountId])).get(accountId)?.allowances).toEqual([
      { ...allowance, jobs: 0 },
    ]);
    const trail = await scene.dashboard.accounts.listActions({ accountId, pageSize: 9 });
    const subject = `2000 until ${new Date(allowance.untilMs).toISOString()}`;
    expect(trail).toMatchObject([{ action: 'limit.raise-ended', actor: manager.email, subject }]);
    for (const entry of trail)
      await scene.dashboard.accounts.recordAction({
        ...entry,
        id: 'other',
        actor: 'another@acme.example',
        subject: '7',
      });
    const { text } = await manager.get(last.target ?? '', english);
    expect(text).toMatch(/The additional jobs have ended: <strong>2,000 jobs until <time/);
    expect(text).not.toContain('/end"');
  },
);

test('the form of a first limit says which jobs are added to it, and leads to the end of that', async () => {
  const owner = await scene.dashboard.signIn('first-limit', 'owner');
  const { accountId } = owner.session;
  const form = async () => (await owner.get('/safety/limit', english)).text;
  expect(await form()).not.toContain('Additional jobs');
  const allowance = { id: 'early', jobs: 15, untilMs: Date.now() + hourMs };
  await scene.service.operator.store.addAllowance(accountId, allowance, Date.now());
  expect(await form()).toMatch(
    /Additional jobs, which a new limit includes: 15 allowed in addition until <time[^>]*>[^<]* UTC<\/time> <a href="[^"]*\/safety\/allow\/early\/end">/,
  );
});

test.each([
  ['limit', { kind: 'none' }, 'The account loses the protection of its limit:', '<ul><li>[A-Z]'],
  [
    'delay',
    { delay: 'off' },
    'Without a delay, jobs are removed at once',
    '</div>.* later requests only\\.<',
  ],
])(
  'an owner ends the %s only after a warning, which comes before what else there is to know',
  async (rule, fields, warning, others) => {
    const owner = await scene.dashboard.signIn(`off-${rule}`, 'owner');
    const { accountId } = owner.session;
    const { store } = scene.service.operator;
    const before = { limit: { kind: 'jobs', jobs: 10 }, removalDelayMs: hourMs } as const;
    await store.setRules(accountId, before);
    const allowance = { id: 'more', jobs: 15, untilMs: Date.now() + hourMs };
    await store.addAllowance(accountId, allowance, Date.now());
    const rulesOf = async () => (await store.findRules([accountId])).get(accountId);
    const send = async (confirmed: object) => {
      const once = fieldOf(await owner.get(`/safety/${rule}`, english), 'once');
      return owner.post(`/safety/${rule}`, { once, ...fields, ...confirmed });
    };
    const warned = await send({});
    expect(warned.status).toBe(422);
    expect(warned.text.match(/class="warning/g)).toHaveLength(1);
    expect(warned.text).toMatch(
      new RegExp(`class="warning danger" role="alert"><p>${warning}[^<]*</p>${others}`),
    );
    expect(await rulesOf()).toMatchObject(before);
    expect((await send({ anyway: fieldOf(warned, 'anyway') })).location).toBe(
      `/safety?notice=${rule}-changed`,
    );
    expect(await rulesOf()).not.toMatchObject(before);
  },
);

test.each([
  [
    { kind: 'jobs', jobs: '2', percent: '' },
    { kind: 'jobs', jobs: '5', percent: '' },
  ],
  [
    { kind: 'percent', jobs: '', percent: '20' },
    { kind: 'percent', jobs: '', percent: '40' },
  ],
])(
  'a limit below the busiest day is saved only after a warning that has the figure: %j',
  async (low, enough) => {
    const owner = await scene.dashboard.signIn(`below-${low.kind}`, 'owner');
    const { accountId } = owner.session;
    const { operator } = scene.service;
    const jobIds = Array.from({ length: 13 }, (_, index) => `Busy${String(1_000 + index)}`);
    await operator.importJobs(accountId, jobIds);
    const acceptedAtMs = Date.now() - 3 * 24 * hourMs;
    const dueAtMs = Date.now() + hourMs;
    await accept(operator.store, jobIds.slice(0, 5), { accountId, acceptedAtMs, dueAtMs });
    const set = async (fields: Readonly<Record<string, string>>) => {
      const once = fieldOf(await owner.get('/safety/limit', english), 'once');
      return owner.post('/safety/limit', { once, ...fields });
    };
    await until(async () => (await owner.get('/safety/limit', english)).text.includes('of 13 jobs now'));
    const warned = await set(low);
    expect(warned.status).toBe(422);
    expect(warned.text).toMatch(
      /role="alert"><p>On \d[^,]*, deletions of 5 jobs were accepted\. A limit of 2 jobs would have refused at least 3 of them\.</,
    );
    expect((await operator.store.findRules([accountId])).get(accountId)).toBeUndefined();
    const saved = { status: 303, location: '/safety?notice=limit-changed' };
    expect(await set({ ...low, anyway: fieldOf(warned, 'anyway') })).toMatchObject(saved);
    expect(await set(enough)).toMatchObject(saved);
  },
);

test('the form of the limit says of both amounts what 0 does', async () => {
  const owner = await scene.dashboard.signIn('zero', 'owner');
  const { text } = await owner.get('/safety/limit', english);
  const hints = text.matchAll(
    /id="(\w+)-hint"[^>]*>[^<]*0 refuses every deletion, except additional jobs\.</g,
  );
  expect([...hints].map(([, name]) => name)).toEqual(['jobs', 'percent']);
});

test('a form of an allowance that was ended does not allow the jobs again', async () => {
  const manager = await scene.dashboard.signIn('again', 'manager');
  const { accountId } = manager.session;
  const { store } = scene.service.operator;
  await store.setRules(accountId, { limit: { kind: 'jobs', jobs: 10 } });
  const form = { once: fieldOf(await manager.get('/safety/allow'), 'once'), jobs: '5', hours: '1' };
  for (const sent of [form, form])
    expect((await manager.post('/safety/allow', sent)).location).toBe('/safety?notice=deletions-allowed');
  const [{ id } = { id: '' }] = (await store.findRules([accountId])).get(accountId)?.allowances ?? [];
  await store.endAllowance(accountId, id);
  expect((await manager.post('/safety/allow', form)).status).toBe(422);
});

test('the page and the form of the limit name the busiest day of the last 30, and a limit below all jobs', async () => {
  const owner = await scene.dashboard.signIn('busy', 'owner');
  const { accountId } = owner.session;
  const dayMs = 24 * hourMs;
  const busyMs = Date.now() - 3 * dayMs;
  const early = await scene.accept(accountId, { jobs: 9, acceptedAtMs: Date.now() - 40 * dayMs });
  const busy = [
    await scene.accept(accountId, { jobs: 3, acceptedAtMs: busyMs }),
    await scene.accept(accountId, { jobs: 2, acceptedAtMs: busyMs }),
  ];
  const latest = await scene.accept(accountId, { jobs: 4 });
  const day = new Date(busyMs).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const busiest = async () =>
    /<dt>Busiest day in 30 days<\/dt><dd>(<a .*?)<\/dd>/.exec(
      (await owner.get('/safety', english)).text,
    )?.[1];
  const onDay = new Date(busyMs).toISOString().slice(0, 10);
  const link = `<a href="/a/${accountId}/activity?from=${onDay}&amp;to=${onDay}#list-heading">5 jobs (${day})</a>`;
  expect(await until(busiest)).toBe(link);
  const recommended = async (text: string) => {
    const page = (await owner.get('/safety', english)).text;
    return page.includes(`<p>Recommended: ${text}`) || undefined;
  };
  const chosen = async () =>
    / value="(\w+)" checked/.exec((await owner.get('/safety/limit', english)).text)?.[1];
  expect(await until(() => recommended('7 jobs in 24 hours, somewhat more than on your busiest day.'))).toBe(
    true,
  );
  expect(await chosen()).toBe('jobs');
  const aside = async () =>
    /<dt>Busiest day in 30 days<\/dt><dd>\d[^<]*/.exec((await owner.get('/safety/limit', english)).text)?.[0];
  expect(await until(aside)).toBe(`<dt>Busiest day in 30 days</dt><dd>5 jobs (${day})`);
  // Now the account has fewer jobs than were deleted on that day.
  for (const deletion of [early, latest]) await scene.complete(deletion);
  expect(await until(() => recommended('50% of the jobs, in 24 hours. Your busiest day was above it'))).toBe(
    true,
  );
  expect(await until(async () => (await chosen()) === 'percent')).toBe(true);
  // Also where no jobs are left to compare with.
  for (const deletion of busy) await scene.complete(deletion);
  expect(await until(aside)).toBe(`<dt>Busiest day in 30 days</dt><dd>5 jobs (${day})`);
});

test.each([
  ['fr', 'Garde-fous'],
  ['es', 'Protección'],
])('the page speaks %s', async (language, title) => {
  const { text } = await (
    await scene.dashboard.signIn(language, 'owner')
  ).get('/safety', { 'Accept-Language': language });
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).not.toContain('undefined');
});

test('a limit that began less than 24 hours ago says since when it counts, and how many jobs do not', async () => {
  const owner = await scene.dashboard.signIn('start', 'owner');
  const { accountId } = owner.session;
  const { operator } = scene.service;
  const jobIds = Array.from({ length: 30 }, (_, index) => `Start${String(1_000 + index)}`);
  await operator.importJobs(accountId, jobIds);
  await accept(operator.store, jobIds.slice(0, 2), { accountId, acceptedAtMs: Date.now() - 25 * hourMs });
  await accept(operator.store, jobIds.slice(2, 6), { accountId, acceptedAtMs: Date.now() - hourMs });
  const once = fieldOf(await owner.get('/safety/limit', english), 'once');
  await owner.post('/safety/limit', { once, kind: 'jobs', jobs: '9', percent: '' });
  for (const path of ['/safety', '/safety/allow'])
    await until(async () =>
      /0 of 9 jobs<\/strong> counted since <time.*Not counted: 4 jobs accepted before/.test(
        (await owner.get(path, english)).text,
      ),
    );
});
