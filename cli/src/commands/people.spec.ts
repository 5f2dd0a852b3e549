import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '@jobs-delete/accounts/people/people';
import { hashSecret } from '@jobs-delete/accounts/people/one-time-secret';
import { lockDataFolder } from '@jobs-delete/runtime/sqlite/lock-data-folder';
import { writeDashboardPort } from '../dashboard-port.ts';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const account = ['--account', 'acme'];
const nowMs = Date.parse('2030-01-02T03:04:05Z');
beforeEach(() => cli.run('accounts', 'create', 'acme'));

interface Invited {
  readonly link: string;
}

const invite = async (...args: readonly string[]) =>
  (await cli.json('people', 'invite', ...account, ...args)) as Invited;
/** Joins as a new person. */
const accept = ({ link }: Invited, atMs = nowMs, id = newId()) =>
  cli.withAccounts((accounts) => {
    const newPerson = { id, createdAtMs: atMs, passkeys: [] };
    const hash = hashSecret(link.split('/').at(-1) ?? '');
    return accounts.acceptInvitation(hash, { newPerson }, { id: newId(), atMs });
  });
const unknown = { kind: 'link_unknown' };
const list = () => cli.json('people', 'list', ...account);

test('an invitation prints a link that works once, for 7 days', async () => {
  const invited = await invite('--role', 'owner', 'Ada@Example.com');
  expect(invited).toEqual({
    account_id: 'acme',
    email: 'ada@example.com',
    role: 'owner',
    link: expect.stringMatching(/^http:\/\/localhost:8081\/link\/[A-Za-z0-9_-]{43}$/),
    expires_at: '2030-01-09T03:04:05.000Z',
  });
  expect(await list()).toEqual([]);
  expect(await accept(invited, Date.parse('2030-01-09T03:04:05Z'))).toEqual(unknown);
  expect(await accept(invited)).toMatchObject({ kind: 'joined', accountId: 'acme' });
  expect(await accept(invited)).toEqual(unknown);
  expect(await list()).toEqual([
    {
      account_id: 'acme',
      person_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: 'ada@example.com',
      role: 'owner',
      sign_in_methods: [],
      created_at: '2030-01-02T03:04:05.000Z',
    },
  ]);
});

