import { expect, test } from '@jest/globals';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { chartOf, createDayCounter } from '../activity/chart-days.ts';
import type { DeleterCalls } from '../deleter/deleter-calls.ts';
import type { Deletion } from '../deleter/deletion.ts';
import type { Services } from '../services.ts';
import type { MemberVisit } from '../web/route.ts';
import { htmlOf } from '../testing/visit-page.ts';
import { partOf } from '../testing/part-of.ts';
import { Figures, leadFigure } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { overviewRoutes } from './overview-routes.tsx';

test('connections of one account share a summary that is still being counted', async () => {
  const reads: string[] = [];
  const read = (name: string) => (accountId: string) => {
    reads.push(`${name} ${accountId}`);
    return new Promise<never>(() => undefined);
  };
  const countDeletions: DeleterCalls['countDeletions'] = ({ accountId }) => read('days')(accountId);
  const deleter = { countJobs: read('jobs'), countDeletions };
  const accounts = { listRefusals: read('refusals') };
  const services = partOf<Services>({ deleter, accounts });
  const routes = overviewRoutes({ ...services, dayCounter: createDayCounter(services.deleter) });
  const events = routes.find(({ path }) => path === '/overview/events');
  const connect = async (accountId: string) => {
    const reply = await events?.serve({ accountId, language: 'en', nowMs: 0 } as MemberVisit);
    if (reply?.kind !== 'events') throw new Error('the reply has no events');
    void reply.open(new AbortController().signal)[Symbol.asyncIterator]().next();
  };
  for (const accountId of ['acme', 'acme', 'other']) await connect(accountId);
  expect(reads).toEqual(
    expect.arrayContaining(['jobs acme', 'refusals acme', 'jobs other', 'refusals other']),
  );
  expect(reads.filter((each) => each === 'jobs acme' || each === 'refusals acme')).toHaveLength(2);
});

test.each([
  ['no recent deletion', 3_000 * 86_400_000, 1, []],
  ['a deletion', 1, 1, ['class="counting', 'with-refused']],
  ['a deletion, and refused requests to the sandbox only,', 1, 0, ['class="counting']],
])(
  'an overview with %s that is still being counted keeps the place of its chart',
  async (_, age, count, places) => {
    const nowMs = Date.parse('2026-01-20T12:00:00Z');
    const never = () => new Promise<never>(() => undefined);
    let reads = 0;
    const listRefusals = () => {
      reads += 1;
      return Promise.resolve([{ accountId: 'acme', day: '2026-01-20', code: 'x', count, sandboxCount: 1 }]);
    };
    const none = () => Promise.resolve([]);
    const latest = { id: 'd', accountId: 'acme', acceptedAtMs: nowMs - age, jobCount: 1, state: 'completed' };
    const listDeletions = () => Promise.resolve({ deletions: [{ ...latest, origin: { person: 'ada' } }] });
    const getSafety = () => Promise.resolve({ removalDelayMs: 1 });
    const listJobs = () => Promise.resolve({ jobIds: [], next: undefined });
    const services = partOf<Services>({
      accounts: { listCredentials: none, listDomains: none, listRefusals },
      deleter: { countJobs: never, countDeletions: never, listDeletions, listJobs, getSafety } as object,
      openId: {},
    });
    const routes = overviewRoutes({ ...services, dayCounter: createDayCounter(services.deleter) });
    const visit = partOf<MemberVisit>({ accountId: 'acme', language: 'en', role: 'viewer', nowMs, url: '/' });
    const reply = await routes.find(({ path }) => path === '/overview')?.serve(visit);
    const html = htmlOf(reply);
    expect(['class="counting', 'with-refused'].filter((place) => html.includes(place))).toEqual(places);
    expect(reads).toBe(1);
  },
);

test.each([
  ['en', 'with 1 job<', 'with 2 jobs<', 'including 1 waiting<'],
  ['fr', 'pour 1 offre<', 'pour 2 offres<', 'dont 1 en attente<'],
  ['es', 'de 1 oferta<', 'de 2 ofertas<', 'incluida 1 en espera<'],
] as const)('one waiting job is in the singular in %s', (language, one, two, including) => {
  const figuresOf = (jobs: number) =>
    render(
      h(Figures, {
        visit: { accountId: 'acme', language, url: '/', nowMs: 0 },
        summary: { days: [], waiting: { deletions: 1, jobs }, jobs: 9, refused: 0, chart: { days: [] } },
      }),
    );
  expect(figuresOf(1)).toContain(one);
  expect(figuresOf(1)).toContain(including);
  expect(figuresOf(2)).toContain(two);
});

