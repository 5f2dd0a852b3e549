import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createAuthenticator } from '@jobs-delete/accounts/authenticator';
import { readOrCreatePepper } from '@jobs-delete/accounts/pepper/read-or-create-pepper';
import { openSqliteAccounts } from '@jobs-delete/accounts/sqlite/sqlite-accounts';
import { openSqlite } from '@jobs-delete/runtime/sqlite/open-sqlite';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
beforeEach(async () => {
  for (const id of ['acme', 'other']) await cli.run('accounts', 'create', id);
});

/** Authenticates like the gateway, with this pepper or that of the data folder. */
async function authenticate(token: string, secretKey: string, pepper?: string) {
  const accounts = openSqliteAccounts(join(cli.dataDir(), 'jobs-delete.db'));
  try {
    const authenticator = createAuthenticator({
      accounts,
      pepper: readOrCreatePepper(cli.dataDir(), pepper),
      now: () => Date.parse('2030-01-02T03:04:05Z'),
      onError: () => undefined,
    });
    return [
      await authenticator.authenticateToken(token),
      await authenticator.verifySecretKey('acme', secretKey),
    ];
  } finally {
    await accounts.close();
  }
}

interface Issued {
  readonly token_id: string;
  readonly token: string;
  readonly secret_key_id: string;
  readonly secret_key: string;
}

test.each([undefined, 'a pepper from the environment, 32+'])(
  'what is issued opens the gateway (pepper %j)',
  async (pepper) => {
    const env = pepper === undefined ? {} : { CREDENTIAL_PEPPER: pepper };
    const issue = async (group: string) =>
      JSON.parse(
        (await cli.runWith({ env }, group, 'issue', '--account', 'acme', '--json')).stdout,
      ) as Issued;
    const { token, token_id } = await issue('tokens');
    const { secret_key, secret_key_id } = await issue('secrets');
    expect(await authenticate(token, secret_key, pepper)).toEqual([
      { accountId: 'acme', tokenId: token_id, allowedDomains: [] },
      { secretKeyId: secret_key_id },
    ]);
  },
);

test('a credential for the sandbox is refused elsewhere', async () => {
  const issue = async (group: string) =>
    (await cli.json(group, 'issue', '--account', 'acme', '--sandbox')) as Issued;
  const [{ token }, { secret_key }] = [await issue('tokens'), await issue('secrets')];
  expect(await authenticate(token, secret_key)).toEqual(['sandbox_only', 'sandbox_only']);
  expect(await cli.json('tokens', 'list', '--account', 'acme')).toMatchObject([{ environment: 'sandbox' }]);
});

