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
