import { expect, test } from '@jest/globals';
import { membershipOf, type Person, newId } from '../people/people.ts';
import { type ContractContext, acme, count, other, race } from './accounts.fixture.ts';
import { entry, laterMs, member, oneTimeSecret, passkey, person, session } from './people.fixture.ts';

export function peopleCases(context: ContractContext): void {
  additionCases(context);
  listingCases(context);
  roleCases(context);
  removalCases(context);
  lastOwnerCases(context);
  seenCases(context);
}

const inOther = { accountId: other.id, email: 'countess@other.example' };

/** Returns a person with every field, who is a member of acme and of the other account. */
function fullPerson(): Person {
  return person({
    memberships: [member('owner'), member('viewer', inOther)],
    openId: { issuer: 'https://login.example.com', subject: newId() },
    passkeys: [passkey(), passkey({ lastUsedAtMs: 9, transports: [], counter: 4_294_967_295 })],
  });
}

async function addAccounts({ accounts }: ContractContext): Promise<void> {
  for (const account of [acme, other]) await accounts().addAccount(account);
}

const trailOf = ({ accounts }: ContractContext) =>
  accounts().listActions({ accountId: acme.id, pageSize: 9 });

function seenCases(context: ContractContext): void {
  const { accounts } = context;

  test('the latest day of a member is recorded, in that account only, and survives a new role', async () => {
    await addAccounts(context);
    const added = person({ memberships: [member('owner'), member('viewer', inOther)] });
    const bystander = person({ memberships: [member('owner')] });
    for (const each of [added, bystander]) await accounts().addPerson(each);
    await accounts().recordMemberSeen(acme.id, added.id, 2_000);
    await accounts().recordMemberSeen(acme.id, added.id, 1_000);
    await accounts().recordMemberSeen('ACME', added.id, 9_000);
    await accounts().recordMemberSeen(acme.id, newId(), 9_000);
    await accounts().changeRole(acme.id, added.id, 'viewer', entry('person.role-changed'));
    const memberships = [member('viewer', { lastSeenAtMs: 2_000 }), member('viewer', inOther)];
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, memberships });
    expect(await accounts().findPerson(bystander.id)).toEqual(bystander);
    await accounts().recordMemberSeen(acme.id, added.id, 3_000);
    expect(membershipOf((await accounts().findPerson(added.id)) ?? added, acme.id)?.lastSeenAtMs).toBe(3_000);
  });
}