describe.each([
  ['tokens', 'token', 'token', 'TOKEN ID'],
  ['secrets', 'secret key', 'secret_key', 'SECRET KEY ID'],
] as const)('%s', (group, noun, jsonName, heading) => {
  const idName = `${jsonName}_id` as const;
  const issue = async (...args: string[]) => {
    const value = (await cli.json(group, 'issue', '--account', 'acme', ...args)) as Issued;
    return { value, id: value[idName], text: value[jsonName] };
  };

  test('issue prints the credential and its id', async () => {
    const { value } = await issue('--expires', '90d', '--name', 'CI');
    expect(value).toEqual({
      account_id: 'acme',
      [idName]: expect.stringMatching(/^[0-9a-f]{24}$/),
      [jsonName]: expect.stringMatching(/^jd[ts]_[0-9a-f]{24}_[0-9a-f]{64}$/),
      name: 'CI',
      environment: 'live',
      created_at: '2030-01-02T03:04:05.000Z',
      expires_at: '2030-04-02T03:04:05.000Z',
    });
    const { stdout } = await cli.run(group, 'issue', '--account', 'acme');
    expect(stdout).toMatch(
      new RegExp(
        `^${noun} +jd[ts]_[0-9a-f_]+\n${noun} id +[0-9a-f]{24}\nenvironment +live\nexpires +never\n`,
      ),
    );
    expect(stdout).toContain(`The ${noun} is not shown again`);
  });

  test('list prints ids, states and times, but not the credential', async () => {
    const first = await issue();
    cli.setNow(Date.parse('2030-01-03T00:00:00Z'));
    const second = await issue('--expires', '1h', '--name', 'CI');
    const never = { paused_at: null, revoked_at: null, last_used_at: null, last_refused_at: null };
    const unused = { account_id: 'acme', state: 'active', environment: 'live', ...never };
    const firstListed = {
      ...unused,
      [idName]: first.id,
      name: null,
      created_at: '2030-01-02T03:04:05.000Z',
      expires_at: null,
    };
    const secondListed = {
      ...unused,
      [idName]: second.id,
      name: 'CI',
      created_at: '2030-01-03T00:00:00.000Z',
      expires_at: '2030-01-03T01:00:00.000Z',
    };
    const list = (account: string) => cli.json(group, 'list', '--account', account);
    expect(await list('acme')).toEqual([firstListed, secondListed]);
    cli.setNow(Date.parse('2030-01-03T01:00:00Z'));
    expect(await list('acme')).toEqual([firstListed, { ...secondListed, state: 'expired' }]);
    expect(await list('other')).toEqual([]);
    const { stdout } = await cli.run(group, 'list', '--account', 'acme');
    expect(stdout).toMatch(
      new RegExp(`^${heading} +STATE +ENVIRONMENT +CREATED +EXPIRES +LAST USED +LAST REFUSED +NAME\n`),
    );
    expect(stdout).not.toMatch(/jd[ts]_/);
  });

  test.each(['id', 'text'] as const)(
    'revoke by its %s is permanent, and tells when it was first',
    async (by) => {
      const issued = await issue();
      const revoke = [group, 'revoke', issued[by], '--account', 'acme'];
      const revoked = {
        account_id: 'acme',
        [idName]: issued.id,
        state: 'revoked',
        revoked_at: '2030-01-02T03:04:05.000Z',
      };
      expect(await cli.json(...revoke)).toEqual(revoked);
      cli.setNow(Date.parse('2031-01-01T00:00:00Z'));
      expect(await cli.json(...revoke)).toEqual(revoked);
      expect((await cli.run(...revoke)).stdout).toBe(
        `The ${noun} ${issued.id} was already revoked at 2030-01-02T03:04:05.000Z.\n`,
      );
      expect(await cli.json(group, 'list', '--account', 'acme')).toMatchObject([{ state: 'revoked' }]);
    },
  );

  test('pause refuses it until resume, and the audit trail has both', async () => {
    const { id } = await issue();
    const pausedAt = '2030-01-02T03:04:05.000Z';
    const change = (name: string, account = 'acme') => cli.run(group, name, id, '--account', account);
    expect((await change('resume')).stdout).toBe(`The ${noun} ${id} was not paused.\n`);
    const paused = await cli.json(group, 'pause', id, '--account', 'acme');
    expect(paused).toMatchObject({ [idName]: id, state: 'paused', paused_at: pausedAt });
    expect((await change('pause')).stdout).toBe(`The ${noun} ${id} was already paused.\n`);
    expect(await cli.json(group, 'list', '--account', 'acme')).toMatchObject([{ state: 'paused' }]);
    for (const name of ['pause', 'resume'])
      expect(await change(name, 'other')).toMatchObject({ exitCode: 1 });
    expect((await change('resume')).stdout).toContain(`The ${noun} ${id} is resumed.`);
    const kind = noun.replace(' ', '-');
    const actions = (await cli.listActions('acme')).map(([, action]) => action);
    expect(actions.toSorted()).toEqual([`${kind}.created`, `${kind}.paused`, `${kind}.resumed`]);

    await cli.run(group, 'revoke', id, '--account', 'acme');
    for (const name of ['pause', 'resume'])
      expect(await change(name)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is revoked'),
      });
    expect(await cli.json(group, 'list', '--account', 'acme')).toMatchObject([{ state: 'revoked' }]);
  });

  test('a pause that a revocation follows at once is told as done', async () => {
    const { id } = await issue();
    const revoke = 'UPDATE credentials SET revoked_at_ms = 1 WHERE id = NEW.id;';
    const trigger = `CREATE TRIGGER follow AFTER UPDATE OF paused_at_ms ON credentials BEGIN ${revoke} END`;
    openSqlite(join(cli.dataDir(), 'jobs-delete.db'), { name: 'follow', migrations: [trigger] }).close();
    const paused = await cli.run(group, 'pause', id, '--account', 'acme');
    expect(paused).toMatchObject({ exitCode: 0, stderr: '' });
    expect(paused.stdout).toContain(`The ${noun} ${id} is paused.`);
    expect(await cli.json(group, 'list', '--account', 'acme')).toMatchObject([{ state: 'revoked' }]);
  });

  test.each([
    [[], ''],
    [['--name', 'a (b)'], ' (a (b))'],
  ])('the audit trail has the creation and the first revocation: %j', async (options, name) => {
    const { id } = await issue(...options);
    cli.setNow(Date.parse('2030-01-03T00:00:00Z'));
    for (const account of ['acme', 'acme', 'other']) await cli.run(group, 'revoke', id, '--account', account);
    const kind = noun.replace(' ', '-');
    expect(await cli.listActions('acme')).toEqual([
      ['operator', `${kind}.revoked`, `${id}${name}`],
      ['operator', `${kind}.created`, `${id}${name}`],
    ]);
    expect(await cli.listActions('other')).toEqual([]);
  });

  test('an unknown credential or one of another account is not revoked', async () => {
    const issued = await issue();
    for (const id of [issued.id, 'ab'.repeat(12)]) {
      expect(await cli.run(group, 'revoke', id, '--account', 'other')).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `Account other has no ${noun} ${id}. Nothing was revoked.\n`,
      });
    }
    expect(await cli.json(group, 'list', '--account', 'acme')).toMatchObject([{ state: 'active' }]);
  });

  test('a credential is never printed again', async () => {
    const { text } = await issue();
    for (const given of [text, `${text}x`, text.slice(0, -1), text.replace(/^jd./, 'jdx')]) {
      for (const account of ['other', 'acme']) {
        const { stdout, stderr } = await cli.run(group, 'revoke', given, '--account', account);
        expect(stdout + stderr).not.toContain(text.slice(-60, -1));
      }
    }
  });
});
