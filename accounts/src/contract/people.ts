import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newId } from '../people/new-id.ts';
import type { Person } from '../people/people.ts';
import { acme, count, other, race, type ContractContext } from './fixtures.ts';
import { passkey, person } from './people-fixtures.ts';

export function peopleCases(context: ContractContext): void {
  additionCases(context);
  uniqueAddressCases(context);
  membershipCases(context);
  passwordCases(context);
  resetCases(context);
}

/** Returns a person with every field, who is a member of acme and of the other account. */
function fullPerson(): Person {
  return person({
    memberships: [
      { accountId: acme.id, role: 'owner' },
      { accountId: other.id, role: 'viewer' },
    ],
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    totp: { secret: randomBytes(48), lastStep: 7 },
    recoveryCodes: [randomBytes(32), randomBytes(32), randomBytes(32)],
    passkeys: [passkey(), passkey({ lastUsedAtMs: 9, transports: [], counter: 4_294_967_295 })],
  });
}

function additionCases({ accounts, reopen }: ContractContext): void {
  test('a person is found by id, address and passkey as it was added', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const [plain, owner] = [person(), fullPerson()];
    for (const each of [plain, owner]) {
      expect(await accounts().addPerson(each)).toBe('added');
      expect(await accounts().findPerson(each.id)).toEqual(each);
      expect(await accounts().findPersonByEmail(each.email)).toEqual(each);
    }
    for (const { id } of owner.passkeys) expect(await accounts().findPersonByPasskey(id)).toEqual(owner);
    expect(await accounts().findPerson(newId())).toBeUndefined();
    expect(await accounts().findPersonByEmail('nobody@example.com')).toBeUndefined();
    expect(await accounts().findPersonByPasskey('none')).toBeUndefined();
  });

  test('all bytes of a person are Buffers', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const added = fullPerson();
    await accounts().addPerson(added);
    const found = await accounts().findPerson(added.id);
    const bytes = [found?.totp?.secret, found?.recoveryCodes[0], found?.passkeys[0]?.publicKey];
    expect(bytes.map((each) => Buffer.isBuffer(each))).toEqual([true, true, true]);
  });

  test('people are there after closing and reopening', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const added = fullPerson();
    await accounts().addPerson(added);
    expect(await (await reopen()).findPerson(added.id)).toEqual(added);
  });
}

