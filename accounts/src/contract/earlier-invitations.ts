import { expect, test } from '@jest/globals';
import type { Joiner } from '../people/people.ts';
import type { OneTimeSecret } from '../people/one-time-secret.ts';
import { type ContractContext, acme, other, race } from './accounts.fixture.ts';
import { action, invite, newcomer } from './joining.ts';
import { entry, laterMs, member, person } from './people.fixture.ts';

/** Invitations that were sent before the role of their holder changed. */
export function earlierInvitationCases(context: ContractContext): void {
  const { accounts } = context;
  const boss = () => person({ memberships: [member('owner', { email: 'boss@example.com' })] });
  const identity = { openId: { issuer: 'https://login.example.com', subject: 'one' }, passkeys: [] };
  const accept = async ({ hash }: OneTimeSecret, joiner: Joiner) =>
    (await accounts().acceptInvitation(hash, joiner, action())).kind;
  let labels = 0;
  /** An invitation under a label that nobody else has. */
  const inviteOther = (role: string) =>
    invite(context, { role, email: `other-${String((labels += 1))}@example.com` });
  const changed = () => entry('person.role-changed');

  test.each(['viewer', 'manager'] as const)(
    'no invitation from before a change to %s raises that role, and a later one does',
    async (role) => {
      const earlier = await inviteOther('owner');
      const ada = person({ memberships: [member(role === 'viewer' ? 'owner' : 'viewer')] });
      for (const each of [boss(), ada]) await accounts().addPerson(each);
      expect(await accounts().changeRole(acme.id, ada.id, role, changed())).toBe('changed');
      expect(await accept(earlier, { personId: ada.id })).toBe('link_unknown');
      expect((await accounts().findPerson(ada.id))?.memberships).toEqual([member(role)]);
      expect(await accept(await inviteOther('owner'), { personId: ada.id })).toBe('joined');
      expect(await accept(earlier, newcomer())).toBe('joined');
    },
  );

  test('no invitation from before a role was raised by another one raises it further', async () => {
    const [earlier, used] = [await inviteOther('owner'), await inviteOther('manager')];
    const ada = person({ memberships: [member('viewer')] });
    await accounts().addPerson(ada);
    expect(await accept(used, { personId: ada.id })).toBe('joined');
    expect(await accept(earlier, { personId: ada.id })).toBe('link_unknown');
    expect((await accounts().findPerson(ada.id))?.memberships).toEqual([member('manager')]);
  });

  test('several changes of several people keep an invitation from each of them, and from nobody else', async () => {
    const earlier = await inviteOther('owner');
    const people = [person(), person(identity), person()].map((each) => ({
      ...each,
      memberships: [member('manager')],
    }));
    for (const each of people) await accounts().addPerson(each);
    for (const role of ['viewer', 'manager'] as const)
      for (const { id } of people) await accounts().changeRole(acme.id, id, role, changed());
    for (const { id } of people) expect(await accept(earlier, { personId: id })).toBe('link_unknown');
    const stored = await accounts().findOneTimeSecret('invitation', earlier.hash, laterMs);
    expect(stored?.data.notFor?.split(' ')).toHaveLength(3);
    expect(await accept(earlier, newcomer())).toBe('joined');
  });

  test('a removal cancels the invitations of the label and those of the sender, and no others', async () => {
    const ada = person({ memberships: [member('owner')] });
    const sent = await invite(context, { email: 'friend@example.com', invitedBy: ada.id });
    for (const each of [boss(), ada]) await accounts().addPerson(each);
    const [labelled, kept] = [await invite(context), await inviteOther('viewer')];
    const elsewhere = await invite(context, { accountId: other.id, invitedBy: ada.id });
    expect(await accounts().removeMember(acme.id, ada.id, entry('person.removed'))).toBe('removed');
    const left = (await accounts().listInvitations(acme.id, laterMs)).map(({ hash }) => hash);
    expect(left).toEqual([kept.hash]);
    expect(await accounts().listInvitations(other.id, laterMs)).toEqual([elsewhere]);
    for (const each of [sent, labelled]) expect(await accept(each, newcomer())).toBe('link_unknown');
  });

  test('a removed person who is known comes back only by a later invitation', async () => {
    const member_ = [member('viewer')];
    const inBoth = person({ memberships: [...member_, member('viewer', { accountId: other.id })] });
    const atProvider = person({ ...identity, memberships: member_ });
    const [first, second] = [await inviteOther('owner'), await inviteOther('owner')];
    for (const each of [boss(), inBoth, atProvider]) await accounts().addPerson(each);
    for (const { id } of [inBoth, atProvider])
      await accounts().removeMember(acme.id, id, entry('person.removed'));
    expect(await accounts().findPerson(atProvider.id)).toBeUndefined();
    expect(await accept(first, { personId: inBoth.id })).toBe('link_unknown');
    expect(await accept(second, newcomer(identity))).toBe('link_unknown');
    expect(await accept(await inviteOther('viewer'), { personId: inBoth.id })).toBe('joined');
    expect(await accept(await inviteOther('viewer'), newcomer(identity))).toBe('joined');
    expect(await accept(first, { personId: inBoth.id })).toBe('link_unknown');
  });

  test('a member who is demoted while using an invitation is demoted', async () => {
    const { hash } = await inviteOther('owner');
    const ada = person({ memberships: [member('manager')] });
    for (const each of [boss(), ada]) await accounts().addPerson(each);
    await race<unknown>(context, (store, index) =>
      index % 2 === 0
        ? store.acceptInvitation(hash, { personId: ada.id }, action())
        : store.changeRole(acme.id, ada.id, 'viewer', changed()),
    );
    expect((await accounts().findPerson(ada.id))?.memberships).toEqual([member('viewer')]);
  });
}
