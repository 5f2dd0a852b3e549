import { expect, test } from '@jest/globals';
import { startTestDashboard } from '@jobs-delete/dashboard/testing/start-test-dashboard';
import { until } from '../harness/until.ts';
import { useScene } from './scene.ts';

const scene = useScene();
const english = { 'Accept-Language': 'en' };

/** Returns the first steps, each with its badge or the link to where it is done. */
function steps(text: string): readonly string[] {
  const items = /<li[^>]*><div><strong>([^<]+)<\/strong>.*?<\/div>(.*?)<\/li>/g;
  return [...text.matchAll(items)].map(([, step = '', state = '']) => {
    const [, look, path] = /class="(button[^"]*)" href="\/a\/[\w-]+([^"]*)"/.exec(state) ?? [];
    return `${step}: ${look === undefined ? state.replaceAll(/<[^>]*>/g, '') : `${look} ${String(path)}`}`;
  });
}

test('an account that has deleted nothing sees its first steps, and the address / leads to them', async () => {
  await scene.service.operator.createAccount('newcomer');
  const viewer = await scene.dashboard.signIn('newcomer', 'viewer');
  expect(await viewer.get('/')).toMatchObject({ status: 303, location: '/overview' });
  await scene.service.operator.accounts.allowDomain('newcomer', 'shop.example');
  const { status, text } = await viewer.get('/overview', english);
  expect(status).toBe(200);
  expect(steps(text)).toEqual([
    'Allow the domain of your site: Done',
    'Create a token and a secret key: Done',
    'Set a limit or a delay: An owner does this.',
    'Have the operator import your jobs: button /jobs',
    'Send a request from your site: Needs jobs first',
    'Delete your first jobs: Needs jobs first',
  ]);
  expect(text).toContain('2 of 6 done');
  expect(text).not.toContain('Latest deletions');
  const empty = 'This page shows the figures of the account once it has jobs.';
  expect([text.includes(empty), text.includes('Jobs now')]).toEqual([true, false]);

  const activity = (await viewer.get('/activity', english)).text;
  expect(activity).toMatch(/Nothing has been deleted yet\..*<a class="button" href="[^"]*\/sandbox">/s);
  expect(activity).not.toMatch(/class="chart"|data-events/);
  expect((await viewer.get('/activity?id=x', english)).text).toContain('Your account has no deletion');
  const jobsImport = 'jobs import jobs.csv --account newcomer';
  await until(async () => (await viewer.get('/jobs', english)).text.includes(jobsImport));
  await scene.service.operator.importJobs('newcomer', ['First0001']);
  const imported = (await viewer.get('/overview', english)).text;
  expect([imported.includes(empty), imported.includes('Jobs now')]).toEqual([false, true]);
  expect(steps(imported).slice(3)).toEqual([
    'Have the operator import your jobs: Done',
    'Send a request from your site: button /sandbox',
    'Delete your first jobs: button quiet /jobs',
  ]);
});

test.each([
  ['limited', { limit: { kind: 'jobs', jobs: 10 } }],
  ['delayed', { removalDelayMs: 1 }],
] as const)('the step of the limit is done for an account that is %s by %j', async (accountId, rules) => {
  await scene.service.operator.createAccount(accountId);
  const owner = await scene.dashboard.signIn(accountId, 'owner');
  const { store } = scene.service.operator;
  const stepNow = async () => steps((await owner.get('/overview', english)).text).at(2);
  expect(await stepNow()).toBe('Set a limit or a delay: button /safety/limit');
  await store.setRules(accountId, rules);
  expect(await stepNow()).toBe('Set a limit or a delay: Done');
});

test('an account with jobs but no rule is warned first, and an owner sets a rule from there', async () => {
  const { operator } = scene.service;
  await operator.createAccount('unprotected');
  const people = await Promise.all(
    (['viewer', 'owner'] as const).map((role) => scene.dashboard.signIn('unprotected', role)),
  );
  const warnings = () =>
    Promise.all(
      people.map(async (browser) => {
        const { text } = await browser.get('/overview', english);
        const [first] = /<p class="warning">.*?<\/p>/s.exec(text) ?? [''];
        const [, link = ''] = /<a href="\/a\/unprotected\/safety">(.*?)<\/a>/.exec(first) ?? [];
        return first.includes('Nothing protects this account') ? link : 'none';
      }),
    );
  expect(await warnings()).toEqual(['none', 'none']);
  await operator.importJobs('unprotected', ['Bare0001']);
  expect(await warnings()).toEqual(['See the safety rules', 'Set a limit or a delay']);
  await operator.store.setRules('unprotected', { removalDelayMs: 1 });
  expect(await warnings()).toEqual(['none', 'none']);
});