function uniqueAddressCases({ accounts, connect }: ContractContext): void {
  test('an existing address is refused, and its person does not change', async () => {
    const first = person({ email: 'ada@example.com' });
    await accounts().addPerson(first);
    expect(await accounts().addPerson(person({ email: first.email, passkeys: [passkey()] }))).toBe('exists');
    expect(await accounts().findPersonByEmail(first.email)).toEqual(first);
  });

  test('an existing id or passkey is a fault, and adds nobody', async () => {
    const first = person({ passkeys: [passkey()] });
    await accounts().addPerson(first);
    const twins = [person({ id: first.id }), person({ passkeys: first.passkeys })];
    for (const twin of twins) {
      await expect(accounts().addPerson(twin)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
      expect(await accounts().findPersonByEmail(twin.email)).toBeUndefined();
    }
    expect(await accounts().findPerson(first.id)).toEqual(first);
  });

  test('exactly one of several concurrent additions of an address succeeds', async () => {
    const racers = Array.from({ length: 12 }, () => person({ email: 'ada@example.com' }));
    const outcomes = await race({ accounts, connect }, (store, index) =>
      store.addPerson(racers[index] ?? person()),
    );
    expect(count(outcomes, 'added')).toBe(1);
    expect(count(outcomes, 'exists')).toBe(11);
    expect(await accounts().findPersonByEmail('ada@example.com')).toEqual(racers[outcomes.indexOf('added')]);
  });
}

function membershipCases({ accounts, connect }: ContractContext): void {
  test('a membership is added, changed and removed, and memberships are ordered by account', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const { id } = person();
    await accounts().addPerson(person({ id }));
    const memberships = async () => (await accounts().findPerson(id))?.memberships;
    expect(await accounts().setMembership(id, { accountId: other.id, role: 'viewer' })).toBe(true);
    expect(await accounts().setMembership(id, { accountId: acme.id, role: 'owner' })).toBe(true);
    expect(await accounts().setMembership(id, { accountId: other.id, role: 'manager' })).toBe(true);
    expect(await memberships()).toEqual([
      { accountId: acme.id, role: 'owner' },
      { accountId: other.id, role: 'manager' },
    ]);
    expect(await accounts().removeMembership(id, acme.id)).toBe(true);
    expect(await accounts().removeMembership(id, acme.id)).toBe(false);
    expect(await memberships()).toEqual([{ accountId: other.id, role: 'manager' }]);
    expect(await accounts().setMembership(newId(), { accountId: acme.id, role: 'owner' })).toBe(false);
    expect(await accounts().removeMembership(newId(), other.id)).toBe(false);
  });

  test('an account lists its own members only, ordered by address', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const inAcme = { accountId: acme.id, role: 'viewer' } as const;
    const inOther = { accountId: other.id, role: 'owner' } as const;
    const both = person({ email: 'b@example.com', memberships: [inAcme, inOther] });
    const [first, stranger] = [
      person({ email: 'a@example.com', memberships: [inAcme] }),
      person({ email: 'c@example.com', memberships: [inOther] }),
    ];
    for (const each of [both, stranger, first, person()]) await accounts().addPerson(each);
    expect(await accounts().listPeople(acme.id)).toEqual([first, both]);
    expect(await accounts().listPeople(other.id)).toEqual([both, stranger]);
    await accounts().removeMembership(both.id, acme.id);
    expect(await accounts().listPeople(acme.id)).toEqual([first]);
    expect(await accounts().listPeople('ACME')).toEqual([]);
  });

  test('concurrent changes of a membership leave one membership', async () => {
    await accounts().addAccount(acme);
    const added = person();
    await accounts().addPerson(added);
    const outcomes = await race({ accounts, connect }, (store) =>
      store.setMembership(added.id, { accountId: acme.id, role: 'manager' }),
    );
    expect(count(outcomes, true)).toBe(12);
    const memberships = [{ accountId: acme.id, role: 'manager' }];
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, memberships });
  });
}

function resetCases({ accounts, reopen }: ContractContext): void {
  test('all sign-in methods of one person are removed, and nothing else', async () => {
    await accounts().addAccount(acme);
    await accounts().addAccount(other);
    const [added, bystander] = [fullPerson(), fullPerson()];
    for (const each of [added, bystander]) await accounts().addPerson(each);
    const { id, email, createdAtMs, memberships } = added;
    const left = { id, email, createdAtMs, memberships, recoveryCodes: [], passkeys: [] };
    for (let run = 0; run < 2; run += 1) expect(await accounts().removeSignInMethods(id)).toBe(true);
    expect(await accounts().removeSignInMethods(newId())).toBe(false);
    expect(await accounts().findPersonByPasskey(added.passkeys[0]?.id ?? '')).toBeUndefined();
    const again = await reopen();
    expect(await again.findPerson(id)).toEqual(left);
    expect(await again.findPerson(bystander.id)).toEqual(bystander);
  });
}

function passwordCases({ accounts }: ContractContext): void {
  test('a password is set, replaced and removed, for one person only', async () => {
    const [added, bystander] = [person(), person({ passwordHash: 'theirs' })];
    for (const each of [added, bystander]) await accounts().addPerson(each);
    for (const passwordHash of ['$first', '$second']) {
      expect(await accounts().setPassword(added.id, passwordHash)).toBe(true);
      expect(await accounts().findPerson(added.id)).toEqual({ ...added, passwordHash });
    }
    expect(await accounts().setPassword(added.id, null)).toBe(true);
    expect(await accounts().findPerson(added.id)).toEqual(added);
    expect(await accounts().setPassword(newId(), 'hash')).toBe(false);
    expect(await accounts().findPerson(bystander.id)).toEqual(bystander);
  });
}