test('the figure that leads counts the deletions that removed its jobs, as its page does', () => {
  const dayMs = 86_400_000;
  const states = (['completed', 'waiting', 'cancelled'] as const).map((state) => ({
    state,
    deletions: 1,
    jobs: 4,
  }));
  const days = [0, 1].map((index) => ({
    dayMs: index * dayMs,
    deletions: 3,
    jobsAccepted: 12,
    jobsRemoved: 4,
    states,
  }));
  const counts = { days, retentionMs: undefined };
  const chart = chartOf({ counts, state: 'completed', refusals: [], nowMs: 2 * dayMs });
  const summary = { days, waiting: { deletions: 2, jobs: 8 }, jobs: 9, refused: 0, chart };
  const sum = (name: 'jobs' | 'deletions') => chart.days.reduce((total, day) => total + day[name], 0);
  expect(
    leadFigure({ accountId: 'acme', language: 'en', url: '/', nowMs: 2 * dayMs }, summary),
  ).toMatchObject({
    value: String(sum('jobs')),
    comparison: `${String(sum('deletions'))} deletions`,
  });
});

test.each([
  ['owner', '/domains/new', '/keys/new', '/safety/limit'],
  ['manager', '/domains/new', '/keys/new'],
  ['viewer'],
] as const)(
  'the first steps of a person of the role %s lead to the forms that the role may use, the next one with a full button',
  (role, ...paths) => {
    const steps = { jobs: true, domain: false, keys: false, sandbox: true, limit: false, deletion: true };
    const stepsOf = (done: Partial<typeof steps>) =>
      render(
        h(FirstSteps, {
          visit: { accountId: 'acme', language: 'en', role },
          steps: { ...steps, ...done },
        }),
      );
    const links = [...stepsOf({}).matchAll(/<a class="([^"]*)" href="\/a\/acme([^"]*)"/g)];
    const looks = links.map(([, look, path]) => [look, path]);
    expect(looks).toEqual(paths.map((path, index) => [index === 0 ? 'button' : 'button quiet', path]));
    expect(stepsOf({ domain: true, keys: true })).toBe('');
    expect(stepsOf({ domain: true, keys: true, sandbox: false })).toContain('class="button"');
    const beforeDeletion = stepsOf({ deletion: false });
    expect(beforeDeletion.includes('A manager does this.')).toBe(role === 'viewer');
    expect(beforeDeletion.includes('An owner does this.')).toBe(role !== 'owner');
  },
);

test.each([
  [
    'owner',
    {},
    [
      ['button', '/domains/new'],
      ['button quiet', '/keys/new'],
      ['button quiet', '/safety/limit'],
      ['button quiet', '/jobs'],
    ],
  ],
  [
    'owner',
    { domain: true, keys: true },
    [
      ['button', '/safety/limit'],
      ['button quiet', '/jobs'],
    ],
  ],
  ['manager', { domain: true, keys: true }, [['button', '/jobs']]],
  ['viewer', {}, [['button', '/jobs']]],
] as const)(
  'without jobs, a person of the role %s who has done %j is led to what waits for nobody, then to the operator',
  (role, done, buttons) => {
    const none = { jobs: false, domain: false, keys: false, sandbox: false, limit: false, deletion: false };
    const visit = { accountId: 'acme', language: 'en', role } as const;
    const html = render(h(FirstSteps, { visit, steps: { ...none, ...done } }));
    const links = [...html.matchAll(/<a class="(button[^"]*)" href="\/a\/acme([^"]*)"/g)];
    expect(links.map(([, look, path]) => [look, path])).toEqual(buttons);
    expect(html.match(/<span class="muted">Needs jobs first/g)).toHaveLength(2);
  },
);

const deletionId = '01a22154-0000-7000-8000-0123456789ab';
test.each([
  ['01a22154', undefined, `/activity?id=01a22154`],
  ['01A22154', undefined, `/activity?id=01A22154`],
  ['01a22154', { importedAtMs: 1, deletionId: undefined }, '/jobs?find=01a22154'],
  ['01a22155', undefined, '/jobs?find=01a22155'],
  ['01a2215', undefined, '/jobs?find=01a2215'],
])('the search for %j, where the job is %j, leads to %s', async (find, job, path) => {
  const listDeletions = () => Promise.resolve({ deletions: [partOf<Deletion>({ id: deletionId })] });
  const deleter = { getJob: () => Promise.resolve(job), listDeletions };
  const services = partOf<Services>({ deleter: deleter as object });
  const routes = overviewRoutes({ ...services, dayCounter: createDayCounter(services.deleter) });
  const visit = partOf<MemberVisit>({ accountId: 'acme', query: new URLSearchParams({ find }) });
  const reply = await routes.find((each) => each.path === '/find')?.serve(visit);
  expect(reply).toEqual({ kind: 'redirect', to: `/a/acme${path}` });
});