test('shows the deletions of the account only, and the share of refused requests', async () => {
  const { operator } = scene.service;
  for (const id of ['overview', 'other-overview']) await operator.createAccount(id);
  const own = await scene.accept('overview', { jobs: 3 });
  await scene.complete(own);
  await scene.accept('overview');
  const dayMs = 86_400_000;
  // On the last day of the longest delay.
  const acceptedAtMs = Date.now() - 30 * dayMs;
  await scene.accept('overview', { jobs: 2, acceptedAtMs, delayMs: dayMs });
  const foreign = await scene.accept('other-overview');
  await operator.importJobs('overview', ['Left0001', 'Left0002']);
  const day = new Date().toISOString().slice(0, 10);
  await operator.accounts.addRefusals([{ accountId: 'overview', day, code: 'token_invalid', count: 3 }]);
  const viewer = await scene.dashboard.signIn('overview', 'viewer');
  const { text } = await viewer.get('/overview', english);
  expect(text).toContain(`/activity/${own.id}"`);
  expect(text).not.toContain(foreign.id);
  // The page does not wait for a late count, and has this address for it then.
  if (text.includes('counting…')) expect(text).toContain('data-events="/a/overview/overview/events"');
  else expect(text).toContain('60% of all requests');

  const summary = (await viewer.get('/overview/events', english)).text;
  const figure = (name: string) =>
    new RegExp(`${name}</a></\\w+><strong class="figure">([^<]*)<`).exec(summary)?.[1];
  expect(figure('Jobs now')).toBe('5');
  expect(summary).toContain('including 2 waiting<');
  const firstDay = (days: number) => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
  const paths = [...summary.matchAll(/<a href="\/a\/overview([^"]*)"/g)].map(([, path = '']) => path);
  // The days of the chart have links of their own.
  expect(paths.filter((path) => !path.includes('to='))).toEqual([
    '/jobs',
    '/activity?state=waiting',
    ...[1, 7].map((days) => `/activity?from=${firstDay(days)}`),
    '/activity#refusals-heading',
    `/activity?from=${firstDay(30)}&amp;state=completed`,
  ]);
  expect(figure('Deletions waiting')).toBe('1');
  expect(summary).toContain('with 2 jobs');
  expect(figure('Jobs deleted today')).toBe('3');
  expect(figure('Jobs deleted in 30 days')).toBe('3');
  expect(summary).toContain('>one deletion<');
  expect(figure('Refused in 30 days')).toBe('3');
  expect(summary).toContain('60% of all requests');
  expect(summary).toContain('class="chart"');
});

test('appears without figures while no api answers', async () => {
  const alone = await startTestDashboard({ DELETER_ADDRESS: '127.0.0.1:1', LOG_LEVEL: 'fatal' });
  try {
    const viewer = await alone.signIn('acme', 'viewer');
    const { status, text } = await viewer.get('/overview', english);
    expect(status).toBe(200);
    expect(text).toContain('The deletions are not available at the moment.');
  } finally {
    await alone.stop();
  }
});

test.each([
  ['DEMO0001', '/jobs?find=DEMO0001'],
  [' part-time nurse ', '/jobs?find=part-time+nurse'],
  ['01a2b3c4-0000-7000-8000-0123456789ab', '/activity?id=01a2b3c4-0000-7000-8000-0123456789ab'],
  ['01A2B3C4…89ab', '/activity?id=01A2B3C4%E2%80%A689ab'],
  ['deadbeef01', '/jobs?find=deadbeef01'],
  ['2024-0815', '/jobs?find=2024-0815'],
  ['', '/jobs?find='],
])('the search for %j leads to %s', async (text, location) => {
  const viewer = await scene.dashboard.signIn('finder', 'viewer');
  const answer = await viewer.get(`/find?${new URLSearchParams({ find: text }).toString()}`);
  expect(answer).toMatchObject({ status: 303, location });
});
