import { expect, test } from '@jest/globals';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();

test('an account is created once, listed and shown', async () => {
  const created_at = '2030-01-02T03:04:05.000Z';
  const account = { account_id: 'acme', name: 'Acme Inc.', created_at, disabled_at: null };
  expect(await cli.json('accounts', 'create', 'acme', '--name', 'Acme Inc.')).toEqual(account);
  expect(await cli.run('accounts', 'create', 'acme', '--name', 'Other')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Account acme exists already and was not changed.\n',
  });
  expect(await cli.json('accounts', 'list')).toEqual([account]);
  expect(await cli.json('accounts', 'show', 'acme')).toEqual({
    ...account,
    active_tokens: 0,
    active_secret_keys: 0,
    origins: [],
    removal_delay_s: 0,
    deletion_limit: null,
    deletion_limit_jobs: null,
    jobs_deleted_24h: null,
    jobs_reserved: null,
    allowances: [],
    job_count: 0,
  });
});

test('create without an id generates one', async () => {
  const account = await cli.json('accounts', 'create');
  expect(account).toEqual({
    account_id: expect.stringMatching(/^acc_/),
    name: null,
    created_at: expect.any(String),
    disabled_at: null,
  });
  expect(await cli.json('accounts', 'list')).toEqual([account]);
});

test('show counts active credentials and the jobs of the account', async () => {
  for (const id of ['acme', 'other']) await cli.run('accounts', 'create', id);
  const { token_id } = (await cli.json('tokens', 'issue', '--account', 'acme')) as { token_id: string };
  await cli.run('tokens', 'issue', '--account', 'acme', '--expires', '1h');
  await cli.run('tokens', 'issue', '--account', 'acme');
  await cli.run('tokens', 'revoke', token_id, '--account', 'acme');
  await cli.run('secrets', 'issue', '--account', 'acme');
  await cli.run('origins', 'allow', 'Example.com', '--account', 'acme');
  await cli.withStore((store) => store.importJobs('acme', [{ id: 'ABCD', posting: {} }], 1));
  await cli.withStore((store) => store.importJobs('other', [{ id: 'ABCD', posting: {} }], 1));
  cli.setNow(Date.parse('2030-01-02T04:04:05Z'));
  expect(await cli.json('accounts', 'show', 'acme')).toMatchObject({
    active_tokens: 1,
    active_secret_keys: 1,
    origins: ['example.com'],
    job_count: 1,
  });
});

test('the text output has aligned columns', async () => {
  expect((await cli.run('accounts', 'create', 'a-long-account-id')).stdout).toBe(
    'Created account a-long-account-id.\nNext: jobs-delete tokens issue --account a-long-account-id\n',
  );
  cli.setNow(Date.parse('2030-02-02T03:04:05Z'));
  await cli.run('accounts', 'create', 'b', '--name', 'Bé');
  expect((await cli.run('accounts', 'list')).stdout).toBe(
    [
      'ACCOUNT            STATE   CREATED                   NAME',
      'a-long-account-id  active  2030-01-02T03:04:05.000Z  -',
      'b                  active  2030-02-02T03:04:05.000Z  Bé',
      '',
    ].join('\n'),
  );
});

test('an account is renamed', async () => {
  await cli.run('accounts', 'create', 'acme', '--name', 'Acme');
  expect((await cli.run('accounts', 'rename', 'acme', '--name', 'Acme Group')).stdout).toBe(
    'Renamed account acme to Acme Group.\n',
  );
  expect(await cli.json('accounts', 'show', 'acme')).toMatchObject({ name: 'Acme Group', disabled_at: null });
  expect(await cli.run('accounts', 'rename', 'acme', '--name', ' ')).toMatchObject({ exitCode: 2 });
});

test('an account is disabled and enabled', async () => {
  await cli.run('accounts', 'create', 'acme');
  expect(await cli.run('accounts', 'disable', 'acme')).toMatchObject({
    exitCode: 0,
    stdout: 'Disabled account acme. A running service refuses its requests within 5 seconds.\n',
  });
  expect((await cli.run('accounts', 'list')).stdout).toMatch(/^acme +disabled /m);
  expect((await cli.run('accounts', 'show', 'acme')).stdout).toMatch(
    /^state +disabled since 2030-01-02T03:04:05\.000Z$/m,
  );
  expect(await cli.json('accounts', 'enable', 'acme')).toMatchObject({ disabled_at: null });
  expect((await cli.run('accounts', 'list')).stdout).toMatch(/^acme +active /m);
});

test.each([['rename', '--name', 'x'], ['disable'], ['enable']])(
  '%s of an unknown account exits with 1',
  async (verb, ...args) => {
    await cli.run('accounts', 'create', 'acme');
    expect(await cli.run('accounts', verb, 'nobody', ...args)).toMatchObject({
      exitCode: 1,
      stderr: 'There is no account nobody. List them: jobs-delete accounts list\n',
    });
  },
);

test('a delay of removals is set, shown, recorded in the trail, and removed', async () => {
  await cli.run('accounts', 'create', 'acme');
  const delay = (text: string) => cli.json('accounts', 'delay', '--account', 'acme', text);
  expect(await delay('24h')).toEqual({ account_id: 'acme', removal_delay_s: 86_400 });
  expect(await cli.json('accounts', 'show', 'acme')).toMatchObject({ removal_delay_s: 86_400 });
  expect((await cli.run('accounts', 'show', 'acme')).stdout).toMatch(/^delay of removals +1 day$/m);
  expect((await cli.run('accounts', 'delay', '--account', 'acme', '90m')).stdout).toBe(
    'Delay of account acme: 90 minutes. A running service applies it within 5 seconds.\n',
  );
  expect(await delay('off')).toEqual({ account_id: 'acme', removal_delay_s: 0 });
  expect(await cli.json('accounts', 'show', 'acme')).toMatchObject({ removal_delay_s: 0 });
  const trail = await cli.withAccounts((accounts) =>
    accounts.listActions({ accountId: 'acme', pageSize: 9 }),
  );
  expect(trail.map(({ action, actor, subject }) => [action, actor, subject])).toEqual(
    expect.arrayContaining(['24h', '90m', 'off'].map((text) => ['delay.changed', 'operator', text])),
  );
});

test.each(['31d', '0s', '1.5h', 'soon', '-1h'])(
  'a delay of %s is refused and changes nothing',
  async (text) => {
    await cli.run('accounts', 'create', 'acme');
    const { exitCode, stderr } = await cli.run('accounts', 'delay', '--account', 'acme', '--', text);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a delay')]);
    expect(await cli.withStore((store) => store.findRules(['acme']))).toEqual(new Map());
  },
);

test('a delay of an unknown account is refused', async () => {
  await cli.run('accounts', 'create', 'acme');
  expect(await cli.run('accounts', 'delay', '--account', 'nobody', '1h')).toMatchObject({ exitCode: 1 });
});
