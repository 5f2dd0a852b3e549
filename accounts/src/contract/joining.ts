import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type Joiner, type Person, newId } from '../people/people.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { type ContractContext, acme, count, other, race } from './accounts.fixture.ts';
import { entry, laterMs, member, oneTimeSecret, passkey, person } from './people.fixture.ts';

export function joiningCases(context: ContractContext): void {
  newPersonCases(context);
  existingPersonCases(context);
  refusalCases(context);
  concurrencyCases(context);
}

export const action = () => ({ id: newId(), atMs: laterMs, network: '192.0.2.1' });

export function newcomer(
  fields: Partial<Person> = {},
): Joiner & { readonly newPerson: Omit<Person, 'memberships'> } {
  return { newPerson: { id: newId(), createdAtMs: laterMs, passkeys: [passkey()], ...fields } };
}

/** Stores an invitation of `ada@example.com` to acme. */
export async function invite(
  { accounts }: ContractContext,
  data: Readonly<Record<string, string>> = {},
  fields: Partial<OneTimeSecret> = {},
): Promise<OneTimeSecret> {
  for (const account of [acme, other]) await accounts().addAccount(account);
  const secret = oneTimeSecret(fields);
  const stored = { ...secret, data: { ...secret.data, ...data } };
  await accounts().addOneTimeSecret(stored);
  return stored;
}

const trailOf = ({ accounts }: ContractContext) =>
  accounts().listActions({ accountId: acme.id, pageSize: 20 });

function newPersonCases(context: ContractContext): void {
  const { accounts } = context;

  test.each<[string, Partial<Person>]>([
    ['a passkey', {}],
    ['an identity', { passkeys: [], openId: { issuer: 'https://login.example.com', subject: 'one' } }],
  ])('a new person with %s joins, which is recorded, and the invitation is used', async (_, fields) => {
    const { hash } = await invite(context);
    const joiner = newcomer(fields);
    const { id, atMs, network } = action();
    const memberships = [member('viewer')];
    const joined: Person = { ...joiner.newPerson, memberships };
    expect(await accounts().acceptInvitation(hash, joiner, { id, atMs, network })).toEqual({
      kind: 'joined',
      person: joined,
      accountId: acme.id,
    });
    expect(await accounts().findPerson(joined.id)).toEqual(joined);
    expect(await trailOf(context)).toEqual([
      {
        id,
        atMs,
        network,
        accountId: acme.id,
        action: 'person.joined',
        actor: 'ada@example.com',
        subject: 'ada@example.com: viewer',
      },
    ]);
    expect(await accounts().acceptInvitation(hash, newcomer(), action())).toEqual({ kind: 'link_unknown' });
  });

  test('two people join with one address, and each is a person of their own', async () => {
    for (let joined = 0; joined < 2; joined += 1) {
      const { hash } = await invite(context);
      expect(await accounts().acceptInvitation(hash, newcomer(), action())).toMatchObject({ kind: 'joined' });
    }
    const people = await accounts().listPeople(acme.id);
    expect(people.map(({ memberships }) => memberships)).toEqual([[member('viewer')], [member('viewer')]]);
    expect(people.map(({ passkeys }) => passkeys.length)).toEqual([1, 1]);
  });

  test('a passkey or identity of somebody else joins nobody, and the invitation stays', async () => {
    const { hash } = await invite(context);
    const openId = { issuer: 'https://login.example.com', subject: 'one' };
    const taken = person({ passkeys: [passkey()], openId, memberships: [member('owner')] });
    await accounts().addPerson(taken);
    for (const fields of [{ passkeys: taken.passkeys }, { passkeys: [], openId }])
      expect(await accounts().acceptInvitation(hash, newcomer(fields), action())).toEqual({
        kind: 'identity_taken',
      });
    expect(await accounts().findPerson(taken.id)).toEqual(taken);
    expect(await accounts().listPeople(acme.id)).toEqual([taken]);
    expect(await trailOf(context)).toEqual([]);
    expect(await accounts().findOneTimeSecret('invitation', hash, laterMs)).toBeDefined();
  });
}

function existingPersonCases(context: ContractContext): void {
  const { accounts } = context;

  test('a person of another account joins, and neither passkeys nor the other membership change', async () => {
    const { hash } = await invite(context);
    const elsewhere = member('owner', { accountId: other.id, email: 'someone@other.example' });
    const ada = person({ passkeys: [passkey()], memberships: [elsewhere] });
    await accounts().addPerson(ada);
    const outcome = await accounts().acceptInvitation(hash, { personId: ada.id }, action());
    const person_ = { ...ada, memberships: [member('viewer'), elsewhere] };
    expect(outcome).toEqual({ kind: 'joined', person: person_, accountId: acme.id });
    expect(await accounts().findPerson(ada.id)).toEqual(person_);
  });

  test('an invitation raises a role, keeps the address, and records the change', async () => {
    const { hash } = await invite(context, { role: 'owner', email: 'other@example.com' });
    const ada = person({ memberships: [member('viewer')] });
    await accounts().addPerson(ada);
    expect(await accounts().acceptInvitation(hash, { personId: ada.id }, action())).toMatchObject({
      kind: 'joined',
    });
    expect((await accounts().findPerson(ada.id))?.memberships).toEqual([member('owner')]);
    expect(await trailOf(context)).toMatchObject([
      { action: 'person.role-changed', subject: 'ada@example.com: viewer → owner' },
    ]);
  });

  test.each(['viewer', 'manager', 'owner'])(
    'an invitation as %s changes no owner, and stays',
    async (role) => {
      const { hash } = await invite(context, { role });
      const ada = person({ memberships: [member('owner')] });
      await accounts().addPerson(ada);
      const outcome = await accounts().acceptInvitation(hash, { personId: ada.id }, action());
      expect(outcome).toEqual({ kind: 'already_member' });
      expect(await accounts().findPerson(ada.id)).toEqual(ada);
      expect(await accounts().findOneTimeSecret('invitation', hash, laterMs)).toBeDefined();
    },
  );
}

