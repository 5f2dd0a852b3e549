import { expect, test } from '@jest/globals';
import { attempt, importJobs, jobIds } from '@jobs-delete/deleter-service/testing/deletions';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const limit = (text: string) => cli.json('accounts', 'limit', '--account', 'acme', text);
const show = () => cli.json('accounts', 'show', 'acme');

test('a limit is set, shown with what is used, recorded in the trail, and removed', async () => {
  await cli.run('accounts', 'create', 'acme');
  expect(await limit('5000')).toEqual({ account_id: 'acme', deletion_limit: '5000' });
  await cli.withStore(async (store) => {
    await importJobs(store, 'acme', jobIds(3));
    const guard = { limit: { kind: 'jobs', jobs: 5_000 }, allowances: [] } as const;
    await attempt(store, jobIds(3), { accountId: 'acme', guard, acceptedAtMs: Date.now() });
  });
  const used = { jobs_deleted_24h: 3, jobs_reserved: 0 };
  expect(await show()).toMatchObject({ deletion_limit: '5000', deletion_limit_jobs: 5_000, ...used });
  expect((await cli.run('accounts', 'show', 'acme')).stdout).toMatch(
    /^limit of deletions +5000 \(5,000 jobs now\): 3 deleted within 24 hours, 0 reserved$/m,
  );
  expect(await limit('20%')).toEqual({ account_id: 'acme', deletion_limit: '20%' });
  expect(await cli.withStore((store) => store.findRules(['acme']))).toMatchObject(
    new Map([['acme', { limit: { kind: 'share', percent: 20 } }]]),
  );
  expect(await limit('off')).toEqual({ account_id: 'acme', deletion_limit: null });
  expect(await show()).toMatchObject({ deletion_limit: null, jobs_deleted_24h: null });
  const trail = await cli.withAccounts((accounts) =>
    accounts.listActions({ accountId: 'acme', pageSize: 9 }),
  );
  expect(trail.map(({ action, actor, subject }) => [action, actor, subject])).toEqual(
    expect.arrayContaining(['5000', '20%', 'off'].map((text) => ['limit.changed', 'operator', text])),
  );
});

test('an allowance raises the limit for a time, and is recorded in the trail', async () => {
  await cli.run('accounts', 'create', 'acme');
  await limit('100');
  const allow = (jobs: string, time: string) =>
    cli.json('accounts', 'allow', '--account', 'acme', '--jobs', jobs, '--for', time);
  const { until } = (await allow('2000', '1h')) as { until: string };
  await allow('5', '2d');
  expect(await show()).toMatchObject({
    deletion_limit: '100',
    deletion_limit_jobs: 2_105,
    allowances: [{ jobs: 2_000, until }, { jobs: 5 }],
  });
  const trail = await cli.withAccounts((accounts) =>
    accounts.listActions({ accountId: 'acme', pageSize: 9 }),
  );
  expect(trail).toContainEqual(
    expect.objectContaining({ action: 'limit.raised', subject: `2000 until ${until}` }),
  );
});

test.each([
  ['limit', '101%'],
  ['limit', '1.5'],
  ['limit', 'much'],
  ['allow', '--jobs', '0', '--for', '1h'],
  ['allow', '--jobs', '10', '--for', '31d'],
  ['allow', '--jobs', '10', '--for', 'ever'],
])('%s %s %s is refused and changes nothing', async (command, ...args) => {
  await cli.run('accounts', 'create', 'acme');
  expect(await cli.run('accounts', command, '--account', 'acme', ...args)).toMatchObject({ exitCode: 2 });
  expect(await cli.withStore((store) => store.findRules(['acme']))).toEqual(new Map());
});

test('an unknown account is refused', async () => {
  await cli.run('accounts', 'create', 'acme');
  expect(await cli.run('accounts', 'limit', '--account', 'nobody', '5')).toMatchObject({ exitCode: 1 });
});
