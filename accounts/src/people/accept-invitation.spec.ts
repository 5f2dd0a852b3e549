import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Accounts } from '../accounts.ts';
import { openSqliteAccounts, type SqliteAccounts } from '../sqlite/sqlite-accounts.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { invitePerson } from './invite-person.ts';
import { hashSecret, newSecret } from './one-time-secret.ts';
import type { Role } from './people.ts';

const day = 86_400_000;
let nowMs = 0;
const now = () => nowMs;
let folder: string;
let accounts: SqliteAccounts;

beforeEach(async () => {
  nowMs = 1_000;
  folder = mkdtempSync(join(tmpdir(), 'invitation-'));
  accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  await accounts.addAccount({ id: 'acme', createdAtMs: 1 });
});
afterEach(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true, force: true });
});

const invite = async (role: Role, email = 'ada@example.com', invitedBy = 'operator') => {
  const invitation = await invitePerson(accounts, { accountId: 'acme', email, role, invitedBy }, now);
  if (invitation.kind !== 'invited') throw new Error(invitation.kind);
  return invitation;
};
const accept = (secret: string, over: Accounts = accounts) => acceptInvitation(over, secret, now);
const roleOfAda = async () =>
  (await accounts.findPersonByEmail('ada@example.com'))?.memberships.map(({ role }) => role);

describe('an invitation', () => {
  test('is valid for 7 days, for an address in its stored form', async () => {
    const { email, expiresAtMs, secret } = await invite('viewer', ' Ada@Example.com');
    expect({ email, expiresAtMs }).toEqual({ email: 'ada@example.com', expiresAtMs: 1_000 + 7 * day });
    nowMs = expiresAtMs;
    expect(await accept(secret)).toBe('link_unknown');
    nowMs = expiresAtMs - 1;
    expect(await accept(secret)).toMatchObject({ link: 'invitation', isNewMember: true });
  });

  test('stores neither a person nor the secret', async () => {
    const { secret } = await invite('owner');
    expect(await accounts.findPersonByEmail('ada@example.com')).toBeUndefined();
    const stored = await accounts.findOneTimeSecret('invitation', hashSecret(secret), nowMs);
    expect(stored?.data).toEqual({
      accountId: 'acme',
      email: 'ada@example.com',
      role: 'owner',
      invitedBy: 'operator',
    });
  });

  test.each([
    ['nobody', 'ada@example.com', 'no_account'],
    ['acme', 'ada', 'email_malformed'],
  ])('to account %s and address %s is refused: %s', async (accountId, email, kind) => {
    const request = { accountId, email, role: 'viewer', invitedBy: 'operator' } as const;
    expect(await invitePerson(accounts, request, now)).toEqual({ kind });
  });

  test('adds the person with the membership, and works once', async () => {
    const { secret } = await invite('manager');
    const person = await accept(secret);
    const stored = await accounts.findPersonByEmail('ada@example.com');
    expect(person).toEqual({ link: 'invitation', accountId: 'acme', isNewMember: true, person: stored });
    expect(stored?.memberships).toEqual([{ accountId: 'acme', role: 'manager' }]);
    expect(await accept(secret)).toBe('link_unknown');
    expect(await accept(newSecret())).toBe('link_unknown');
  });

  test.each([
    ['viewer', 'manager', 'manager'],
    ['owner', 'viewer', 'owner'],
    ['manager', 'manager', 'manager'],
  ] as const)(
    'for a member with role %s and with role %s leads to role %s',
    async (current, invited, then) => {
      await accept((await invite(current)).secret);
      expect(await accept((await invite(invited)).secret)).toMatchObject({ isNewMember: false });
      expect(await roleOfAda()).toEqual([then]);
    },
  );

  test('keeps the memberships of other accounts', async () => {
    await accept((await invite('viewer')).secret);
    await accounts.addAccount({ id: 'other', createdAtMs: 1 });
    const request = {
      accountId: 'other',
      email: 'ada@example.com',
      role: 'owner',
      invitedBy: 'operator',
    } as const;
    const invitation = await invitePerson(accounts, request, now);
    await accept(invitation.kind === 'invited' ? invitation.secret : '');
    expect((await accounts.findPersonByEmail('ada@example.com'))?.memberships).toEqual([
      { accountId: 'acme', role: 'viewer' },
      { accountId: 'other', role: 'owner' },
    ]);
  });

  test('is accepted by exactly one of several concurrent callers', async () => {
    const { secret } = await invite('viewer');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => accept(secret)));
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'link_used')).toHaveLength(4);
    expect(await roleOfAda()).toEqual(['viewer']);
  });

  test('by an owner works while that person is an owner', async () => {
    await accept((await invite('owner', 'grace@example.com')).secret);
    const grace = await accounts.findPersonByEmail('grace@example.com');
    const { secret } = await invite('owner', 'ada@example.com', 'grace@example.com');
    await accounts.setMembership(grace?.id ?? '', { accountId: 'acme', role: 'manager' });
    expect(await accept(secret)).toBe('link_unknown');
    await accounts.removeMembership(grace?.id ?? '', 'acme');
    expect(await accept(secret)).toBe('link_unknown');
    expect(await accounts.findPersonByEmail('ada@example.com')).toBeUndefined();
    await accounts.setMembership(grace?.id ?? '', { accountId: 'acme', role: 'owner' });
    expect(await accept(secret)).toMatchObject({ isNewMember: true });
  });

  test.each(['addPerson', 'setMembership', 'takeOneTimeSecret'] as const)(
    'still works after a crash before or after %s, unless the person is a member',
    async (step) => {
      const crash = () => Promise.reject(new Error('crash'));
      const before: Accounts = { ...accounts, [step]: crash };
      const after: Accounts = {
        ...accounts,
        [step]: async (...values: never[]) => {
          await (accounts[step] as (...values: never[]) => Promise<unknown>)(...values);
          return crash();
        },
      };
      const { secret } = await invite('viewer');
      for (const crashing of [before, after]) await expect(accept(secret, crashing)).rejects.toThrow('crash');
      const again = await accept(secret);
      if (step === 'takeOneTimeSecret') expect(again).toBe('link_unknown');
      else expect(again).toMatchObject({ link: 'invitation' });
      expect(await roleOfAda()).toEqual(['viewer']);
    },
  );
});

describe('a sign-in link', () => {
  const link = async (role?: Role) => {
    const secret = newSecret();
    const data = { accountId: 'acme', email: 'ada@example.com', ...(role && { role }) };
    await accounts.addOneTimeSecret({ hash: hashSecret(secret), kind: 'sign-in', expiresAtMs: 9_000, data });
    return secret;
  };

  test('changes no role', async () => {
    await accept((await invite('viewer')).secret);
    expect(await accept(await link('owner'))).toMatchObject({ link: 'sign-in', isNewMember: false });
    expect(await accept(await link())).toMatchObject({ link: 'sign-in', isNewMember: false });
    expect(await roleOfAda()).toEqual(['viewer']);
  });

  test('adds a person only if it has a role', async () => {
    expect(await accept(await link())).toBe('link_unknown');
    expect(await accounts.findPersonByEmail('ada@example.com')).toBeUndefined();
    expect(await accept(await link('owner'))).toMatchObject({ link: 'sign-in', isNewMember: true });
    expect(await roleOfAda()).toEqual(['owner']);
  });
});