function additionCases(context: ContractContext): void {
  const { accounts, reopen } = context;

  test('a person is found by id, passkey and identity as it was added, also after reopening', async () => {
    await addAccounts(context);
    const memberships = [member('owner', { lastSeenAtMs: 9 }), member('viewer', inOther)];
    const [plain, full] = [person(), { ...fullPerson(), memberships }];
    for (const each of [plain, full]) expect(await accounts().addPerson(each)).toBe('added');
    const again = await reopen();
    expect(await again.findPerson(plain.id)).toEqual(plain);
    expect(await again.findPerson(full.id)).toEqual(full);
    for (const { id } of full.passkeys) expect(await again.findPersonByPasskey(id)).toEqual(full);
    const identity = full.openId ?? { issuer: '', subject: '' };
    expect(await again.findPersonByOpenId(identity)).toEqual(full);
    expect(Buffer.isBuffer((await again.findPerson(full.id))?.passkeys[0]?.publicKey)).toBe(true);
    expect(await again.findPerson(newId())).toBeUndefined();
    expect(await again.findPersonByPasskey('none')).toBeUndefined();
    for (const wrong of [{ issuer: 'https://other.example' }, { subject: full.id }])
      expect(await again.findPersonByOpenId({ ...identity, ...wrong })).toBeUndefined();
  });

  test('an existing id is refused, and changes nothing', async () => {
    const first = person({ passkeys: [passkey()] });
    await accounts().addPerson(first);
    expect(await accounts().addPerson(person({ id: first.id }))).toBe('exists');
    expect(await accounts().findPerson(first.id)).toEqual(first);
  });

  test('a passkey or an identity of another person is a fault, and adds nobody', async () => {
    await addAccounts(context);
    const { passkeys, openId } = fullPerson();
    const first = person({ passkeys, ...(openId && { openId }) });
    await accounts().addPerson(first);
    for (const twin of [person({ passkeys }), person({ ...(openId && { openId }) })]) {
      await expect(accounts().addPerson(twin)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
      expect(await accounts().findPerson(twin.id)).toBeUndefined();
    }
    expect(await accounts().findPerson(first.id)).toEqual(first);
  });
}

function listingCases(context: ContractContext): void {
  test('an account lists its own members only, by the address in this account, then by id', async () => {
    const { accounts } = context;
    await addAccounts(context);
    const twins = ['b', 'a'].map((id) =>
      person({ id: id.repeat(24), memberships: [member('viewer', { email: 'twin@example.com' })] }),
    );
    const both = fullPerson();
    const outsider = person({ memberships: [member('owner', { ...inOther, email: 'b@other.example' })] });
    for (const each of [...twins, both, outsider, person()]) await accounts().addPerson(each);
    expect(await accounts().listPeople(acme.id)).toEqual([both, ...twins.toReversed()]);
    expect(await accounts().listPeople(other.id)).toEqual([outsider, both]);
    expect(await accounts().listPeople('ACME')).toEqual([]);
  });
}

function roleCases(context: ContractContext): void {
  const { accounts } = context;

  test('a role is changed and recorded in one account, and the invitations of the address are cancelled', async () => {
    await addAccounts(context);
    const ada = fullPerson();
    for (const each of [ada, person({ memberships: [member('owner', { email: 'b@example.com' })] })])
      await accounts().addPerson(each);
    const [own, theirs] = [
      oneTimeSecret(),
      oneTimeSecret({ data: { accountId: other.id, email: 'ada@example.com' } }),
    ];
    for (const each of [own, theirs]) await accounts().addOneTimeSecret(each);
    const changed = entry('person.role-changed');
    expect(await accounts().changeRole(acme.id, ada.id, 'viewer', changed)).toBe('changed');
    const memberships = [member('viewer'), member('viewer', inOther)];
    expect(await accounts().findPerson(ada.id)).toEqual({ ...ada, memberships });
    expect(await trailOf(context)).toEqual([changed]);
    expect(await accounts().findOneTimeSecret('invitation', own.hash, laterMs)).toBeUndefined();
    expect(await accounts().findOneTimeSecret('invitation', theirs.hash, laterMs)).toEqual(theirs);
  });

  test('the same role, and a person who is no member, change nothing and record nothing', async () => {
    await addAccounts(context);
    const [ada, outsider] = [fullPerson(), person()];
    for (const each of [ada, outsider]) await accounts().addPerson(each);
    const change = (id: string) => accounts().changeRole(acme.id, id, 'owner', entry('person.role-changed'));
    expect(await change(ada.id)).toBe('unchanged');
    for (const id of [outsider.id, newId()]) expect(await change(id)).toBe('not_found');
    expect(await accounts().findPerson(outsider.id)).toEqual(outsider);
    expect(await trailOf(context)).toEqual([]);
  });
}

function removalCases(context: ContractContext): void {
  const { accounts } = context;

  test('a removed member keeps other accounts, and loses the sessions and invitations of this one', async () => {
    await addAccounts(context);
    const ada = fullPerson();
    for (const each of [ada, person({ memberships: [member('owner', { email: 'b@example.com' })] })])
      await accounts().addPerson(each);
    const [here, there] = [session(ada.id), session(ada.id, { accountId: other.id })];
    for (const each of [here, there]) await accounts().addSession(each);
    const invitation = oneTimeSecret();
    await accounts().addOneTimeSecret(invitation);
    const removed = entry('person.removed');
    expect(await accounts().removeMember(acme.id, ada.id, removed)).toBe('removed');
    expect(await accounts().removeMember(acme.id, ada.id, entry('person.removed'))).toBe('not_found');
    expect(await accounts().findPerson(ada.id)).toEqual({ ...ada, memberships: [member('viewer', inOther)] });
    expect(await accounts().listSessions(ada.id)).toEqual([there]);
    expect(await accounts().findOneTimeSecret('invitation', invitation.hash, laterMs)).toBeUndefined();
    expect(await trailOf(context)).toEqual([removed]);
  });

  test('the last membership ends the person: passkeys, identity and sessions', async () => {
    await addAccounts(context);
    const { passkeys, openId } = fullPerson();
    const ada = person({ memberships: [member('viewer')], passkeys, ...(openId && { openId }) });
    await accounts().addPerson(ada);
    for (const each of [session(ada.id), session(ada.id, { accountId: other.id })])
      await accounts().addSession(each);
    expect(await accounts().removeMember(acme.id, ada.id, entry('person.removed'))).toBe('removed');
    expect(await accounts().findPerson(ada.id)).toBeUndefined();
    expect(await accounts().findPersonByPasskey(passkeys[0]?.id ?? '')).toBeUndefined();
    if (openId) expect(await accounts().findPersonByOpenId(openId)).toBeUndefined();
    expect(await accounts().listSessions(ada.id)).toEqual([]);
    expect(await accounts().addPasskey(ada.id, passkey())).toBe('no_person');
  });
}

function lastOwnerCases(context: ContractContext): void {
  const { accounts, connect } = context;

  test('the last owner stays the owner, and nothing is recorded', async () => {
    await addAccounts(context);
    const [owner, viewer] = [
      person({ memberships: [member('owner')] }),
      person({ memberships: [member('viewer')] }),
    ];
    for (const each of [owner, viewer]) await accounts().addPerson(each);
    expect(await accounts().changeRole(acme.id, owner.id, 'manager', entry('person.role-changed'))).toBe(
      'last_owner',
    );
    expect(await accounts().removeMember(acme.id, owner.id, entry('person.removed'))).toBe('last_owner');
    expect(await accounts().findPerson(owner.id)).toEqual(owner);
    expect(await trailOf(context)).toEqual([]);
  });

  test('of twelve owners who are removed or lowered at the same moment, one stays', async () => {
    await addAccounts(context);
    const owners = Array.from({ length: 12 }, () => person({ memberships: [member('owner')] }));
    for (const each of owners) await accounts().addPerson(each);
    const outcomes = await race({ accounts, connect }, (store, index) => {
      const id = owners[index]?.id ?? '';
      return index % 2 === 0
        ? store.removeMember(acme.id, id, entry('person.removed'))
        : store.changeRole(acme.id, id, 'viewer', entry('person.role-changed'));
    });
    expect(count<string>(outcomes, 'last_owner')).toBe(1);
    const left = await accounts().listPeople(acme.id);
    const roles = left.flatMap(({ memberships }) => memberships.map(({ role }) => role));
    expect(roles.filter((role) => role === 'owner')).toHaveLength(1);
    const trail = await accounts().listActions({ accountId: acme.id, pageSize: 50 });
    expect(trail).toHaveLength(11);
  });
}
