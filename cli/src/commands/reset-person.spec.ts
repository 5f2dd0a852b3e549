import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import { findLink } from '@jobs-delete/accounts/people/find-link';
import { invitePerson } from '@jobs-delete/accounts/people/invite-person';
import { newId } from '@jobs-delete/accounts/people/new-id';
import { useCommandLine } from '../program.fixture.ts';

const cli = useCommandLine();
const nowMs = Date.parse('2030-01-02T03:04:05Z');
const email = 'ada@example.com';
const reset = ['people', 'reset', '--account', 'acme'];
const person = {
  ...{ id: newId(), email, createdAtMs: nowMs, recoveryCodes: [randomBytes(32)] },
  memberships: [
    { accountId: 'acme', role: 'owner' as const },
    { accountId: 'other', role: 'viewer' as const },
  ],
  passwordHash: '$argon2id$secret',
  totp: { secret: randomBytes(9), lastStep: 1 },
  passkeys: [
    { id: 'key', publicKey: randomBytes(9), counter: 0, transports: [], name: 'Phone', createdAtMs: nowMs },
  ],
};
beforeEach(async () => {
  for (const account of ['acme', 'other']) await cli.run('accounts', 'create', account);
  await cli.withAccounts(async (accounts) => {
    await accounts.addPerson(person);
    await accounts.addSession({
      ...{ hash: randomBytes(32), id: newId(), personId: person.id, accountId: 'other', stage: 'signed-in' },
      ...{ createdAtMs: nowMs, lastSeenAtMs: nowMs, provenAtMs: nowMs },
    });
  });
});
const stored = () => cli.withAccounts((accounts) => accounts.findPersonByEmail(email));
const linkOf = (link: string, atMs: number) =>
  cli.withAccounts((accounts) => findLink(accounts, link.split('/').at(-1) ?? '', atMs));

test('a reset removes every sign-in method and session, and prints a link for a day', async () => {
  const value = (await cli.json(...reset, ' ADA@example.com')) as { link: string };
  expect(value).toEqual({
    account_id: 'acme',
    email,
    link: expect.stringMatching(/^http:\/\/localhost:8081\/link\/[\w-]{43}$/),
    expires_at: '2030-01-03T03:04:05.000Z',
  });
  const { id, createdAtMs, memberships } = person;
  expect(await stored()).toEqual({ id, email, createdAtMs, memberships, recoveryCodes: [], passkeys: [] });
  expect(await cli.withAccounts((accounts) => accounts.listSessions(person.id))).toEqual([]);
  const endMs = Date.parse('2030-01-03T03:04:05Z');
  expect(await linkOf(value.link, endMs - 1)).toMatchObject({ kind: 'sign-in', accountId: 'acme', email });
  expect(await linkOf(value.link, endMs)).toBeUndefined();
});

test('a reset is in the trail of each account of the person', async () => {
  await cli.run(...reset, email);
  for (const account of ['acme', 'other'])
    expect(await cli.listActions(account)).toContainEqual(['operator', 'person.sign-in-reset', email]);
});

test('a reset cancels earlier links of the person', async () => {
  const request = { accountId: 'acme', email, role: 'owner', invitedBy: 'operator' } as const;
  const invited = await cli.withAccounts((accounts) => invitePerson(accounts, request, () => nowMs));
  const first = (await cli.json(...reset, email)) as { link: string };
  await cli.run(...reset, email);
  for (const link of [invited.kind === 'invited' ? invited.secret : '', first.link])
    expect(await linkOf(link, nowMs)).toBeUndefined();
});

test('a stranger is refused', async () => {
  expect(await cli.run(...reset, 'bob@example.com')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'bob@example.com is not a member of account acme. List them: jobs-delete people list --account acme\n',
  });
});

test('a terminal is asked, unless --yes is given', async () => {
  const refused = await cli.runWith({ terminal: true, stdin: 'n\n' }, ...reset, email);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain(`Remove every sign-in method and session of ${email}? [y/N] `);
  expect(refused.stderr).toContain('Nothing was changed.');
  const piped = await cli.runWith({ terminal: true, stdin: new PassThrough() }, ...reset, email);
  expect(piped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await stored()).toEqual(person);
  expect(await cli.runWith({ terminal: true, stdin: 'y\n' }, ...reset, email)).toMatchObject({ exitCode: 0 });
  expect((await stored())?.passwordHash).toBeUndefined();
  expect(await cli.runWith({ terminal: true }, ...reset, '--yes', email)).toMatchObject({ exitCode: 0 });
});