function refusalCases(context: ContractContext): void {
  const { accounts } = context;

  test('an unknown or expired link, and a sign-in link, join nobody', async () => {
    const expired = await invite(context, {}, { expiresAtMs: laterMs });
    const signIn = await invite(context, {}, { kind: 'sign-in' });
    for (const hash of [expired.hash, signIn.hash, randomBytes(32)])
      expect(await accounts().acceptInvitation(hash, newcomer(), action())).toEqual({ kind: 'link_unknown' });
    expect(await accounts().listPeople(acme.id)).toEqual([]);
  });

  test('an invitation works only while its sender is an owner of this account', async () => {
    const sender = person({ memberships: [member('owner', { email: 'boss@example.com' })] });
    const second = person({ memberships: [member('owner', { email: 'second@example.com' })] });
    const invitedBy = { invitedBy: sender.id, inviterEmail: 'boss@example.com' };
    const [early, late] = [
      await invite(context, invitedBy),
      await invite(context, { ...invitedBy, email: 'late@example.com' }),
    ];
    for (const each of [sender, second]) await accounts().addPerson(each);
    expect(await accounts().acceptInvitation(early.hash, newcomer(), action())).toMatchObject({
      kind: 'joined',
    });
    await accounts().changeRole(acme.id, sender.id, 'manager', entry('person.role-changed'));
    expect(await accounts().acceptInvitation(late.hash, newcomer(), action())).toEqual({
      kind: 'link_unknown',
    });
  });

  test('somebody with the address of the sender is not the sender', async () => {
    const impostor = person({ memberships: [member('owner', { email: 'boss@example.com' })] });
    const { hash } = await invite(context, { invitedBy: newId(), inviterEmail: 'boss@example.com' });
    await accounts().addPerson(impostor);
    expect(await accounts().acceptInvitation(hash, newcomer(), action())).toEqual({ kind: 'link_unknown' });
  });

  test('a person who has ended joins nothing', async () => {
    const { hash } = await invite(context);
    expect(await accounts().acceptInvitation(hash, { personId: newId() }, action())).toEqual({
      kind: 'no_person',
    });
  });
}

function concurrencyCases(context: ContractContext): void {
  const { accounts, connect } = context;

  test('exactly one of several concurrent callers joins', async () => {
    const { hash } = await invite(context);
    const outcomes = await race({ accounts, connect }, (store) =>
      store.acceptInvitation(hash, newcomer(), action()),
    );
    const kinds = outcomes.map(({ kind }) => kind);
    expect(count<string>(kinds, 'joined')).toBe(1);
    expect(count<string>(kinds, 'link_unknown')).toBe(11);
    expect(await accounts().listPeople(acme.id)).toHaveLength(1);
    expect(await trailOf(context)).toHaveLength(1);
  });

  test('one identity becomes one person, also through several invitations at once', async () => {
    const links: OneTimeSecret[] = [];
    for (let index = 0; index < 12; index += 1)
      links.push(await invite(context, { email: `ada-${String(index)}@example.com` }));
    const openId = { issuer: 'https://login.example.com', subject: 'one' };
    const outcomes = await race({ accounts, connect }, (store, index) =>
      store.acceptInvitation(
        links[index]?.hash ?? randomBytes(32),
        newcomer({ passkeys: [], openId }),
        action(),
      ),
    );
    expect(
      count<string>(
        outcomes.map(({ kind }) => kind),
        'joined',
      ),
    ).toBe(1);
    expect(await accounts().listPeople(acme.id)).toHaveLength(1);
  });

  test('an invitation is either used or withdrawn', async () => {
    const { hash, kind } = await invite(context);
    const outcomes = await race<unknown>({ accounts, connect }, async (store, index) =>
      index % 2 === 0
        ? (await store.acceptInvitation(hash, newcomer(), action())).kind === 'joined'
        : (await store.takeOneTimeSecret(kind, hash, laterMs, entry('invitation.withdrawn'))) !== undefined,
    );
    expect(count(outcomes, true)).toBe(1);
    expect(await trailOf(context)).toHaveLength(1);
  });
}