test('without DASHBOARD_URL, the link has the port of DASHBOARD_PORT', async () => {
  const env = { DASHBOARD_PORT: '9081' };
  const { stdout } = await cli.runWith({ env }, 'people', 'invite', ...account, 'port@example.com');
  expect(stdout).toMatch(/^link +http:\/\/localhost:9081\/link\//);
});

test('with DASHBOARD_PORT=0, the link has the port that serve has picked, and without serve nobody is invited', async () => {
  const env = { DASHBOARD_PORT: '0' };
  const invite = () => cli.runWith({ env }, 'people', 'invite', ...account, 'free@example.com');
  writeDashboardPort(cli.dataDir(), 9_082);
  const alone = await invite();
  expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
  expect(alone.stderr).toContain('Set DASHBOARD_URL to the address that people open.');
  const unlock = lockDataFolder(cli.dataDir());
  expect((await invite()).stdout).toMatch(/^link +http:\/\/localhost:9082\/link\//);
  unlock();
});

test('the link has the address of DASHBOARD_URL, and the validity of --expires', async () => {
  const env = { DASHBOARD_URL: 'https://dashboard.example.com/' };
  const args = ['people', 'invite', ...account, '--expires', '30m', 'ada@example.com'];
  const { stdout } = await cli.runWith({ env }, ...args);
  expect(stdout).toMatch(
    /^link +https:\/\/dashboard\.example\.com\/link\/[\w-]{43}\nperson +ada@example\.com\nrole +viewer\nexpires +2030-01-02T03:34:05\.000Z\nThe link is not shown again/,
  );
  const wrong = await cli.runWith({ env: { DASHBOARD_URL: 'dashboard.example.com/x' } }, ...args);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('DASHBOARD_URL: must be an address without a path');
});

test('the list shows how each member signs in, and never a secret', async () => {
  const ofAcme = (email: string) => [{ accountId: 'acme', role: 'viewer' as const, email }];
  const passkey = { id: 'key', publicKey: randomBytes(9), counter: 0, transports: [], name: 'Phone' };
  const openId = { issuer: 'https://login.example.com', subject: 'one' };
  await cli.withAccounts(async (accounts) => {
    const bob = { id: 'b'.repeat(24), createdAtMs: nowMs, memberships: ofAcme('bob@example.com') };
    await accounts.addPerson({ ...bob, openId, passkeys: [] });
    const ada = { id: 'a'.repeat(24), createdAtMs: nowMs, memberships: ofAcme('ada@x.y') };
    await accounts.addPerson({ ...ada, passkeys: [{ ...passkey, createdAtMs: nowMs }] });
  });
  expect((await cli.run('people', 'list', ...account)).stdout).toBe(
    [
      'PERSON           ID                        ROLE    SIGNS IN WITH   ADDED',
      'ada@x.y          aaaaaaaaaaaaaaaaaaaaaaaa  viewer  passkey         2030-01-02T03:04:05.000Z',
      'bob@example.com  bbbbbbbbbbbbbbbbbbbbbbbb  viewer  OpenID Connect  2030-01-02T03:04:05.000Z',
      '',
    ].join('\n'),
  );
});

describe('a member', () => {
  const email = 'ada@example.com';
  const personId = 'c'.repeat(24);
  beforeEach(async () => {
    await accept(await invite('--role', 'owner', email), nowMs, personId);
    await accept(await invite('--role', 'owner', 'second@example.com'));
  });

  test('gets another role', async () => {
    const changed = { account_id: 'acme', email, role: 'viewer' };
    expect(await cli.json('people', 'set-role', ...account, '--role', 'viewer', ' ADA@example.com')).toEqual(
      changed,
    );
    expect(await list()).toMatchObject([{ email, role: 'viewer' }, { role: 'owner' }]);
  });

  test('is removed once, with all sessions and unused links', async () => {
    const unused = await invite(email);
    await cli.withAccounts((accounts) =>
      accounts.addSession({
        hash: randomBytes(32),
        id: newId(),
        personId,
        accountId: 'acme',
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        provenAtMs: nowMs,
      }),
    );
    const removed = { account_id: 'acme', email, was_member: true };
    expect(await cli.json('people', 'remove', ...account, personId)).toEqual(removed);
    expect(await list()).toMatchObject([{ email: 'second@example.com' }]);
    expect(await accept(unused)).toEqual(unknown);
    await cli.withAccounts(async (accounts) => {
      expect(await accounts.findPerson(personId)).toBeUndefined();
      expect(await accounts.listSessions(personId)).toEqual([]);
    });
    expect(await cli.run('people', 'remove', ...account, email)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${email} is not a member of account acme. List them: jobs-delete people list --account acme\n`,
    });
  });

  test('of one account cannot be changed or removed through another account', async () => {
    await cli.run('accounts', 'create', 'other');
    for (const args of [['set-role', '--role', 'viewer'], ['remove']]) {
      const [verb = '', ...options] = args;
      const outcome = await cli.run('people', verb, '--account', 'other', ...options, email);
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    }
    expect(await list()).toMatchObject([{ email, role: 'owner' }, { role: 'owner' }]);
  });

  test('is named by the id if another one has the address', async () => {
    await accept(await invite(email));
    const ambiguous = await cli.run('people', 'remove', ...account, email);
    expect(ambiguous).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ambiguous.stderr).toContain(personId);
    expect(await list()).toHaveLength(3);
  });

  test('who is the last owner stays the owner', async () => {
    await cli.run('people', 'remove', ...account, 'second@example.com');
    for (const args of [['set-role', '--role', 'viewer'], ['remove']]) {
      const [verb = '', ...options] = args;
      const outcome = await cli.run('people', verb, ...account, ...options, email);
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
      expect(outcome.stderr).toContain('the last owner');
    }
    expect(await list()).toMatchObject([{ email, role: 'owner' }]);
  });

  test('has every change in the audit trail', async () => {
    await cli.run('people', 'set-role', ...account, '--role', 'viewer', email);
    await cli.run('people', 'remove', ...account, email);
    expect(await cli.listActions('acme')).toEqual(
      expect.arrayContaining([
        ['operator', 'person.invited', `${email}: owner`],
        ['operator', 'person.role-changed', `${email}: owner → viewer`],
        ['operator', 'person.removed', email],
      ]),
    );
  });
});

test('invitations are listed until they are accepted, and never their links', async () => {
  const run = async () => (await cli.run('people', 'invitations', ...account)).stdout;
  expect(await run()).toBe('Account acme has no pending invitations.\n');
  const invited = await invite('--role', 'owner', 'ada@example.com');
  expect(await cli.json('people', 'invitations', ...account)).toEqual([
    {
      account_id: 'acme',
      email: 'ada@example.com',
      role: 'owner',
      invited_by: 'operator',
      expires_at: '2030-01-09T03:04:05.000Z',
    },
  ]);
  expect(await run()).toBe(
    [
      'PERSON           ROLE   INVITED BY  EXPIRES',
      'ada@example.com  owner  operator    2030-01-09T03:04:05.000Z',
      '',
    ].join('\n'),
  );
  await accept(invited);
  expect(await cli.json('people', 'invitations', ...account)).toEqual([]);
  const nobody = await cli.run('people', 'invitations', '--account', 'nobody');
  expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
});

test('a second invitation of an address replaces the first one, and says so', async () => {
  const first = await invite('ada@example.com');
  const { stdout } = await cli.run('people', 'invite', ...account, '--role', 'owner', 'Ada@Example.com');
  expect(stdout).toContain('\nThe earlier link for ada@example.com no longer works.\n');
  expect(await accept(first)).toEqual(unknown);
  expect(await cli.json('people', 'invitations', ...account)).toMatchObject([{ role: 'owner' }]);
  expect(await cli.listActions('acme')).toContainEqual([
    'operator',
    'invitation.replaced',
    'ada@example.com: owner',
  ]);
});

test('removing somebody who has not accepted withdraws the invitation', async () => {
  const invited = await invite('--role', 'owner', 'ada@example.com');
  const { stdout } = await cli.run('people', 'remove', ...account, 'ada@example.com');
  expect(stdout).toBe('Withdrew the invitation of ada@example.com to account acme.\n');
  expect(await accept(invited)).toEqual(unknown);
  expect(await cli.listActions('acme')).toContainEqual([
    'operator',
    'invitation.withdrawn',
    'ada@example.com',
  ]);
});
