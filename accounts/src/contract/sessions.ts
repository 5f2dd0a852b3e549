import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { acme, count, other, race, type ContractContext } from './accounts.fixture.ts';
import { entry, laterMs, oneTimeSecret, person, session } from './people.fixture.ts';

export function sessionCases(context: ContractContext): void {
  describe('sessions', () => {
    beforeEach(async () => {
      for (const account of [acme, other]) await context.accounts().addAccount(account);
      for (const each of [ada, bob]) await context.accounts().addPerson(each);
    });
    storingCases(context);
    linkCases(context);
    endingCases(context);
  });
}

const [ada, bob] = [person(), person()];

function storingCases({ accounts, reopen }: ContractContext): void {
  test('a session is found by its hash as it was added, also after reopening', async () => {
    const plain = session(ada.id);
    const full = session(ada.id, { network: '2001:db8::/64', userAgent: 'Firefox' });
    for (const each of [plain, full]) await accounts().addSession(each);
    expect(await accounts().findSession(randomBytes(32))).toBeUndefined();
    expect(Buffer.isBuffer((await accounts().findSession(plain.hash))?.hash)).toBe(true);
    const again = await reopen();
    for (const each of [plain, full]) expect(await again.findSession(each.hash)).toEqual(each);
  });

  test('a change sets the given fields of one session only', async () => {
    const [changed, bystander] = [session(ada.id), session(ada.id)];
    for (const each of [changed, bystander]) await accounts().addSession(each);
    const fields = { lastSeenAtMs: laterMs + 5 };
    expect(await accounts().changeSession(changed.hash, fields)).toBe(true);
    expect(await accounts().findSession(changed.hash)).toEqual({ ...changed, ...fields });
    const rest = { accountId: other.id, provenAtMs: laterMs + 6, network: '192.0.2.1' };
    expect(await accounts().changeSession(changed.hash, rest)).toBe(true);
    expect(await accounts().changeSession(changed.hash, {})).toBe(true);
    expect(await accounts().findSession(changed.hash)).toEqual({ ...changed, ...fields, ...rest });
    expect(await accounts().findSession(bystander.hash)).toEqual(bystander);
  });

  test('a person lists the own sessions, last seen first, then by id', async () => {
    const at = (id: string, seconds: number) => session(ada.id, { id, lastSeenAtMs: laterMs + seconds });
    const [old, recent, twin] = [at('c', 1), at('b', 2), at('a', 2)];
    for (const each of [recent, old, twin, session(bob.id)]) await accounts().addSession(each);
    expect(await accounts().listSessions(ada.id)).toEqual([twin, recent, old]);
  });

  test('sessions last seen before a time expire', async () => {
    const [old, recent] = [session(ada.id, { lastSeenAtMs: laterMs - 1 }), session(ada.id)];
    for (const each of [old, recent]) await accounts().addSession(each);
    await accounts().expireSessions(laterMs);
    expect(await accounts().listSessions(ada.id)).toEqual([recent]);
  });

  test('an existing hash or id is a fault, and changes nothing', async () => {
    const first = session(ada.id);
    await accounts().addSession(first);
    for (const twin of [session(bob.id, { hash: first.hash }), session(bob.id, { id: first.id })])
      await expect(accounts().addSession(twin)).rejects.toMatchObject({ name: 'Fault', code: 'internal' });
    expect(await accounts().findSession(first.hash)).toEqual(first);
    expect(await accounts().listSessions(bob.id)).toEqual([]);
  });
}

function linkCases({ accounts, connect }: ContractContext): void {
  const link = () => oneTimeSecret({ kind: 'sign-in', data: { accountId: acme.id, personId: ada.id } });
  const trail = () => accounts().listActions({ accountId: acme.id, pageSize: 20 });

  test('a sign-in link adds one session, which is recorded', async () => {
    const used = link();
    await accounts().addOneTimeSecret(used);
    const [added, late] = [session(ada.id), session(ada.id)];
    const signedIn = entry('signed-in');
    expect(await accounts().addLinkedSession(used.hash, added, signedIn)).toBe(true);
    expect(await accounts().addLinkedSession(used.hash, late, entry('signed-in'))).toBe(false);
    expect(await accounts().listSessions(ada.id)).toEqual([added]);
    expect(await trail()).toEqual([signedIn]);
  });

  test('an unknown or expired link, and an invitation, add no session', async () => {
    const expired = { ...link(), expiresAtMs: laterMs };
    const invitation = oneTimeSecret();
    for (const each of [expired, invitation]) await accounts().addOneTimeSecret(each);
    for (const hash of [expired.hash, invitation.hash, randomBytes(32)])
      expect(await accounts().addLinkedSession(hash, session(ada.id), entry('signed-in'))).toBe(false);
    expect(await accounts().listSessions(ada.id)).toEqual([]);
    expect(await trail()).toEqual([]);
    expect(await accounts().findOneTimeSecret('invitation', invitation.hash, laterMs)).toEqual(invitation);
  });

  test('a failure leaves the link usable, and records nothing', async () => {
    const kept = link();
    await accounts().addOneTimeSecret(kept);
    const first = session(bob.id);
    await accounts().addSession(first);
    const twin = session(ada.id, { id: first.id });
    await expect(accounts().addLinkedSession(kept.hash, twin, entry('signed-in'))).rejects.toMatchObject({
      name: 'Fault',
    });
    expect(await accounts().findOneTimeSecret('sign-in', kept.hash, laterMs)).toEqual(kept);
    expect(await trail()).toEqual([]);
  });

  test('exactly one of several concurrent callers signs in with a link', async () => {
    const used = link();
    await accounts().addOneTimeSecret(used);
    const outcomes = await race({ accounts, connect }, (store) =>
      store.addLinkedSession(used.hash, session(ada.id), entry('signed-in')),
    );
    expect(count(outcomes, true)).toBe(1);
    expect(await accounts().listSessions(ada.id)).toHaveLength(1);
  });
}

function endingCases({ accounts, connect }: ContractContext): void {
  test('only its own person ends a session, and no change brings it back', async () => {
    const ended = session(ada.id);
    await accounts().addSession(ended);
    expect(await accounts().endSession(bob.id, ended.id)).toBe(false);
    expect(await accounts().findSession(ended.hash)).toEqual(ended);
    expect(await accounts().endSession(ada.id, ended.id)).toBe(true);
    expect(await accounts().endSession(ada.id, ended.id)).toBe(false);
    for (const change of [{ lastSeenAtMs: laterMs }, {}])
      expect(await accounts().changeSession(ended.hash, change)).toBe(false);
    expect(await accounts().findSession(ended.hash)).toBeUndefined();
    expect(await accounts().listSessions(ada.id)).toEqual([]);
  });

  test('a person ends all own sessions except one', async () => {
    const [kept, others, theirs] = [session(ada.id), [session(ada.id), session(ada.id)], session(bob.id)];
    for (const each of [kept, ...others, theirs]) await accounts().addSession(each);
    expect(await accounts().endOtherSessions(ada.id, kept.id)).toBe(2);
    expect(await accounts().endOtherSessions(ada.id, kept.id)).toBe(0);
    expect(await accounts().listSessions(ada.id)).toEqual([kept]);
    expect(await accounts().listSessions(bob.id)).toEqual([theirs]);
  });

  test('exactly one of several concurrent callers ends a session', async () => {
    const ended = session(ada.id);
    await accounts().addSession(ended);
    const outcomes = await race({ accounts, connect }, (store) => store.endSession(ada.id, ended.id));
    expect(count(outcomes, true)).toBe(1);
  });
}
