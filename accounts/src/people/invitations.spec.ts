import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acme, other } from '../contract/accounts.fixture.ts';
import { entry, laterMs, member, oneTimeSecret, person } from '../contract/people.fixture.ts';
import { type SqliteAccounts, openSqliteAccounts } from '../sqlite/sqlite-accounts.ts';
import { operator } from './audit-trail.ts';
import {
  type InvitationRequest,
  findInvitation,
  invitationKeyOf,
  invitePerson,
  listPendingInvitations,
  parseEmail,
  readInvitation,
} from './invitations.ts';
import { hashSecret } from './one-time-secret.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM\n', 'ada@example.com'],
  ["o'brien+jobs@mail.example.com", "o'brien+jobs@mail.example.com"],
  ['ÉLODIE@exämple.com', 'élodie@exämple.com'],
  ['e\u0301lodie@example.com', 'élodie@example.com'],
  ['root@localhost', 'root@localhost'],
  [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
])('%j is the address %s', (text, email) => {
  expect(parseEmail(text)).toBe(email);
});

test.each([
  ...['', ' ', '@', 'ada', 'ada@', '@example.com', 'ada@@example.com', 'ada@one@two'],
  ...['a da@example.com', 'ada@exam\tple.com', 'ada@exam\nple.com', 'ada\0@example.com'],
  ...['ada\u200b@example.com', 'ada\u202e@example.com', 'ada@example\u3000.com', '\ud800@example.com'],
  `${'a'.repeat(243)}@example.com`,
])('%j is no address', (text) => {
  expect(parseEmail(text)).toBeUndefined();
});

describe('an invitation', () => {
  let folder: string;
  let accounts: SqliteAccounts;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invitations-'));
    accounts = openSqliteAccounts(join(folder, 'accounts.db'));
    for (const account of [acme, other]) await accounts.addAccount(account);
  });
  afterEach(async () => {
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const email = 'ada@example.com';
  const invite = (
    fields: Partial<InvitationRequest> = {},
    options: Parameters<typeof invitePerson>[3] = {},
  ) =>
    invitePerson(
      accounts,
      { accountId: acme.id, email: ` Ada@Example.com`, role: 'viewer', invitedBy: operator, ...fields },
      () => laterMs,
      options,
    );
  async function hashOf(invitation: ReturnType<typeof invite>): Promise<Buffer> {
    const made = await invitation;
    if (made.kind !== 'invited') throw new Error(made.kind);
    return hashSecret(made.secret);
  }

  test('is valid for 7 days, and is found by the hash of its secret', async () => {
    const made = await invite();
    const expiresAtMs = laterMs + 7 * 86_400_000;
    expect(made).toEqual({
      kind: 'invited',
      email,
      secret: expect.any(String),
      expiresAtMs,
      isReplacing: false,
    });
    const hash = await hashOf(invite({ accountId: other.id }));
    expect(await findInvitation(accounts, hash, expiresAtMs - 1)).toMatchObject({
      hash,
      accountId: other.id,
      email,
      role: 'viewer',
      invitedBy: operator,
      expiresAtMs,
    });
    expect(await findInvitation(accounts, hash, expiresAtMs)).toBeUndefined();
  });

  test('replaces the one of its address, and records that with the stored address', async () => {
    const options = { lifetimeMs: 5, entryOf: (subject: string) => entry('person.invited', { subject }) };
    const first = await hashOf(invite({}, options));
    expect(await invite({ role: 'owner' }, options)).toMatchObject({
      isReplacing: true,
      expiresAtMs: laterMs + 5,
    });
    expect(await findInvitation(accounts, first, laterMs)).toBeUndefined();
    const trail = await accounts.listActions({ accountId: acme.id, pageSize: 5 });
    expect(trail.map(({ subject }) => subject)).toEqual([email, email]);
  });

  test.each<[InvitationRequest['email'], string, string]>([
    ['ada', acme.id, 'email_malformed'],
    ['ada@example.com', 'nobody', 'no_account'],
  ])('of %s to the account %s is refused: %s', async (text, accountId, kind) => {
    expect(await invite({ email: text, accountId })).toEqual({ kind });
    expect(await listPendingInvitations(accounts, acme.id, laterMs)).toEqual([]);
  });

  test('works only if its sender is an owner of the account', async () => {
    const [owner, manager] = [
      person({ memberships: [member('owner')] }),
      person({ memberships: [member('manager')] }),
    ];
    const elsewhere = person({ memberships: [member('owner', { accountId: other.id })] });
    for (const one of [owner, manager, elsewhere]) await accounts.addPerson(one);
    const findSentBy = async ({ id }: { readonly id: string }) => {
      const hash = await hashOf(invite({ invitedBy: { id, email: 'grace@example.com' } }));
      return findInvitation(accounts, hash, laterMs);
    };
    expect(await findSentBy(owner)).toMatchObject({
      invitedBy: { id: owner.id, email: 'grace@example.com' },
    });
    for (const sender of [manager, elsewhere, person()]) expect(await findSentBy(sender)).toBeUndefined();
  });

  test('is listed until it expires, by address, with an id that is no secret', async () => {
    const hash = await hashOf(invite({ email: 'zoe@example.com' }));
    await invite();
    await invite({ accountId: other.id });
    const listed = await listPendingInvitations(accounts, acme.id, laterMs);
    expect(listed.map((one) => one.email)).toEqual([email, 'zoe@example.com']);
    expect(listed[1]).toMatchObject({ hash, id: hash.toString('hex').slice(0, 24) });
    expect(await listPendingInvitations(accounts, acme.id, laterMs + 7 * 86_400_000)).toEqual([]);
  });
});

test.each(['accountId', 'email', 'role', 'invitedBy'])('a secret without %s is no invitation', (name) => {
  const secret = oneTimeSecret();
  expect(readInvitation(secret)).toBeDefined();
  const data = Object.fromEntries(Object.entries(secret.data).filter(([key]) => key !== name));
  expect(readInvitation({ ...secret, data })).toBeUndefined();
});

test('a person with a provider is named by the identity, and any other by the id', () => {
  const openId = { issuer: 'https://login.example.com', subject: 'one' };
  const key = invitationKeyOf({ id: 'a', openId });
  expect(key).toMatch(/^[0-9a-f]{24}$/);
  expect(invitationKeyOf({ id: 'b', openId })).toBe(key);
  expect(invitationKeyOf({ id: 'a', openId: { ...openId, subject: 'two' } })).not.toBe(key);
  expect(invitationKeyOf({ id: 'a', openId: { ...openId, issuer: 'https://example.com' } })).not.toBe(key);
  expect(invitationKeyOf({ id: 'a' })).toBe('a');
});
