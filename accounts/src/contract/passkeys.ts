import { expect, test } from '@jest/globals';
import { newId } from '../people/people.ts';
import { type ContractContext, acme, count, race } from './accounts.fixture.ts';
import { entry, passkey, person, session } from './people.fixture.ts';

export function passkeyCases(context: ContractContext): void {
  additionCases(context);
  removalCases(context);
}

function additionCases({ accounts, connect }: ContractContext): void {
  test('passkeys keep the order in which they were added', async () => {
    const added = person();
    await accounts().addPerson(added);
    const passkeys = [passkey({ createdAtMs: 3 }), passkey({ createdAtMs: 1 }), passkey({ createdAtMs: 2 })];
    for (const each of passkeys) expect(await accounts().addPasskey(added.id, each)).toBe('added');
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, passkeys });
    expect(await accounts().addPasskey(newId(), passkey())).toBe('no_person');
  });

  test('a passkey id that exists is refused, for its own person and for others', async () => {
    const [added, outsider] = [person({ passkeys: [passkey()] }), person()];
    for (const each of [added, outsider]) await accounts().addPerson(each);
    const twin = passkey({ ...(added.passkeys[0] && { id: added.passkeys[0].id }) });
    for (const { id } of [added, outsider]) expect(await accounts().addPasskey(id, twin)).toBe('exists');
    expect(await accounts().findPerson(added.id)).toEqual(added);
    expect(await accounts().findPerson(outsider.id)).toEqual(outsider);
  });

  test('exactly one of several concurrent additions of a passkey succeeds, over all people', async () => {
    const people = Array.from({ length: 12 }, () => person());
    for (const each of people) await accounts().addPerson(each);
    const contested = passkey();
    const outcomes = await race({ accounts, connect }, (store, index) =>
      store.addPasskey(people[index % 2]?.id ?? '', contested),
    );
    expect(count(outcomes, 'added')).toBe(1);
    expect(count(outcomes, 'exists')).toBe(11);
  });

  test('a use raises counter and time of one passkey, and never lowers them', async () => {
    const [used, unused] = [passkey({ counter: 5 }), passkey()];
    const added = person({ passkeys: [used, unused] });
    await accounts().addPerson(added);
    await accounts().recordPasskeyUse(added.id, used.id, 7, 2_000);
    await accounts().recordPasskeyUse(added.id, used.id, 6, 1_000);
    await accounts().recordPasskeyUse(newId(), used.id, 9, 9_000);
    await accounts().recordPasskeyUse(added.id, 'none', 9, 9_000);
    const passkeys = [{ ...used, counter: 7, lastUsedAtMs: 2_000 }, unused];
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, passkeys });
  });
}

function removalCases({ accounts, connect }: ContractContext): void {
  const removal = () => entry('passkey.removed');

  test('only its own person removes a passkey, and it may be added again', async () => {
    await accounts().addAccount(acme);
    const [one, kept] = [passkey(), passkey()];
    const [added, outsider] = [person({ passkeys: [one, kept] }), person()];
    for (const each of [added, outsider]) await accounts().addPerson(each);
    expect(await accounts().removePasskey(outsider.id, one.id, 'none', removal())).toBe('not_found');
    expect(await accounts().removePasskey(added.id, one.id, 'none', removal())).toBe('removed');
    expect(await accounts().removePasskey(added.id, one.id, 'none', removal())).toBe('not_found');
    expect(await accounts().findPersonByPasskey(one.id)).toBeUndefined();
    expect(await accounts().addPasskey(outsider.id, one)).toBe('added');
    expect(await accounts().findPersonByPasskey(one.id)).toEqual({ ...outsider, passkeys: [one] });
    expect(await accounts().findPerson(added.id)).toEqual({ ...added, passkeys: [kept] });
  });

  test('the removal of a passkey ends the other sessions of its person, and a refused one ends none', async () => {
    await accounts().addAccount(acme);
    const [one, last] = [passkey(), passkey()];
    const [added, outsider] = [person({ passkeys: [one, last] }), person()];
    for (const each of [added, outsider]) await accounts().addPerson(each);
    const [kept, ended, foreign] = [session(added.id), session(added.id), session(outsider.id)];
    for (const each of [kept, ended, foreign]) await accounts().addSession(each);
    const remove = (id: string) => accounts().removePasskey(added.id, id, kept.id, removal());
    expect(await remove('none')).toBe('not_found');
    expect(await accounts().listSessions(added.id)).toHaveLength(2);
    expect(await remove(one.id)).toBe('removed');
    expect(await accounts().listSessions(added.id)).toEqual([kept]);
    expect(await accounts().listSessions(outsider.id)).toEqual([foreign]);
    await accounts().addSession(ended);
    expect(await remove(last.id)).toBe('last');
    expect(await accounts().listSessions(added.id)).toHaveLength(2);
  });

  test('one passkey stays, whoever removes the others', async () => {
    await accounts().addAccount(acme);
    const passkeys = Array.from({ length: 12 }, () => passkey());
    const added = person({ passkeys });
    await accounts().addPerson(added);
    const outcomes = await race({ accounts, connect }, (store, index) =>
      store.removePasskey(added.id, passkeys[index]?.id ?? '', 'none', removal()),
    );
    expect([count(outcomes, 'removed'), count(outcomes, 'last')]).toEqual([11, 1]);
    expect((await accounts().findPerson(added.id))?.passkeys).toHaveLength(1);
  });
}
